"""Games, and what searches find in them."""

from collections.abc import Iterable, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import UNSET, UnsetType

from bots.trace.records import Kind, Step
from games.support.errors import GameError
from games.support.game import CHANCE
from games.support.specs import find_game
from league.analysis import compare_searches, own_search
from league.interchange.documents.document import Document, Scalar, taken
from league.model.document import Count, Digits6, Id, SeatNumber, about

if TYPE_CHECKING:
    from bots.trace import records


HasChance = Annotated[bool, taken("has_chance", "whether it has chance events")]
HasSecrets = Annotated[bool, taken("has_secrets", "whether a seat may see less than all")]
Sides = Annotated[list[Count], about("by seat: seats of one side win together")]


class Game(Document):
    """A game with its options and evaluations."""

    game: Annotated[str, taken("spec", "its name with its options")]
    title: str
    seats: Id
    seat_names: list[str]
    sides: Sides
    chance: HasChance
    secrets: HasSecrets
    options: Annotated[dict[str, Scalar], taken("values")]
    evaluations: Annotated[list[str], taken(lambda game: [each.name for each in game.evaluations])]


class ListedGame(Document):
    """A game in the list: as it is shown alone, or its name and why it can't be played here."""

    game: str
    title: str | UnsetType = UNSET
    seats: Id | UnsetType = UNSET
    seat_names: list[str] | UnsetType = UNSET
    sides: Sides | UnsetType = UNSET
    chance: Annotated[bool, about("whether it has chance events")] | UnsetType = UNSET
    secrets: Annotated[bool, about("whether a seat may see less than all")] | UnsetType = UNSET
    options: dict[str, Scalar] | UnsetType = UNSET
    evaluations: list[str] | UnsetType = UNSET
    why_not: str | UnsetType = UNSET


def game_documents(names: Sequence[str]) -> list[ListedGame]:
    """List games, those that can be played here first; of the others it says why not."""
    found, missing = [], []
    for name in names:
        try:
            found.append(ListedGame.of(Game.of(find_game(name)), why_not=UNSET))
        except GameError as error:
            missing.append(ListedGame(game=name, why_not=str(error)))
    return [*found, *missing]


class OpenSpielGame(Document):
    """A game of OpenSpiel."""

    game: Annotated[str, taken("name")]
    title: str
    seats: Annotated[tuple[int, int], about("minimum and maximum")]
    chance: HasChance
    playable: Annotated[bool, taken("is_playable")]
    why_not: Annotated[str, about("empty if it can be played here")]


class AllGames(Document):
    """The games of `league games --all`."""

    games: list[ListedGame]
    openspiel: Annotated[list[OpenSpielGame] | None, about("null if the package is missing")]


class PerftCount(Document):
    """The number of lines of play of a length."""

    depth: Annotated[Id, about("in plies")]
    lines: Count


class Perft(Document):
    """The numbers of lines of play of a game, by length."""

    game: str
    position: Annotated[str | None, about("as entered, null for the first")]
    counts: list[PerftCount]
    divide: Annotated[dict[str, Count] | UnsetType, about("the longest, by first move")] = UNSET


class SearchCut(Document):
    """Why the rest of a node's moves were left out."""

    bound: Step
    limit: float
    ancestor: Annotated[Count, about("the node whose child set the bound")]
    sibling: Annotated[Count, taken("setter", "that child")]
    sibling_line: Annotated[list[str], taken("setter_line", "the moves from the root to it")]
    trigger: Annotated[Count, about("the child whose value reached the bound")]
    left_out: Annotated[list[str], about("the moves")]
    is_cascade: Annotated[bool, about("whether that bound also cut off the cause")]


class SearchNode(Document):
    """A position of a search."""

    number: Annotated[Count, about("in order of registration")]
    parent: Count | None
    ply: Count
    move: Annotated[str, taken("text", "the one that leads to it")]
    mover: Annotated[SeatNumber | Literal["chance"] | None, about("null at a leaf")]
    role: Literal["max", "min", "chance", "leaf"]
    probability: Annotated[float | None, about("null unless it was a chance event")]
    depth: Annotated[int, about("plies left to the horizon")]
    alpha: Annotated[float | None, about("null if it is infinite")]
    beta: Annotated[float | None, about("null if it is infinite")]
    value: float
    kind: Kind
    is_pv: Annotated[bool, about("whether it is on the best line")]
    subtree: Annotated[Count, taken("made", "nodes made below it, itself included")]
    cut: SearchCut | None


class SearchEvent(Document):
    """A step of a search."""

    step: Step
    node: Count
    value: Annotated[
        float | None,
        taken(
            lambda event: None if event.step == "enter" else event.value,
            "null where a node is entered",
        ),
    ]
    made: Annotated[Count, about("nodes so far")]
    left_out: Annotated[Count, about("moves so far")]


class Search(Document):
    """A search, step by step (docs/how-to/explain-a-search.md)."""

    title: str
    game: Annotated[str, taken("root.game.spec")]
    method: Annotated[str, taken("setting.method")]
    depth: Annotated[Count | None, taken("setting.depth", "in plies, null for the end of the game")]
    evaluation: Annotated[str, taken("setting.evaluation.name")]
    order: Annotated[str, taken("setting.order")]
    cut_on: Annotated[
        str | None,
        taken(
            lambda trace: trace.setting.cut_on if trace.is_pruning else None,
            "null where nothing is cut",
        ),
    ]
    seat: Annotated[int, taken("root.to_move")]
    seat_names: Annotated[list[str], taken("root.game.seat_names")]
    value: Annotated[float, about("for the seat that moves first")]
    move: str
    pv: list[str]
    nodes_made: Annotated[Count, taken("nodes")]
    nodes_minimax: Annotated[Count, taken("minimax.number", "what minimax would make, or more")]
    is_minimax_exact: Annotated[bool, taken("minimax.is_exact")]
    share_saved: Annotated[float | None, taken("saved", "of the nodes of minimax, null if unknown")]
    cuts: Count
    cascades: Count
    moves_left_out: Annotated[Count, taken("left_out")]
    is_sampled: Annotated[bool, about("whether some nodes are not recorded")]
    nodes: list[SearchNode]
    events: list[SearchEvent]


def search_document(trace: "records.Trace", title: str) -> Search:
    """Return a search, step by step; infinite bounds are null."""
    return Search.of(
        trace,
        title=title,
        move=trace.root.text(trace.move),
        pv=[node.text for node in trace.pv],
        nodes=[_node(trace, node) for node in trace.recorded.values()],
    )


def _node(trace: "records.Trace", node: "records.TracedNode") -> SearchNode:
    return SearchNode.of(
        node,
        parent=None if node.number == 0 else node.parent,
        mover=None if node.is_leaf else "chance" if node.mover == CHANCE else node.mover,
        role=_role(trace, node),
        alpha=_bound(node.alpha),
        beta=_bound(node.beta),
        is_pv=node.number == 0 or node in trace.pv,
    )


def _role(trace: "records.Trace", node: "records.TracedNode") -> str:
    if node.is_leaf:
        return "leaf"
    if node.mover == CHANCE:
        return "chance"
    return "max" if trace.is_max(node) else "min"


def _bound(value: float) -> float | None:
    return value if isfinite(value) else None


class OwnSearch(Document):
    """The search of a user's own bot, counted from outside."""

    title: str
    game: str
    bot: str
    seat: Annotated[SeatNumber, about("the one that moves at the root")]
    move: str
    nodes: Annotated[Count, about("the root and all calls of 'play'")]
    plies: Annotated[Count, about("the depth of the deepest call")]
    seconds: Digits6
    is_whole: Annotated[bool, about("whether every call has a place in the tree")]
    depth_reported: Count | None
    nodes_reported: Count | None
    score_reported: float | None
    tree: list[own_search.WalkedNode]


def own_search_document(found: own_search.OwnSearch, title: str) -> OwnSearch:
    """Return what a user's own search walks."""
    report = found.report
    return OwnSearch.of(
        found,
        title=title,
        game=found.root.game.spec,
        seat=found.root.to_move,
        depth_reported=report.depth if report else None,
        nodes_reported=report.nodes if report else None,
        score_reported=report.score if report else None,
        tree=found.tree,
    )


class SearchAnswers(Document):
    """The answers of a bot, position by position."""

    bot: str
    answers: list[compare_searches.ComparedSearch]


class Comparison(Document):
    """The answers of several bots in the same positions."""

    game: str
    positions: list[str]
    bots: list[SearchAnswers]


def comparison_document(
    game: str,
    positions: Iterable[str],
    answers: Iterable[tuple[str, list[compare_searches.ComparedSearch]]],
) -> Comparison:
    """Return what each bot, by its name, answered in each position."""
    bots = [SearchAnswers.of(found, bot=bot, answers=found) for bot, found in answers]
    return Comparison(game=game, positions=list(positions), bots=bots)
