"""Alpha-beta over a kernel: compiled, with the same nodes as `bots.alphabeta.search`."""

from math import inf

from bots.compiled.kernel_loops import SEARCH, KernelLoops
from bots.compiled.native import INTEGER, WORD, Block
from bots.compiled.ply_layout import BEST, COUNT, ENTERING, ESTIMATE, INFINITE, NODES, SOLVED
from bots.support.bot import Clock
from bots.support.search import FREE, Exhausted, SearchBudget, SearchResult, depth_limit, depth_of
from games.support.game import Evaluation, State

LOOK_NODES = 1 << 20
"""The most nodes between two looks at the clock."""

SLICE_NODES = 1 << 24
"""The most nodes between two checks for an interrupt."""


def search(
    state: State,
    *,
    loops: KernelLoops,
    depth: int | None,
    evaluation: Evaluation,
    clock: Clock = FREE,
) -> SearchResult:
    """Return the result of `bots.alphabeta.search` in the given move order, much faster.

    `loops` are those of the game of `state`, whose kernel has the evaluation. Only a search cut
    short by time may find more.
    """
    limit = depth_limit(depth, clock.depth)
    loop, packing = loops.loop(SEARCH), loops.packing
    rows = packing.pack(state)
    first = len(rows) - 1
    trail = Block(WORD, first + limit + 1, packing.width)
    for index, row in enumerate(rows):
        trail.set_row(index, row)
    moves = Block(WORD, (limit + 1) * packing.most_moves)
    marks = Block(INTEGER, limit + 1, ESTIMATE + 1)
    marks.items[BEST] = -INFINITE
    if packing.is_revised:
        marks.items[ESTIMATE] = int(evaluation.function(state, state.to_move))
    pv = Block(WORD, limit + 2, limit + 3)
    count = Block(INTEGER, COUNT)
    count.items[NODES] = count.items[ENTERING] = count.items[SOLVED] = 1
    which = ("null", *packing.evaluations).index(evaluation.name) - 1
    budget = SearchBudget(clock, LOOK_NODES)
    scale = int(evaluation.scale)
    look: float = 0
    is_complete = False
    try:
        while not is_complete:
            nodes = count.items[NODES]
            if nodes >= look:
                look = budget.next_look(nodes)
            until = int(min(look, nodes + SLICE_NODES))
            asked = (packing.rules, scale, which, limit, first)
            is_complete = bool(loop(*asked, trail, moves, marks, pv, count, until))
    except Exhausted:
        pass
    length, *line_words = pv.row(0)
    line = tuple(packing.move_of(word) for word in line_words[:length])
    value = float(marks.items[BEST]) if line else -inf
    pv_found = line or (state.legal_moves()[0],)
    reached = depth_of(limit, pv_found) if line else 0
    is_solved = is_complete and bool(count.items[SOLVED])
    return SearchResult(
        value=value,
        nodes=count.items[NODES],
        pv=pv_found,
        depth=reached,
        is_complete=is_complete,
        is_solved=is_solved,
    )
