"""Minimax and alpha-beta without recursion, by an explicit list of open nodes.

The form of older textbooks. The list holds the open nodes, the next one first. Opening a node gives
it a provisional value, the worst for the seat to move, and puts its children at the front of the
list. A finished node leaves the list and may improve its parent's value.

Source: N. Nilsson, Problem-Solving Methods in Artificial Intelligence (1971), for provisional
backed-up values; the cut is that of D. Knuth and R. Moore (1975), a node's bound being the best
provisional value above it.
"""

import operator
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import repeat
from math import inf
from typing import Unpack

from bots.support.search import CUTS, DepthSearch, SearchRequest, SearchResult
from bots.support.search_bot import OrderedBot
from games.support.game import CHANCE, Move, State
from games.support.options import option

METHODS = ("alphabeta", "minimax")

_MAX, _MIN, _MEAN = 1, -1, 0

_CUTS = {"equality": operator.ge, "strict": operator.gt}
"""Whether a value cuts, given its excess over another one, and 0."""


def search(
    state: State,
    *,
    method: str = "alphabeta",
    order: str = "given",
    cut_on: str = "equality",
    **asked: Unpack[SearchRequest],
) -> SearchResult:
    """Return the value of `state` for the seat to move and its first best move.

    Makes the same nodes in the same order as `bots.minimax` or `bots.alphabeta`; the arguments are
    theirs.
    """
    cuts = None if method == "minimax" else _CUTS[cut_on]
    return _NodeList(state, order=order, cuts=cuts, **asked).result()


class _Node:
    """A node of the list: its parent and move, and once opened its position and value.

    `kind` is the chooser. A chance node sums its children's weighted values.
    """

    __slots__ = ("children", "depth", "father", "kind", "line", "move", "state", "value", "weight")

    def __init__(self, father: "_Node | None", move: Move, depth: int, weight: float) -> None:
        self.father = father
        self.move = move
        self.depth = depth
        self.weight = weight
        self.state: State | None = None
        self.kind = _MEAN
        self.value: float = 0
        self.children = 0
        self.line: tuple[Move, ...] = ()


class _NodeList(DepthSearch):
    """One search, with the list of open nodes."""

    def __init__(
        self,
        root: State,
        *,
        order: str,
        cuts: Callable[[float, float], bool] | None,
        **asked: Unpack[SearchRequest],
    ) -> None:
        super().__init__(root, order=order, **asked)
        self.cuts = cuts
        # The front is the end of the Python list, where appending is fast.
        self.open: list[_Node] = []

    def run(self) -> None:
        order = self.order
        self._expand(_Node(None, None, self.limit, 1), self.root, self.first)
        while self.open:
            node = self.open[-1]
            if node.state is not None:
                # Opened, and first again: all its children are finished.
                self.open.pop()
                self._hand_up(node)
                continue
            child = self._make(node)
            if child is None:
                self.open.pop()
                self._hand_up(node)
            else:
                moves = child.legal_moves()
                is_sorted = order is not None and child.to_move != CHANCE
                self._expand(node, child, order(child, moves) if is_sorted and order else moves)

    def _make(self, node: _Node) -> State | None:
        """Play a node's move and return the position to open, None for a leaf."""
        if self.nodes >= self.look:
            self.look = self.budget.next_look(self.nodes)
        child: State = node.father.state.play(node.move)  # type: ignore[union-attr]  # opened
        self.nodes += 1
        outcome = child.outcome()
        if outcome is not None:
            node.value = outcome[self.seat] * self.scale
            return None
        if node.depth > 0:
            return child
        self.is_solved = False
        node.value = self.estimate(child, self.seat) if self.estimate else 0
        return None

    def _expand(self, node: _Node, state: State, moves: Sequence[Move]) -> None:
        """Open a node: give it its provisional value and put its children in front."""
        node.state = state
        weights: Iterable[float] = repeat(1)
        if state.to_move == CHANCE:
            self.is_solved = False
            weights = (weight for _, weight in state.chance())
        else:
            node.kind = _MAX if self.mine[state.to_move] else _MIN
            node.value = -node.kind * inf
        below = node.depth - 1
        children = [
            _Node(node, move, below, weight) for move, weight in zip(moves, weights, strict=False)
        ]
        node.children = len(children)
        self.open.extend(reversed(children))

    def _hand_up(self, node: _Node) -> None:
        """Improve the parent's value by a finished node's; cut the parent if possible."""
        father = node.father
        if father is None:
            return
        father.children -= 1
        if father.kind == _MEAN:
            father.value += node.weight * node.value
            return
        if (node.value - father.value) * father.kind <= 0:
            return
        father.value = node.value
        father.line = (node.move, *node.line)
        if father.father is None:
            self.value = node.value
            self.lines[-1] = father.line
        elif self.cuts is not None and self._is_cut(father, self.cuts):
            del self.open[len(self.open) - father.children :]
            father.children = 0

    def _is_cut(self, node: _Node, cuts: Callable[[float, float], bool]) -> bool:
        """Whether a node above, of the other side, already has a good enough value.

        Stops at a chance node, which needs exact values.
        """
        above = node.father
        while above is not None and above.kind != _MEAN:
            gap = (node.value - above.value) * node.kind
            if above.kind != node.kind and cuts(gap, 0):
                return True
            above = above.father
        return False


@dataclass
class NodeList(OrderedBot):
    """Searches by an explicit list of nodes, without recursion."""

    depth: int | None = option(4, help="plies to search; none is to the end", low=1)
    method: str = option("alphabeta", help="with cuts or without", choices=METHODS)
    cut_on: str = option(
        "equality", help="when a value cuts: at the bound or past it", choices=CUTS
    )

    def find(self, state: State, asked: SearchRequest) -> SearchResult:
        """Search by the list."""
        return search(state, **asked, method=self.method, order=self.order, cut_on=self.cut_on)


BOT = NodeList
