"""Solve positions exactly, and compare the results with a file's expectations."""

import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Annotated

from bots.solver import Bounds, Solver, lacks_numba, solver_of, split
from bots.solver.best_moves import best_line, best_moves
from bots.support.bot import Clock
from bots.support.search import Exhausted
from games.support.errors import InputError, PositionError
from games.support.game import CHANCE, Game, State, texts_of
from league.model.document import Count, about, document
from league.model.errors import SetupError

_EXPECTED = re.compile(r"(?P<position>.*\S)\s+(?P<score>[+-]?\d+)")
_LISTED = re.compile(r":\s*([+-]?\d+)")


@dataclass(frozen=True, slots=True)
class SolveTask:
    """A position to solve, its text and its expected score; a solver narrows its `bounds`."""

    text: str
    state: State
    expected: Annotated[float | None, about("the score in the file")] = None
    bounds: Bounds = field(default_factory=Bounds, init=False, repr=False, compare=False)


@document(
    "SolvedPosition",
    "position=task.text score utility plies moves line nodes seconds expected=task.expected "
    "is_expected is_compiled",
)
@dataclass(frozen=True, slots=True, kw_only=True)
class Solved:
    """The exact value of a position.

    `nodes` and `seconds` are the cost of the score (`Game.solved_score`). `moves` and `line` are
    None if not requested.
    """

    task: SolveTask
    score: Annotated[float, about("for the seat to move, in the game's own convention")]
    utility: Annotated[float, about("for the seat to move")]
    plies: Annotated[Count | None, about("plies to the end, null if they are not counted")]
    nodes: Count
    seconds: float
    is_compiled: bool
    moves: Annotated[tuple[str, ...] | None, about("all best moves")] = None
    line: Annotated[tuple[str, ...] | None, about("one perfect match to the end")] = None

    @property
    def is_expected(self) -> bool:
        """Whether the score is as expected, or there is no expectation."""
        return self.task.expected is None or self.score == self.task.expected


def tasks_of(game: Game, lines: Sequence[str]) -> list[SolveTask]:
    """Read a file of positions: moves or the game's notation, then the expected score, if any.

    `443 -2` expects -2. After a semicolon, `G8:+18; H1:+12` lists moves with scores: the greatest
    is expected. `#` starts a comment. Raises `PositionError` with the line.
    """
    found = []
    for number, whole in enumerate(lines, 1):
        line = whole.partition("#")[0].strip()
        if line:
            try:
                found.append(_task(game, line))
            except InputError as error:
                raise PositionError(f"line {number}: {error}") from None
    return found


def _task(game: Game, line: str) -> SolveTask:
    position, semicolon, rest = line.partition(";")
    if semicolon:
        scores = [float(each) for each in _LISTED.findall(rest)]
        return SolveTask(position, game.position(position), max(scores, default=None))
    match = _EXPECTED.fullmatch(line)
    if match is not None:
        try:
            state = game.position(match["position"])
        except InputError:
            # The last word may be a move.
            return SolveTask(line, game.position(line))
        return SolveTask(match["position"], state, float(match["score"]))
    return SolveTask(line, game.position(line))


def solve(
    game: Game,
    tasks: Sequence[SolveTask],
    *,
    is_fast: bool = True,
    limit_s: float | None = None,
    has_moves: bool = False,
    has_line: bool = False,
) -> Iterator[Solved]:
    """Yield the value of each position, in order, with best moves and a line on request.

    Raises `SetupError` for a game that can't be solved, even if only its ends reveal that, and for
    a position that takes longer than `limit_s` seconds.
    """
    try:
        solver = solver_of(game, is_fast)
        for task in tasks:
            yield _solved(
                game, solver, task, limit_s=limit_s, has_moves=has_moves, has_line=has_line
            )
    except ValueError as error:
        raise SetupError(str(error)) from None


def known_of(task: SolveTask) -> str:
    """Say what is proven so far of a task's position, '' for nothing."""
    low, high, unit = task.bounds.low, task.bounds.high, task.bounds.unit
    least, most = (each * unit for each in task.state.game.utility_bounds)
    known = []
    if low > least:
        known.append(f"at least {low:+g}" if unit == 1 else _at_least(low))
    if high < most:
        known.append(f"at most {high:+g}" if unit == 1 else _at_most(high))
    return ", ".join(known)


def _at_least(worth: float) -> str:
    plies = split(worth)[1]
    return "won" if worth > 0 else "not lost" if worth == 0 else f"not lost within {plies} plies"


def _at_most(worth: float) -> str:
    plies = split(worth)[1]
    return "lost" if worth < 0 else "not won" if worth == 0 else f"not won within {plies} plies"


def _solved(
    game: Game,
    solver: Solver,
    task: SolveTask,
    *,
    limit_s: float | None,
    has_moves: bool,
    has_line: bool,
) -> Solved:
    state = task.state
    if state.to_move == CHANCE:
        raise SetupError(f"nobody moves in position {task.text!r}: a chance event comes next")
    clock = Clock.of(limit_s)
    told = f"position {task.text!r} is not solved"
    begin = time.perf_counter()
    try:
        found = solver.solve(state, clock, task.bounds)
        seconds = time.perf_counter() - begin
        score = game.solved_score(state, found.utility, found.plies)
        told = f"position {task.text!r} is worth {score:+g}, but its best moves are not found"
        moves = best_moves(solver, state, found, clock) if has_moves else None
        line = best_line(solver, state, found, clock) if has_line else None
    except Exhausted:
        known = known_of(task) if " not solved" in told else ""
        hint = "; botleague[fast] solves it many times as fast" if lacks_numba(game) else ""
        told = f"{told} within {limit_s:g} s{f' ({known})' if known else ''}"
        raise SetupError(f"{told}: --time gives it more{hint}") from None
    return Solved(
        task=task,
        score=score,
        utility=found.utility,
        plies=found.plies,
        nodes=found.nodes,
        seconds=seconds,
        is_compiled=found.is_compiled,
        moves=None if moves is None else tuple(map(state.text, moves)),
        line=None if line is None else texts_of(state, line),
    )
