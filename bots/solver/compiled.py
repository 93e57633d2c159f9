"""The compiled solver: the search of `bots.solver.pure` over a kernel."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from bots.compiled.digest import digest_of
from bots.compiled.loops import BEST, BETA, DIGEST, ENTERING, HIGH, NODES, solving, unsettled
from bots.compiled.search import LOOK_NODES, SLICE_NODES
from bots.solver.worth import Bounds, Solution, split, worth_of
from bots.support.bot import Clock
from bots.support.search import DEPTH_MAX, FREE, SearchBudget
from games.kernels import UNIT, Kernel, Solving
from games.support.game import State

TABLE_BITS = 21
"""The binary logarithm of the number of slots in the table."""

_WORD = 64


class CompiledSolver:
    """A loop and its table; newer positions replace older ones in the same slot."""

    def __init__(self, kernel: Kernel, helps: Solving, utility_bounds: tuple[float, float]) -> None:
        self._kernel = kernel
        self.unit = UNIT if helps.is_sooner_better else 1
        self._bounds = utility_bounds
        self._prove = _loop_of(kernel, helps)
        self._shift = np.uint64(_WORD - TABLE_BITS)
        self._keys = np.zeros((1 << TABLE_BITS, helps.words), np.uint64)
        self._values = np.zeros((1 << TABLE_BITS, 2), np.int64)
        self._trail = np.zeros((DEPTH_MAX + 1, kernel.width), np.uint64)
        self._moves = np.zeros((DEPTH_MAX + 1) * kernel.most_moves, np.uint64)
        self._marks = np.zeros((DEPTH_MAX + 1, HIGH + 1), np.int64)
        self._count = np.zeros(DIGEST + 1, np.int64)

    def solve(self, state: State, clock: Clock = FREE, bounds: Bounds | None = None) -> Solution:
        """Return what `state` is worth."""
        outcome = state.outcome()
        if outcome is not None:
            return Solution(outcome[state.to_move], 0, 1, is_compiled=True)
        is_at_least = self._asker(state, SearchBudget(clock, LOOK_NODES))
        low, high = (int(bound) * self.unit for bound in self._bounds)
        bounds = bounds or Bounds()
        bounds.unit = self.unit
        worth = worth_of(low, high, is_at_least, bounds)
        utility, plies = split(worth) if self.unit > 1 else (float(worth), None)
        return Solution(utility, plies, int(self._count[NODES]), is_compiled=True)

    def is_worth(self, state: State, worth: float, clock: Clock = FREE) -> bool:
        """Tell whether `state` is worth at least `worth`."""
        return self._asker(state, SearchBudget(clock, LOOK_NODES))(worth) >= worth

    def _asker(self, state: State, budget: SearchBudget) -> Callable[[float], float]:
        """Return the bounding function that `worth_of` needs, counting nodes from 1."""
        (position,) = self._kernel.pack(state)
        self._count[NODES] = 1
        look: float = 0

        def is_at_least(asked: float) -> float:
            nonlocal look
            self._trail[0] = position
            self._marks[0] = 0
            self._marks[0, BETA] = int(asked)
            self._count[1:] = 0
            self._count[ENTERING] = 1
            is_done = False
            while not is_done:
                nodes = int(self._count[NODES])
                if nodes >= look:
                    look = budget.next_look(nodes)
                is_done = self._run(int(min(look, nodes + SLICE_NODES)))
            return int(self._marks[0, BEST])

        return is_at_least

    def _run(self, until: int) -> bool:
        done: bool = self._prove(
            self._kernel.rules,
            self._trail,
            self._moves,
            self._marks,
            self._keys,
            self._values,
            self._shift,
            self._count,
            until,
        )
        return done


def _loop_of(kernel: Kernel, helps: Solving) -> Any:
    unit, step = (UNIT, 1) if helps.is_sooner_better else (1, 0)
    functions = (helps.lines, helps.settle or unsettled, kernel.play, helps.outcome, helps.key)
    return _loop(*functions, kernel.width, helps.words, unit, step, digest_of(kernel))


@cache
def _loop(*constants: Any) -> Any:
    return solving(*constants)
