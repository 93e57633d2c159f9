"""The value of a solved position, and the tests that find it.

Sooner wins and later losses are worth more. The search tests one candidate value after another, as
in A. Plaat, J. Schaeffer, W. Pijls and A. de Bruin, Best-First Fixed-Depth Minimax Algorithms
(1996).
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Protocol

from bots.support.bot import Clock
from bots.support.search import FREE
from games.kernels import UNIT
from games.support.game import State


@dataclass(frozen=True, slots=True)
class Solution:
    """A position's exact value: the utility of the seat to move, and in how many plies.

    `plies` is None for a draw, and if the game's solver does not count them. `nodes` counts the
    positions made, the root once for each value tested.
    """

    utility: float
    plies: int | None
    nodes: int
    is_compiled: bool


@dataclass(slots=True)
class Bounds:
    """The proven bounds of a position that is being solved, in the solver's own `unit`.

    Solvers narrow it in place, so that it can be read while they search and after `Exhausted`.
    """

    low: float = -inf
    high: float = inf
    unit: int = UNIT

    def narrow(self, low: float, high: float) -> None:
        """Take over bounds, which are never wider than those before."""
        self.low, self.high = low, high


class Solver(Protocol):
    """Solves positions of one game; each solution speeds up later ones."""

    unit: int
    """The value of a utility of 1: `UNIT`, less one per ply until then, or 1 at any time."""

    def solve(self, state: State, clock: Clock = FREE, bounds: Bounds | None = None) -> Solution:
        """Return the value of `state`; raise `Exhausted` at the clock's limits, except depth.

        It narrows `bounds` meanwhile. The game must end: one that can repeat positions for ever has
        no solution.
        """

    def is_worth(self, state: State, worth: float, clock: Clock = FREE) -> bool:
        """Tell whether unfinished `state` is worth at least `worth`; raise as `solve` does."""


def worth_of(
    low: float, high: float, is_at_least: Callable[[float], float], bounds: Bounds | None = None
) -> float:
    """Return a position's value, an integer from `low` to `high`; test for a win or loss first.

    `is_at_least(worth)` returns a lower bound if the value is at least `worth`, else an upper one.
    """
    known = bounds or Bounds()
    while low < high:
        if low <= 0 < high:
            asked: float = 1
        elif low < 0 == high:
            asked = 0
        else:
            asked = (low + high + 1) // 2
        low, high = _narrowed(low, high, asked, is_at_least)
        known.narrow(low, high)
    return low


def deepened(
    low: float,
    high: float,
    is_at_least: Callable[[float], float],
    wanted: float | None = None,
    bounds: Bounds | None = None,
) -> tuple[float, float]:
    """Return narrower bounds of a value that counts plies, by testing for early wins and losses.

    It tests within a ply or two, then within ever more, until more would tell nothing new, or the
    bounds tell whether the value is at least `wanted`. The other arguments are those of `worth_of`.
    """
    known = bounds or Bounds()
    least, most, plies = low, high, 1
    while wanted is None or low < wanted <= high:
        # Won in so many plies or fewer; lost in one more or fewer if not worth the second.
        soon = [each for each in (most - plies, least + plies + 2) if low < each <= high]
        if not soon:
            break
        for asked in soon:
            low, high = _narrowed(low, high, asked, is_at_least)
            known.narrow(low, high)
        # Growing steps waste fewer tests if the end is far.
        plies += 2 * max(1, plies // 4)
    return low, high


def _narrowed(
    low: float, high: float, asked: float, is_at_least: Callable[[float], float]
) -> tuple[float, float]:
    bound = is_at_least(asked)
    return (max(low, bound), high) if bound >= asked else (low, min(high, bound))


def later(worth: float) -> float:
    """Return a value that counts plies, one ply earlier: slightly closer to 0."""
    return worth - ((worth > 0) - (worth < 0))


def split(worth: float) -> tuple[float, int | None]:
    """Return the utility and plies of a value that counts plies."""
    if worth == 0:
        return 0.0, None
    utility = float((abs(worth) + UNIT - 1) // UNIT)
    plies = int(utility * UNIT - abs(worth))
    return (utility if worth > 0 else -utility), plies
