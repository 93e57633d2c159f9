"""Solving: what a position is worth with best play on both sides, searched to the end.

A win sooner is worth more than a win later, and a loss later more than one sooner. Sources: the
search asks of one value after the other whether the position is worth it, as in A. Plaat,
J. Schaeffer, W. Pijls and A. de Bruin, Best-First Fixed-Depth Minimax Algorithms (1996), with a
table of bounds by position. In Python alone, where nothing tells an end before it is there, it asks
for ends within few plies first: R. Korf, Depth-First Iterative-Deepening (1985).
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import partial
from math import inf
from typing import Protocol

from bots.contract import Clock
from bots.search import FREE, Budget
from games.contract import Game, State
from games.kernels import UNIT

TABLE_MAX = 1_000_000
"""Positions that the pure solver's table holds."""

_TAKES = "it takes whole utilities, and one seat must win what the other loses"


@dataclass(frozen=True, slots=True)
class Solution:
    """What a position is worth: the utility of the seat to move, and in how many plies.

    `plies` is None for a draw, and where the solver of a game does not count them. `nodes` counts
    the positions made, the root included, once for each value that was asked about.
    """

    utility: float
    plies: int | None
    nodes: int
    is_compiled: bool


class Solver(Protocol):
    """Solves positions of one game; what it finds out about one helps with the next."""

    unit: int
    """What a utility of 1 is worth: `UNIT`, less one for each ply until then, or 1 at any time."""

    def solve(self, state: State, clock: Clock = FREE) -> Solution:
        """Return what `state` is worth; raise `Exhausted` when the clock's limits end the search.

        The clock's depth is no limit. There must be an end: a game where positions may come again
        for ever has none.
        """

    def is_worth(self, state: State, worth: float, clock: Clock = FREE) -> bool:
        """Tell whether `state`, which is not over, is worth at least so much to who moves in it.

        Raises `Exhausted` as `solve` does.
        """


def solver_of(game: Game, is_fast: bool = True) -> Solver:
    """Return the compiled solver of a game where there is one and `is_fast`, else the pure one.

    Raises `ValueError` for games that are not of two seats against each other without luck.
    """
    kernel = game.kernel() if is_fast else None
    if kernel is not None and kernel.solving is not None:
        from bots.compiled.solver import CompiledSolver  # noqa: PLC0415 (it imports numba)

        return CompiledSolver(kernel, kernel.solving, game.utility_bounds)
    if game.has_chance or sorted(game.sides) != [0, 1]:
        raise ValueError(f"no solver for {game.spec}: it takes two seats, and no luck")
    return PureSolver(game)


def worth_of(low: float, high: float, is_at_least: Callable[[float], float]) -> float:
    """Return the whole number from `low` to `high` that a position is worth.

    `is_at_least(worth)` returns a bound of it: from below where that is at least `worth`, else from
    above. Won, drawn or lost comes first.
    """
    while low < high:
        if low <= 0 < high:
            asked: float = 1
        elif low < 0 == high:
            asked = 0
        else:
            asked = (low + high + 1) // 2
        low, high = _narrowed(low, high, asked, is_at_least)
    return low


def deepened(
    low: float,
    high: float,
    is_at_least: Callable[[float], float],
    wanted: float | None = None,
) -> tuple[float, float]:
    """Return narrower bounds of a worth that counts plies, by asking for wins and losses soon.

    First of all within a ply or two, then within ever more, until more would tell nothing new, or
    until the bounds tell whether the worth is at least `wanted`. The other arguments are those of
    `worth_of`.
    """
    least, most, plies = low, high, 1
    while wanted is None or low < wanted <= high:
        # Won in so many plies or fewer; lost in one more or fewer if not worth the second.
        soon = [each for each in (most - plies, least + plies + 2) if low < each <= high]
        if not soon:
            break
        for asked in soon:
            low, high = _narrowed(low, high, asked, is_at_least)
        # Growing steps ask less in vain where the end is far.
        plies += 2 * max(1, plies // 4)
    return low, high


def _narrowed(
    low: float, high: float, asked: float, is_at_least: Callable[[float], float]
) -> tuple[float, float]:
    """Return what is left of the bounds after one question."""
    bound = is_at_least(asked)
    return (max(low, bound), high) if bound >= asked else (low, min(high, bound))


def later(worth: float) -> float:
    """Return what a worth that counts plies is a ply before: a little less far from 0."""
    return worth - ((worth > 0) - (worth < 0))


def split(worth: float) -> tuple[float, int | None]:
    """Return the utility, and the plies until then, of a worth that counts plies."""
    if worth == 0:
        return 0.0, None
    utility = float((abs(worth) + UNIT - 1) // UNIT)
    plies = int(utility * UNIT - abs(worth))
    return (utility if worth > 0 else -utility), plies


class PureSolver:
    """The solver in Python alone, for any game of two seats whose utilities are whole numbers.

    What one seat wins the other must lose. Utilities of 0 to 1 in size are told from one another;
    a match may last up to `UNIT` plies.
    """

    unit = UNIT

    def __init__(self, game: Game) -> None:
        low, high = game.utility_bounds
        self._worths = (low * UNIT, high * UNIT)
        self._table: dict[Hashable, tuple[float, float]] = {}

    def solve(self, state: State, clock: Clock = FREE) -> Solution:
        """Return what `state` is worth; raise `ValueError` where utilities are not as they must."""
        outcome = state.outcome()
        if outcome is not None:
            return Solution(outcome[state.to_move], 0, 1, is_compiled=False)
        value_of, nodes = self._searcher(Budget(clock))
        is_at_least = partial(value_of, state)
        worth = worth_of(*deepened(*self._worths, is_at_least), is_at_least)
        return Solution(*split(worth), nodes(), is_compiled=False)

    def is_worth(self, state: State, worth: float, clock: Clock = FREE) -> bool:
        """Tell whether `state` is worth at least so much."""
        is_at_least = partial(self._searcher(Budget(clock))[0], state)
        low, high = deepened(*self._worths, is_at_least, worth)
        return low >= worth or (high >= worth and is_at_least(worth) >= worth)

    def _searcher(
        self, budget: Budget
    ) -> tuple[Callable[[State, float], float], Callable[[], int]]:
        """Return the recursive search, and what tells its nodes."""
        table = self._table
        # No match that goes on is worth more or less than its end a ply later.
        least, most = map(later, self._worths)
        nodes = 1
        look: float = 0

        def value_of(state: State, beta: float) -> float:
            """Return a bound of the worth to the mover: from below from `beta` on, else above."""
            nonlocal nodes, look
            if beta > most:
                return most
            if beta <= least:
                return least
            key = state.key()
            low, high = table.get(key, (-inf, inf))
            if low >= beta:
                return low
            if high < beta:
                return high
            best = -inf
            seat = state.to_move
            children = []
            for move in state.order(state.legal_moves()):
                if nodes >= look:
                    look = budget.next_look(nodes)
                child = state.play(move)
                nodes += 1
                outcome = child.outcome()
                if outcome is None:
                    children.append(child)
                    continue
                utility = outcome[seat]
                if utility % 1 or utility + outcome[1 - seat]:
                    raise ValueError(f"no solver for {state.game.spec}: {_TAKES}")
                best = max(best, utility * UNIT - ((utility > 0) - (utility < 0)))
            # What a child must be worth to its mover: of the same seat at the least, of the other
            # it is this that it may not reach.
            same = beta + ((beta > 0) - (beta < 0))
            for child in children:
                if best >= beta:
                    break
                if child.to_move == seat:
                    value = value_of(child, same)
                else:
                    value = -value_of(child, 1 - same)
                best = max(best, value - ((value > 0) - (value < 0)))
            if key in table or len(table) < TABLE_MAX:
                table[key] = (best, high) if best >= beta else (low, best)
            return best

        return value_of, lambda: nodes
