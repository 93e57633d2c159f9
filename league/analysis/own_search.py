"""The search of a user's own bot: what it walks, counted from outside in a process of its own."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

from games.support.errors import MoveError
from games.support.game import CHANCE, Game, State, split_texts
from games.support.moves import WireMove, decode_move, encode_move
from games.support.references import is_file
from league.model.document import Count, about, document
from league.model.errors import CheckError, SetupError
from league.model.records import BotVersion, Isolation, Limits, ReportRecord
from league.seats.process.environment import BotEnvironment
from league.seats.python.python_seat import PythonSeat
from league.seats.seat import MoveBudget, SeatFault, SeatKilled

MOVE_S = 1.0
"""The time that the bot is told to have, if none is given."""

PATIENCE_S = 60.0
"""A search may take so much longer than it is told: counting makes it slower."""


@dataclass(frozen=True, slots=True)
class Route:
    """The way to a position: the game, from its usual position or another, and the moves."""

    game: Game
    moves: tuple[WireMove, ...] = ()

    def then(self, state: State, move: object) -> "Route":
        """Return the way to the position after a move of `state`, which is where this one ends."""
        return Route(self.game, (*self.moves, encode_move(state, move)))

    @staticmethod
    def to(game: Game, text: str) -> "Route":
        """Return the way to the position of a text, as `Game.position` reads it."""
        route, state = Route(game), game.initial()
        try:
            for word in split_texts(state, text):
                move = state.parse(word)
                route, state = route.then(state, move), state.play(move)
        except MoveError:
            fen = game.position(text).fen()
            if not fen:
                raise SetupError(f"position {text!r}: give the moves that lead to it") from None
            return Route(game.starting_at(fen))
        return route

    @property
    def state(self) -> State:
        """The position at its end."""
        state = self.game.initial()
        for wire in self.moves:
            state = state.play(decode_move(state, wire))
        return state


@document("WalkedNode", "parent move mover calls made utility")
@dataclass(frozen=True, slots=True)
class WalkedNode:
    """A node of the tree that a user's own search walks; the nodes nearest to the root are told."""

    parent: Annotated[int, about("its index in the list, -1 at the root")]
    move: Annotated[str, about("the one that leads to it")]
    mover: Annotated[int, about("a seat, -1 for chance")]
    calls: Annotated[Count, about("how often 'play' made it")]
    made: Annotated[Count, about("calls of 'play' that made it or a node below it")]
    utility: Annotated[float | None, about("where the match is over, for the seat at the root")]


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnSearch:
    """What a bot's search walked from `root`, and its answer.

    `nodes` counts the root and all calls of `play`, `plies` is the depth of the deepest. `tree`
    holds the nodes nearest to the root, parents first; not every call has a place in it unless it
    `is_whole`.
    """

    bot: str
    root: State
    move: str
    nodes: int
    plies: int
    seconds: float
    is_whole: bool
    tree: tuple[WalkedNode, ...]
    report: ReportRecord | None = None


def is_own(spec: str) -> bool:
    """Whether a spec names a bot in a Python file, and not a built-in one."""
    return is_file(spec)


@dataclass(frozen=True, slots=True)
class OwnBot:
    """A bot in a Python file, isolated as in a match."""

    version: BotVersion
    isolation: Isolation = Isolation.LIMITS

    def search(self, route: Route, move_s: float | None = None, seed: int = 0) -> OwnSearch:
        """Ask it for a move in `move_s` seconds, and count what it walks; raise `CheckError`."""
        return _search(self.version, route, move_s or MOVE_S, self.isolation, seed)


def _search(
    version: BotVersion, route: Route, move_s: float, isolation: Isolation, seed: int
) -> OwnSearch:
    state = route.state
    if state.outcome() is not None or state.to_move == CHANCE:
        raise SetupError("no bot moves there: the match is over, or a chance event comes next")
    if route.game.has_secrets:
        raise SetupError(f"{route.game.title} has secrets: there is no tree that its bot walks")
    environment = replace(BotEnvironment.of(None, [route.game.spec]), counts_nodes=True)
    seat = PythonSeat(version, Limits(isolation=isolation), environment)
    budget = MoveBudget(move_s=move_s, grace_s=PATIENCE_S)
    try:
        seat.start()
        seat.new_match(route.game, state.to_move, seed, ())
        answer = seat.ask(state, route.moves, budget)
        move = state.text(decode_move(state, answer.wire))
    except (SeatFault, SeatKilled, OSError) as fault:
        raise CheckError(f"{version.spec!r} {fault}", version.spec) from None
    except MoveError as error:
        raise CheckError(f"{version.spec!r} answered an {error}", version.spec) from None
    finally:
        seat.stop()
    seconds = answer.wall_ns / 1e9
    return _read(version, state, move, seconds, answer.report, seat.walk)


def _read(
    version: BotVersion,
    root: State,
    move: str,
    seconds: float,
    report: ReportRecord | None,
    told: Any,
) -> OwnSearch:
    """Read what the bot's process tells, which may be anything."""
    try:
        tree = tuple(_node(index, row) for index, row in enumerate(told["tree"]))
        return OwnSearch(
            bot=version.spec,
            root=root,
            move=move,
            nodes=max(1, int(told["nodes"])),
            plies=int(told["plies"]),
            seconds=seconds,
            is_whole=bool(told["is_whole"]) and len(tree) > 0,
            tree=tree,
            report=report,
        )
    except (KeyError, TypeError, ValueError, OverflowError):
        raise CheckError(f"{version.spec!r} tells nothing of its search", version.spec) from None


def _node(index: int, row: Sequence[Any]) -> WalkedNode:
    parent, move, mover, calls, made, utility = row
    # Parents come first, so that the tree has no cycle.
    if not (int(parent) == -1 if index == 0 else 0 <= int(parent) < index):
        raise ValueError(row)
    worth = None if utility is None else float(utility)
    return WalkedNode(int(parent), str(move), int(mover), int(calls), int(made), worth)
