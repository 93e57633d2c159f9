"""The compiled loops of one game, made from its kernel or loaded as machine code."""

import importlib
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from bots.compiled.native import Loop, MachineCode, compile_loop
from games.kernels import UNIT, Kernel
from games.support.kernel import Packing

SEARCH, DEEPEN, SIMULATE, KEEP, PROVE = "search", "deepen", "simulate", "keep", "prove"

PLAYING = (SEARCH, SIMULATE, KEEP)
"""The loops that bots use; every kernel has them. Kernels with `deepening` have `DEEPEN` too."""

_KINDS = {
    SEARCH: "i i i i Q2 Q1 q2 Q2 q1 i",
    DEEPEN: "q1 Q2 Q1 q1 q2 Q2 q2 q1 q1 Q2 Q2 q1",
    SIMULATE: "Q2 q2 d2 q1 d1 Q1 Q2 Q1 Q1 q1",
    KEEP: "Q2 q2 d2 q1 i i",
    PROVE: "Q2 Q1 q2 Q2 i q1",
}
"""The kinds of each loop's arguments, after the rules in all but `KEEP`."""


class KernelLoops:
    """The loops of one kernel by name, and how it packs positions.

    They come from `code`, or are compiled when first asked for.
    """

    def __init__(
        self,
        packing: Packing,
        kernel: Kernel | None = None,
        code: Mapping[str, MachineCode] | None = None,
    ) -> None:
        self.packing = packing
        self.code = dict(code or {})
        self._kernel = kernel
        self._loops: dict[str, Loop] = {}

    def loop(self, name: str) -> Loop:
        """Return a loop, ready to run."""
        if name not in self._loops:
            kinds = _KINDS[name].split()
            if name != KEEP:
                kinds.insert(0, f"w{len(self.packing.rules)}")
            if name not in self.code:
                if self._kernel is None:
                    raise KeyError(name)
                self.code[name] = _compiled(name, _parts_of(self._kernel), tuple(kinds))
            self._loops[name] = Loop(self.code[name], kinds)
        return self._loops[name]


def _parts_of(kernel: Kernel) -> Kernel:
    """Return what the machine code depends on: all boards of a game may share it."""
    helps = kernel.deepening and replace(kernel.deepening, slots=0)
    sizes = replace(kernel, rules=(), most_moves=0, evaluations=(), deepening=helps)
    return replace(sizes, pack=tuple, move_of=int)


@cache
def _compiled(name: str, kernel: Kernel, kinds: tuple[str, ...]) -> MachineCode:
    return compile_loop(_function(name, kernel), kinds)


def _function(name: str, kernel: Kernel) -> Any:
    """Return the function to compile; raise `KeyError` if the kernel lacks what it needs."""
    # These modules import numba.
    loops = importlib.import_module("bots.compiled.loops")
    simulations = importlib.import_module("bots.compiled.simulations")
    rules = (kernel.play, kernel.outcome)
    estimates = (kernel.evaluate, kernel.revise, kernel.width)
    if name == SEARCH:
        return loops.searching(kernel.moves, *rules, *estimates)
    if name == DEEPEN and (deepens := kernel.deepening):
        deepening = importlib.import_module("bots.compiled.deepening").deepening
        return deepening(
            kernel.moves, kernel.ordered or kernel.moves, *rules, *estimates[:2],
            deepens.slot, deepens.key, deepens.image, deepens.moved, deepens.null, deepens.images,
            kernel.width, deepens.words,
        )  # fmt: skip
    if name == SIMULATE:
        return simulations.simulating(
            kernel.moves, kernel.ordered or kernel.moves, *rules, *estimates
        )
    if name == KEEP:
        return simulations.keeping(kernel.width)
    if name == PROVE and (helps := kernel.solving):
        unit, step = (UNIT, 1) if helps.is_sooner_better else (1, 0)
        settle = helps.settle or loops.unsettled
        return loops.solving(
            helps.lines, settle, kernel.play, helps.outcome, helps.key, kernel.width, helps.words,
            unit, step,
        )  # fmt: skip
    raise KeyError(name)


@cache
def loops_of(kernel: Kernel) -> KernelLoops:
    """Return the loops of a kernel, compiled in this process."""
    return KernelLoops(kernel.packing, kernel)
