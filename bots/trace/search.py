"""Minimax and alpha-beta with a record of every step.

Value, move and nodes are those of `bots.minimax.search` and `bots.alphabeta.search`, many times
slower. Sources: C. Shannon, Programming a Computer for Playing Chess (1950); D. Knuth and R. Moore,
An Analysis of Alpha-Beta Pruning (1975).
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heappush, heappushpop
from math import inf

from bots.support.search import (
    DEPTH_MAX,
    FREE,
    Exhausted,
    SearchBudget,
    deepen_stack,
    depth_limit,
    estimate_of,
    order_of,
    sides_of,
)
from bots.trace.records import Count, Cut, Event, Kind, SearchSetting, Step, Trace, TracedNode
from bots.trace.sample import CutSize, Everything, Record, Sample
from games.support.game import CHANCE, Move, State, texts_of

METHODS = ("minimax", "alphabeta")

RECORDED_MAX = 100_000
"""Maximum number of recorded nodes; a larger search is sampled."""

COUNTED_MAX = 2_000_000
"""Maximum number of minimax's nodes to count before giving up."""

LARGEST_KEPT = 200
"""Number of the largest cuts that a sample keeps."""


def trace(
    state: State,
    setting: SearchSetting,
    *,
    recorded_max: int = RECORDED_MAX,
    counted_max: int = COUNTED_MAX,
    nodes_max: int | None = None,
    until_s: float = inf,
) -> Trace:
    """Search `state` as `setting` says and return the record.

    Seats of the other sides minimise, consecutive ones under one bound; chance nodes have their
    expected value, their children a full window. If there are more than `recorded_max` nodes, the
    best line with its siblings, the largest cuts, and as many whole levels as fit are recorded.
    Minimax's nodes are counted up to `counted_max`. Raises `Exhausted` if the search makes more
    than `nodes_max` nodes, or runs until `time.monotonic()` is `until_s`, which also ends counting.
    """
    deepen_stack()
    search = _Search(state, setting, Everything(recorded_max), nodes_max, until_s)
    root = search.run()
    if search.record.is_full:
        # Searches are deterministic: now that the sample is known, record it in a second run.
        sizes = search.largest_cuts()
        sample = Sample(search.levels, root.line, sizes, recorded_max)
        search = _Search(state, setting, sample, nodes_max, until_s)
        root = search.run()
    record = search.record
    if setting.method == "minimax":
        minimax = Count(search.nodes)
    else:
        minimax = count_nodes(state, setting.depth, counted_max, until_s)
    return Trace(
        root=state,
        setting=setting,
        value=root.value,
        move=search.move,
        nodes=search.nodes,
        minimax=minimax,
        pv=tuple(record.nodes[number] for number in root.line),
        recorded=record.nodes,
        events=tuple(record.events),
        cuts=search.cuts,
        cascades=search.cascades,
        left_out=search.left_out,
        largest=tuple(each.path[-1] for each in search.largest_cuts()),
    )


def count_nodes(state: State, depth: int | None, most: int, until_s: float = inf) -> Count:
    """Count minimax's nodes from `state`, root included, up to about `most` or until `until_s`."""
    nodes = 1

    def count(state: State, depth: int) -> None:
        """Add the nodes below an unfinished position."""
        nonlocal nodes
        is_luck = state.to_move == CHANCE
        moves = [move for move, _ in state.chance()] if is_luck else state.legal_moves()
        nodes += len(moves)
        if nodes > most or time.monotonic() >= until_s:
            raise Exhausted
        if depth > 1:
            for move in moves:
                child = state.play(move)
                if child.outcome() is None:
                    count(child, depth - 1)

    try:
        count(state, depth_limit(depth))
    except Exhausted:
        return Count(min(most, nodes), is_exact=False)
    return Count(nodes)


@dataclass(frozen=True, slots=True)
class _Bound:
    """One end of a window, and which child of which node set it."""

    value: float
    ancestor: int = -1
    setter: int = -1
    line: tuple[Move, ...] = ()


_LOW, _HIGH = _Bound(-inf), _Bound(inf)


class _Search:
    def __init__(
        self,
        root: State,
        setting: SearchSetting,
        record: Record,
        nodes_max: int | None,
        until_s: float,
    ) -> None:
        self.root = root
        self.record = record
        self.seat, self.mine = root.to_move, sides_of(root)
        self.scale = setting.evaluation.scale
        self.estimate = estimate_of(setting.evaluation)
        self.sort = order_of(setting.order, setting.evaluation, SearchBudget(FREE))
        self.cuts_off = setting.method == "alphabeta"
        self.is_strict = setting.cut_on == "strict"
        self.limit = depth_limit(setting.depth)
        self.nodes_max = inf if nodes_max is None else nodes_max
        self.until_s = until_s
        self.nodes = 1
        self.cuts = self.cascades = self.left_out = 0
        self.levels = [1] + [0] * min(self.limit, DEPTH_MAX)
        self.move: Move = None
        self.moves: list[Move] = []
        self.path: list[int] = []
        self.sizes: list[CutSize] = []
        self.lines: dict[int, tuple[str, ...]] = {}

    def run(self) -> TracedNode:
        root = TracedNode(
            number=0,
            parent=-1,
            ply=0,
            move=None,
            text="",
            mover=self.seat,
            depth=self.limit,
            alpha=-inf,
            beta=inf,
        )
        self.record.keeps(root)
        self.record.add(root)
        self.tell(Step.ENTER, root, 0)
        self.search(self.root, root, _LOW, _HIGH)
        return root

    def largest_cuts(self) -> list[CutSize]:
        found = sorted(self.sizes, reverse=True)
        return [each for each in found if self.record.is_full or each.path[-1] in self.record.nodes]

    def search(self, state: State, node: TracedNode, alpha: _Bound, beta: _Bound) -> None:
        """Find the value and its kind for an unfinished position."""
        is_max = self.mine[state.to_move]
        moves: Sequence[Move] = state.legal_moves()
        if self.sort is not None:
            moves = self.sort(state, moves)
        node.value = -inf if is_max else inf
        self.path.append(node.number)
        children = []
        for index, move in enumerate(moves):
            child = self.child(state, node, move, alpha, beta)
            children.append(child)
            if not (child.value > node.value if is_max else child.value < node.value):
                continue
            node.value = child.value
            if self.is_past(child.value, beta if is_max else alpha, is_max):
                self.cut(state, node, child, moves[index + 1 :], beta if is_max else alpha)
                break
            is_raised = child.value > alpha.value if is_max else child.value < beta.value
            if not is_raised:
                self.tell(Step.BEST, node, child.value)
                continue
            node.line = (child.number, *child.line)
            if node.number == 0:
                self.move = move
            if self.cuts_off:
                line = (*self.moves, move)
                bound = _Bound(child.value, node.number, child.number, line)
                alpha, beta = (bound, beta) if is_max else (alpha, bound)
            step = (Step.ALPHA if is_max else Step.BETA) if self.cuts_off else Step.BEST
            self.tell(step, node, child.value)
        _judge(node, children, is_max)
        self.path.pop()
        self.leave(node)

    def is_past(self, value: float, bound: _Bound, is_max: bool) -> bool:
        """Whether a value cuts at the bound of the other side."""
        if not self.cuts_off:
            return False
        if value == bound.value:
            return not self.is_strict
        return value > bound.value if is_max else value < bound.value

    def cut(
        self, state: State, node: TracedNode, child: TracedNode, left: Sequence[Move], bound: _Bound
    ) -> None:
        is_cascade = child.was_cut and self.mine[child.mover] == self.mine[node.mover]
        # After the last move nothing is left to cut, but the bound may cut further above.
        node.was_cut = bool(left) or is_cascade
        if not left:
            return
        self.cuts += 1
        self.cascades += is_cascade
        self.left_out += len(left)
        size = CutSize(node.depth, len(left), -node.number, tuple(self.path))
        if len(self.sizes) < LARGEST_KEPT:
            heappush(self.sizes, size)
        else:
            heappushpop(self.sizes, size)
        if node.number in self.record.nodes:
            side = Step.BETA if self.mine[node.mover] else Step.ALPHA
            node.cut = Cut(
                bound=side,
                limit=bound.value,
                ancestor=bound.ancestor,
                setter=bound.setter,
                setter_line=self.written(bound),
                trigger=child.number,
                left_out=tuple(state.text(move) for move in left),
                is_cascade=is_cascade,
            )
            self.tell(Step.CUT, node, child.value)

    def written(self, bound: _Bound) -> tuple[str, ...]:
        """Return the texts of the moves to the place where a bound was set."""
        if bound.setter not in self.lines:
            self.lines[bound.setter] = texts_of(self.root, bound.line)
        return self.lines[bound.setter]

    def mean(self, state: State, node: TracedNode) -> None:
        self.path.append(node.number)
        total: float = 0
        children = []
        for move, probability in state.chance():
            child = self.child(state, node, move, _LOW, _HIGH, probability)
            children.append(child)
            total += probability * child.value
        node.value = total
        node.is_floor = all(child.is_floor for child in children)
        node.is_ceiling = all(child.is_ceiling for child in children)
        self.path.pop()
        self.leave(node)

    def child(
        self,
        state: State,
        parent: TracedNode,
        move: Move,
        alpha: _Bound,
        beta: _Bound,
        probability: float | None = None,
    ) -> TracedNode:
        if self.nodes >= self.nodes_max or time.monotonic() >= self.until_s:
            raise Exhausted
        below = state.play(move)
        depth = parent.depth - 1
        node = TracedNode(
            number=self.nodes,
            parent=parent.number,
            ply=parent.ply + 1,
            move=move,
            text="",
            mover=below.to_move,
            depth=depth,
            alpha=alpha.value,
            beta=beta.value,
            probability=probability,
        )
        self.nodes += 1
        self.levels[node.ply] += 1
        if self.record.keeps(node):
            node.text = state.text(move)
            self.record.add(node)
        if self.is_leaf(below, node):
            self.tell(Step.LEAF, node, node.value)
            return node
        self.tell(Step.ENTER, node, 0)
        self.moves.append(move)
        if below.to_move == CHANCE:
            self.mean(below, node)
        else:
            self.search(below, node, alpha, beta)
        self.moves.pop()
        return node

    def is_leaf(self, state: State, node: TracedNode) -> bool:
        """Tell whether nothing is searched below, and set the leaf's value."""
        outcome = state.outcome()
        if outcome is not None:
            node.leaf, node.value = Kind.UTILITY, outcome[self.seat] * self.scale
            return True
        if node.depth == 0:
            node.leaf = Kind.ESTIMATE
            node.value = self.estimate(state, self.seat) if self.estimate else 0
            return True
        return False

    def leave(self, node: TracedNode) -> None:
        node.made = self.nodes - node.number
        self.tell(Step.LEAVE, node, node.value)

    def tell(self, step: Step, node: TracedNode, value: float) -> None:
        if node.number in self.record.nodes:
            self.record.events.append(
                Event(
                    step=step,
                    node=node.number,
                    value=value,
                    made=self.nodes,
                    left_out=self.left_out,
                )
            )


def _judge(node: TracedNode, children: Sequence[TracedNode], is_max: bool) -> None:
    """Set whether a node's value so far is exact or a bound of the minimax value."""
    best = [child for child in children if child.value == node.value]
    is_whole = not node.was_cut
    if is_max:
        node.is_floor = any(child.is_floor for child in best)
        node.is_ceiling = is_whole and all(child.is_ceiling for child in children)
    else:
        node.is_ceiling = any(child.is_ceiling for child in best)
        node.is_floor = is_whole and all(child.is_floor for child in children)
