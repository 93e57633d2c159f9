"""The worth of a solved position, and the questions that find it.

A win sooner is worth more than a win later, and a loss later more than a loss sooner. Source: the
search asks for one value after the other whether the position is worth it, as in A. Plaat,
J. Schaeffer, W. Pijls and A. de Bruin, Best-First Fixed-Depth Minimax Algorithms (1996).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from bots.support.bot import Clock
from bots.support.search import FREE
from games.kernels import UNIT
from games.support.game import State


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
