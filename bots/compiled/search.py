"""Alpha-beta over a kernel: compiled, with the same nodes as `bots.alphabeta.search`."""

from functools import cache
from math import inf
from typing import Any

import numpy as np

from bots.compiled.digest import digest_of
from bots.compiled.loops import (
    BEST,
    DIGEST,
    ENTERING,
    ESTIMATE,
    INFINITE,
    NODES,
    SOLVED,
    searching,
)
from bots.support.bot import Clock
from bots.support.search import FREE, Exhausted, SearchBudget, SearchResult, depth_limit, depth_of
from games.kernels import Kernel
from games.support.game import Evaluation, State

LOOK_NODES = 1 << 20
"""The most nodes between two looks at the clock."""

SLICE_NODES = 1 << 24
"""The most nodes between two checks for an interrupt."""


def search(
    state: State,
    *,
    kernel: Kernel,
    depth: int | None,
    evaluation: Evaluation,
    clock: Clock = FREE,
) -> SearchResult:
    """Return the result of `bots.alphabeta.search` in the given move order, much faster.

    `kernel` is that of the game of `state`, and has the evaluation. Only a search cut short by time
    may find more.
    """
    limit = depth_limit(depth, clock.depth)
    loop = loop_of(kernel)
    trail_rows = kernel.pack(state)
    first = len(trail_rows) - 1
    trail = np.zeros((first + limit + 1, kernel.width), np.uint64)
    trail[: first + 1] = trail_rows
    moves = np.zeros((limit + 1) * kernel.most_moves, np.uint64)
    marks = np.zeros((limit + 1, ESTIMATE + 1), np.int64)
    marks[0, BEST] = -INFINITE
    if kernel.revise is not None:
        marks[0, ESTIMATE] = int(evaluation.function(state, state.to_move))
    pv = np.zeros((limit + 2, limit + 3), np.uint64)
    count = np.zeros(DIGEST + 1, np.int64)
    count[NODES], count[ENTERING], count[SOLVED] = 1, 1, 1
    which = ("null", *kernel.evaluations).index(evaluation.name) - 1
    budget = SearchBudget(clock, LOOK_NODES)
    scale = int(evaluation.scale)
    look: float = 0
    is_complete = False
    try:
        while not is_complete:
            nodes = int(count[NODES])
            if nodes >= look:
                look = budget.next_look(nodes)
            until = int(min(look, nodes + SLICE_NODES))
            is_complete = loop(
                kernel.rules, scale, which, limit, first, trail, moves, marks, pv, count, until
            )
    except Exhausted:
        pass
    line = tuple(kernel.move_of(int(word)) for word in pv[0, 1 : 1 + int(pv[0, 0])])
    value = float(marks[0, BEST]) if line else -inf
    pv_found = line or (state.legal_moves()[0],)
    reached = depth_of(limit, pv_found) if line else 0
    is_solved = is_complete and bool(count[SOLVED])
    return SearchResult(
        value=value,
        nodes=int(count[NODES]),
        pv=pv_found,
        depth=reached,
        is_complete=is_complete,
        is_solved=is_solved,
    )


def loop_of(kernel: Kernel) -> Any:
    """Return the compiled loop, which numba compiles or loads on its first call."""
    functions = (kernel.moves, kernel.play, kernel.outcome, kernel.evaluate, kernel.revise)
    return _loop(*functions, kernel.width, digest_of(kernel))


@cache
def _loop(*constants: Any) -> Any:
    return searching(*constants)
