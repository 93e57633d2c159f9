"""Compiled Monte Carlo tree search: the results of `bots.mcts.bot.search`, many times sooner."""

import random
from array import array
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import reduce
from math import inf
from typing import Any

from bots.compiled.kernel_loops import KEEP, SIMULATE, KernelLoops
from bots.compiled.native import INTEGER, REAL, WORD, Block
from bots.compiled.search import LOOK_NODES
from bots.compiled.tree_layout import (
    CHILDREN,
    DEEPEST,
    DEPTH,
    DONE,
    END,
    ESTIMATE,
    EXHAUSTED,
    FACTOR,
    FIRST,
    FLOATS,
    FULL,
    GREATEST,
    GREEDY,
    HIGH,
    HISTORY,
    LAST,
    LAST_LIVE,
    LEAST,
    LIMIT,
    LINKS,
    LIVE,
    LOW,
    MEAN,
    MOST,
    MOVES,
    NEXT,
    NEXT_LIVE,
    NODES,
    NUMBERS,
    PLIES,
    ROOM,
    SEAT,
    STATS,
    UNTIL,
    USED,
    VISITS,
    WHICH,
)
from bots.mcts.playouts import GREEDY as GREEDY_KIND
from bots.mcts.playouts import Rollout
from bots.mcts.result import MctsResult, verdict_of
from bots.mcts.tree import FIND_MAX
from bots.support.bot import Clock
from bots.support.search import Exhausted, SearchBudget
from games.support.game import Evaluation, Move, State

ROWS = 1 << 18
"""Nodes for which a tree has address space at first; larger ones are copied as they grow."""

PATH = 1 << 8
"""Plies of a path for which there is memory at first."""

_NEVER = 1 << 62


@dataclass(frozen=True, slots=True)
class Plan:
    """The plan of simulations: their number, the size of the tree, and the steps of each."""

    simulations: float
    exploration: float
    rollout: Rollout
    room: int


class CompiledTree:
    """A tree in arrays, its root at `root`; see `bots.compiled.tree_layout`.

    After `keep`, the tree is moved to the front by `find`: that takes milliseconds, which an answer
    at the deadline has not.
    """

    def __init__(
        self, loops: KernelLoops, root: State, evaluation: Evaluation, has_solver: bool
    ) -> None:
        self._loops, self._packing, self.root = loops, loops.packing, root
        self._evaluation = evaluation
        self._positions = Block(WORD, ROWS, self._packing.width + 1, large_pages=False)
        self._links = Block(INTEGER, ROWS, LINKS, large_pages=False)
        self._stats = Block(REAL, ROWS, STATS, large_pages=False)
        self._row = 0
        self._numbers = Block(INTEGER, NUMBERS)
        self._floats = Block(REAL, FLOATS)
        self._source = Block(WORD, 625)
        self._moves = Block(WORD, 2 * self._packing.most_moves)
        self._path = Block(INTEGER, PATH)
        most = root.game.utility_bounds[1]
        floats = self._floats.items
        floats[MOST] = most
        floats[LEAST], floats[GREATEST] = (-most, most) if has_solver else (-inf, inf)
        which = ("null", *self._packing.evaluations).index(evaluation.name) - 1
        self._numbers.items[WHICH], self._numbers.items[USED] = which, 1
        self._plant()

    def _plant(self) -> None:
        """Fill the root's row."""
        self._positions.set_row(0, self._packing.pack(self.root)[-1])
        row = [0] * LINKS
        for column in (MOVES, FIRST, LAST, NEXT, LIVE, LAST_LIVE, NEXT_LIVE):
            row[column] = -1
        row[SEAT] = self.root.to_move
        if self._packing.is_revised and self._numbers.items[WHICH] >= 0:
            row[ESTIMATE] = int(self._evaluation.function(self.root, self.root.to_move))
        self._links.set_row(0, row)
        self._stats.set_row(0, (0.0, inf, self._floats.items[LEAST], self._floats.items[GREATEST]))

    def grow(self, plan: Plan, source: random.Random, clock: Clock) -> MctsResult:
        """Simulate until a limit is reached or the root is proven."""
        numbers, kept = self._numbers.items, self._link(0, VISITS)
        plies = plan.rollout.plies_for(self._evaluation)
        numbers[END] = _least(kept + plan.simulations)
        numbers[LIMIT] = _least(clock.nodes)
        numbers[DEPTH] = _least(clock.depth)
        numbers[ROOM], numbers[PLIES] = plan.room, plies
        numbers[GREEDY] = plan.rollout.kind == GREEDY_KIND
        numbers[NODES], numbers[DEEPEST] = 1, 0
        self._floats.items[FACTOR] = plan.exploration * 2 * self._floats.items[MOST]
        rows = self._packing.pack(self.root)
        numbers[HISTORY] = len(rows) - 1
        version, words, rest = source.getstate()
        self._source.items[:] = memoryview(array(WORD, words))
        # The loop itself counts nodes.
        budget = SearchBudget(replace(clock, nodes=None), LOOK_NODES)
        is_complete = self._simulate(rows, plies, budget)
        source.setstate((version, tuple(self._source.items.tolist()), rest))
        return self._found(kept, is_complete)

    def _simulate(self, rows: Any, plies: int, budget: SearchBudget) -> bool:
        """Run the loop until it is done; tell whether no limit ended it before."""
        simulate, numbers = self._loops.loop(SIMULATE), self._numbers.items
        played = Block(WORD, plies + 1)
        trail = self._trail(rows, plies)
        reason = FULL
        try:
            while True:
                if reason == FULL:
                    self._enlarge()
                    trail = self._trail(rows, plies)
                numbers[UNTIL] = int(min(_NEVER, budget.next_look(numbers[NODES])))
                reason = simulate(
                    self._packing.rules, self._positions, self._links, self._stats, self._numbers,
                    self._floats, self._source, trail, self._moves, played, self._path,
                )  # fmt: skip
                if reason in (DONE, EXHAUSTED):
                    return reason == DONE
        except Exhausted:
            return False

    def _trail(self, rows: Any, plies: int) -> Block:
        trail = Block(WORD, len(rows) + self._path.shape[0] + plies + 1, self._packing.width)
        for index, row in enumerate(rows):
            trail.set_row(index, row)
        return trail

    def _enlarge(self) -> None:
        """Double what is full."""
        numbers = self._numbers.items
        rows = self._links.shape[0]
        if rows <= numbers[USED] < numbers[ROOM]:
            rows = min(2 * rows, numbers[ROOM])
            self._positions = self._positions.grown(rows)
            self._links, self._stats = self._links.grown(rows), self._stats.grown(rows)
        if numbers[DEEPEST] + 2 >= self._path.shape[0]:
            self._path = Block(INTEGER, 2 * self._path.shape[0])

    def _found(self, kept: int, is_complete: bool) -> MctsResult:
        line = self._line()
        numbers, root = self._numbers.items, self.root
        if line:
            moves = tuple(self._move(node) for node in line)
            value = self._stat(line[0], MEAN)
        else:
            moves, value = (self._first_move(),), -inf
        low, high = self._stat(0, LOW), self._stat(0, HIGH)
        is_solved = low == high
        proven = low if root.to_move == 0 else -low
        return MctsResult(
            value=value * self._evaluation.scale,
            nodes=numbers[NODES],
            pv=moves,
            depth=numbers[DEEPEST],
            is_complete=is_complete,
            is_solved=is_solved,
            simulations=self._link(0, VISITS) - kept,
            kept=kept,
            verdict=verdict_of(proven, 0, root.game) if is_solved else "",
        )

    def _first_move(self) -> Move:
        """Return the answer without an explored move that does not lose."""
        tried, moves = self._link(0, CHILDREN), self.root.legal_moves()
        return self.root.order(moves)[tried] if 0 < tried < len(moves) else moves[0]

    def _line(self) -> list[int]:
        """Return the most visited line below the root."""
        line: list[int] = []
        node = self._favourite(0)
        while node is not None:
            line.append(node)
            node = self._favourite(node)
        return line

    def _favourite(self, node: int) -> int | None:
        """Return the child that `UctNode.favourite` returns."""
        live = list(self._chain(node, LIVE, NEXT_LIVE))
        if not live and self._link(node, CHILDREN) < self._link(node, MOVES):
            return None
        children = live or self._children(node)
        return max(children, key=self._rank, default=None)

    def _rank(self, node: int) -> tuple[int, float]:
        return self._link(node, VISITS), self._stat(node, MEAN)

    def _children(self, node: int) -> Iterator[int]:
        return self._chain(node, FIRST, NEXT)

    def _chain(self, node: int, first: int, following: int) -> Iterator[int]:
        child = self._link(node, first)
        while child >= 0:
            yield child
            child = self._link(child, following)

    def find(self, state: State) -> bool:
        """Make a position the root if it is in the tree; tell whether it is."""
        if state.game != self.root.game:
            return False
        width = self._packing.board_words or self._packing.width
        packed = list(self._packing.pack(state)[-1][:width])
        queue: deque[tuple[int, tuple[Move, ...]]] = deque([(self._row, ())])
        for _ in range(FIND_MAX):
            if not queue:
                return False
            node, moves = queue.popleft()
            if self._positions.row(node)[:width] == packed:
                # The words do not always tell who moves, and which positions came before.
                here = reduce(lambda position, move: position.play(move), moves, self.root)
                if here.to_move == state.to_move and here.key() == state.key():
                    self._root_at(node, here)
                    return True
            queue.extend((each, (*moves, self._move(each))) for each in self._children(node))
        return False

    def keep(self, move: Move) -> bool:
        """Make the position after a move the root; tell whether it was in the tree."""
        for child in self._children(0):
            if self._move(child) == move:
                self._row, self.root = child, self.root.play(move)
                return True
        return False

    def _root_at(self, node: int, state: State) -> None:
        self.root, self._row = state, 0
        if node:
            keep, used = self._loops.loop(KEEP), self._numbers.items[USED]
            places = Block(INTEGER, self._links.shape[0])
            self._numbers.items[USED] = keep(
                self._positions, self._links, self._stats, places, node, used
            )

    def _link(self, node: int, column: int) -> int:
        found: int = self._links.items[node * LINKS + column]
        return found

    def _stat(self, node: int, column: int) -> float:
        found: float = self._stats.items[node * STATS + column]
        return found

    def _move(self, node: int) -> Move:
        width = self._packing.width
        return self._packing.move_of(self._positions.items[node * (width + 1) + width])


def _least(limit: float | None) -> int:
    return int(min(_NEVER, limit)) if limit is not None else _NEVER
