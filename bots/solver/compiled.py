"""The compiled solver: the search of `bots.solver.pure` over a kernel."""

from array import array
from collections.abc import Callable

from bots.compiled.kernel_loops import PROVE, KernelLoops
from bots.compiled.native import INTEGER, WORD, Block
from bots.compiled.ply_layout import BEST, BETA, COUNT, ENTERING, HIGH, NODES, PLY, UNTIL
from bots.compiled.search import LOOK_NODES, SLICE_NODES
from bots.solver.worth import Bounds, Solution, split, worth_of
from bots.support.bot import Clock
from bots.support.search import DEPTH_MAX, FREE, SearchBudget
from games.kernels import UNIT
from games.support.game import State

SMALL_BITS, LARGE_BITS = 17, 21
"""Binary logarithms of the number of slots in the table, at first and for long searches.

A small table stays in the processor's cache, and most positions need no more.
"""

GROWING_NODES = 1 << 19
"""The nodes of one position after which the table is the large one, empty again."""

_WORD = 64
_NO_MARKS = memoryview(array(INTEGER, [0] * (HIGH + 1)))


class CompiledSolver:
    """A loop and its table; newer positions replace older ones in the same slot."""

    def __init__(self, loops: KernelLoops, utility_bounds: tuple[float, float]) -> None:
        packing = loops.packing
        self._pack = packing.pack
        self.unit = UNIT if packing.is_sooner_better else 1
        self._bounds = utility_bounds
        self._trail = Block(WORD, DEPTH_MAX + 1, packing.width)
        self._moves = Block(WORD, (DEPTH_MAX + 1) * packing.most_moves)
        self._marks, self._count = Block(INTEGER, DEPTH_MAX + 1, HIGH + 1), Block(INTEGER, COUNT)
        self._loops = loops
        self._is_large = False
        self._prove = self._with_table(SMALL_BITS)

    def _with_table(self, bits: int) -> Callable[[], int]:
        """Return the loop with an empty table."""
        packing = self._loops.packing
        table = Block(WORD, 1 << bits, packing.key_words + 1)
        return self._loops.loop(PROVE).bound(
            packing.rules, self._trail, self._moves, self._marks, table, _WORD - bits, self._count
        )

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
        return Solution(utility, plies, self._count.items[NODES], is_compiled=True)

    def is_worth(self, state: State, worth: float, clock: Clock = FREE) -> bool:
        """Tell whether `state` is worth at least `worth`."""
        return self._asker(state, SearchBudget(clock, LOOK_NODES))(worth) >= worth

    def _asker(self, state: State, budget: SearchBudget) -> Callable[[float], float]:
        """Return the bounding function that `worth_of` needs, counting nodes from 1."""
        (position,) = self._pack(state)
        count, marks = self._count.items, self._marks.items
        count[NODES] = 1
        look: float = 0

        def is_at_least(asked: float) -> float:
            nonlocal look
            self._trail.set_row(0, position)
            # A new line begins in the first row, with no move before it.
            marks[: HIGH + 1] = _NO_MARKS
            marks[BETA] = int(asked)
            count[PLY], count[ENTERING] = 0, 1
            is_done = False
            while not is_done:
                nodes = count[NODES]
                if nodes >= look:
                    look = budget.next_look(nodes)
                if nodes >= GROWING_NODES and not self._is_large:
                    self._is_large, self._prove = True, self._with_table(LARGE_BITS)
                until = nodes + SLICE_NODES if self._is_large else GROWING_NODES
                count[UNTIL] = int(min(look, until))
                is_done = bool(self._prove())
            found: int = marks[BEST]
            return found

        return is_at_least
