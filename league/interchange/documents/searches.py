"""Searches: explained step by step, compared with others, and exact."""

from collections.abc import Iterable
from math import isfinite
from typing import TYPE_CHECKING, Annotated, Literal

from bots.trace.records import Kind, Step
from games.support.game import CHANCE
from league.interchange.documents.document import Count, Digits6, Document, Seat, about

if TYPE_CHECKING:
    from bots.trace import records
    from league.analysis import compare_searches, solve


class SearchCut(Document):
    """Why the rest of a node's moves were left out."""

    bound: Step
    limit: float
    ancestor: Annotated[Count, about("the node whose child set the bound")]
    sibling: Annotated[Count, about("that child")]
    sibling_line: Annotated[list[str], about("the moves from the first position to it")]
    trigger: Annotated[Count, about("the child whose value reached the bound")]
    left_out: Annotated[list[str], about("the moves")]
    is_cascade: Annotated[bool, about("whether that bound cut the trigger too")]


class SearchNode(Document):
    """A position of a search."""

    number: Annotated[Count, about("in the order of their making")]
    parent: Count | None
    ply: Count
    move: Annotated[str, about("the one that leads to it")]
    mover: Annotated[Seat | Literal["chance"] | None, about("null at a leaf")]
    role: Literal["max", "min", "chance", "leaf"]
    probability: Annotated[float | None, about("null where luck did not move")]
    depth: Annotated[int, about("plies left to the horizon")]
    alpha: Annotated[float | None, about("null where it is infinite")]
    beta: Annotated[float | None, about("null where it is infinite")]
    value: float
    kind: Kind
    is_pv: Annotated[bool, about("whether it is on the best line")]
    subtree: Annotated[Count, about("nodes made below it, itself included")]
    cut: SearchCut | None


class SearchEvent(Document):
    """A step of a search."""

    step: Step
    node: Count
    value: Annotated[float | None, about("null where a node is entered")]
    made: Annotated[Count, about("nodes so far")]
    left_out: Annotated[Count, about("moves so far")]


class Search(Document):
    """A search, step by step (docs/explain.md)."""

    title: str
    game: str
    method: str
    depth: Annotated[Count | None, about("in plies, null for the end of the game")]
    evaluation: str
    order: str
    cut_on: Annotated[str | None, about("null where nothing is cut")]
    seat: int
    seat_names: list[str]
    value: Annotated[float, about("for the seat that moves first")]
    move: str
    pv: list[str]
    nodes_made: Count
    nodes_minimax: Annotated[Count, about("of which minimax would make at least so many")]
    is_minimax_exact: bool
    share_saved: Annotated[float | None, about("of the nodes of minimax, null if unknown")]
    cuts: Count
    cascades: Count
    moves_left_out: Count
    is_sampled: Annotated[bool, about("whether some nodes are not recorded")]
    nodes: list[SearchNode]
    events: list[SearchEvent]


def search_document(trace: "records.Trace", title: str) -> Search:
    """Return a search, step by step; infinite bounds are null."""
    setting, game = trace.setting, trace.root.game
    return Search.of(
        trace,
        title=title,
        game=game.spec,
        method=setting.method,
        depth=setting.depth,
        evaluation=setting.evaluation.name,
        order=setting.order,
        cut_on=setting.cut_on if trace.is_pruning else None,
        seat=trace.root.to_move,
        seat_names=list(game.seat_names),
        move=trace.root.text(trace.move),
        pv=[node.text for node in trace.pv],
        nodes_made=trace.nodes,
        nodes_minimax=trace.minimax.number,
        is_minimax_exact=trace.minimax.is_exact,
        share_saved=trace.saved,
        moves_left_out=trace.left_out,
        nodes=[_node(trace, node) for node in trace.recorded.values()],
        events=[
            SearchEvent.of(event, value=event.value if event.step != "enter" else None)
            for event in trace.events
        ],
    )


def _node(trace: "records.Trace", node: "records.TracedNode") -> SearchNode:
    return SearchNode.of(
        node,
        parent=None if node.number == 0 else node.parent,
        move=node.text,
        mover=None if node.is_leaf else "chance" if node.mover == CHANCE else node.mover,
        role=_role(trace, node),
        alpha=_bound(node.alpha),
        beta=_bound(node.beta),
        is_pv=node.number == 0 or node in trace.pv,
        subtree=node.made,
        cut=node.cut and _cut(node.cut),
    )


def _role(trace: "records.Trace", node: "records.TracedNode") -> str:
    if node.is_leaf:
        return "leaf"
    if node.mover == CHANCE:
        return "chance"
    return "max" if trace.is_max(node) else "min"


def _bound(value: float) -> float | None:
    return value if isfinite(value) else None


def _cut(cut: "records.Cut") -> SearchCut:
    return SearchCut.of(
        cut,
        sibling=cut.setter,
        sibling_line=list(cut.setter_line),
        left_out=list(cut.left_out),
    )


class SearchAnswer(Document):
    """What a bot answered in a position."""

    move: str
    value: Annotated[float | None, about("for the seat to move")]
    depth: Count | None
    nodes: Count | None
    seconds: Digits6
    pv: list[str]
    text: Annotated[str, about("what else the bot told")]


class SearchAnswers(Document):
    """What a bot answered, position by position."""

    bot: str
    answers: list[SearchAnswer]


class Comparison(Document):
    """What several bots answered in the same positions."""

    game: str
    positions: list[str]
    bots: list[SearchAnswers]


def answer_document(found: "compare_searches.ComparedSearch") -> SearchAnswer:
    """Return what a bot answered in a position."""
    return SearchAnswer.of(found, pv=list(found.pv))


def comparison_document(
    game: str,
    positions: Iterable[str],
    answers: "Iterable[tuple[str, list[compare_searches.ComparedSearch]]]",
) -> Comparison:
    """Return what each bot, by its name, answered in each position."""
    return Comparison(
        game=game,
        positions=list(positions),
        bots=[
            SearchAnswers(bot=bot, answers=[answer_document(each) for each in found])
            for bot, found in answers
        ],
    )


class SolvedPosition(Document):
    """The exact value of a position."""

    position: str
    score: Annotated[float, about("for the seat to move, in the game's own convention")]
    utility: Annotated[float, about("for the seat to move")]
    plies: Annotated[Count | None, about("until the end, null where they are not counted")]
    moves: Annotated[list[str] | None, about("all that are best")]
    line: Annotated[list[str] | None, about("one perfect match to the end")]
    nodes: Count
    seconds: float
    expected: Annotated[float | None, about("the score in the file")]
    is_expected: bool
    is_compiled: bool


def solved_document(found: "solve.Solved") -> SolvedPosition:
    """Return the exact value of a position."""
    return SolvedPosition.of(
        found,
        position=found.task.text,
        moves=None if found.moves is None else list(found.moves),
        line=None if found.line is None else list(found.line),
        expected=found.task.expected,
    )
