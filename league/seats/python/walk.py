"""The tree that a bot's search walks, seen from its calls of `play`."""

from typing import Any

from games.support.game import Move, State
from league.seats.python.disguise import disguise, disguised

KEPT_MAX = 200_000
"""The most positions that are kept; more are counted, but not placed in the tree."""

TOLD_MAX = 2_000
"""The most nodes that are told: the ones nearest to the root."""


class _Node:
    """A position of the tree, by its first state; `calls` counts how often it was played."""

    __slots__ = ("calls", "made", "move", "parent", "ply", "state")

    def __init__(self, parent: int, ply: int, move: Move, state: State) -> None:
        self.parent = parent
        self.ply = ply
        self.move = move
        self.state = state
        self.calls = 0
        self.made = 0


class Walker:
    """Counts the positions that `play` makes, from one position on.

    Calls with the same move in the same node are one node of the tree, with its number of calls.
    """

    def __init__(self) -> None:
        self._kinds: dict[type, type] = {}

    def begin(self, root: State) -> None:
        """Watch the search from this position."""
        self._calls = 0
        self._nodes = [_Node(-1, 0, None, root)]
        self._children: dict[tuple[int, Move], int] = {}
        # By identity, for which the states must stay alive: equal positions are different nodes.
        self._numbers = {id(root): 0}
        self._kept = [root]
        self._watch(root)

    def told(self) -> dict[str, Any]:
        """Return the counts, and the nodes nearest to the root: [parent, move, mover, ...]."""
        nodes = self._nodes
        for node in reversed(nodes):
            node.made += node.calls
            if node.parent >= 0:
                nodes[node.parent].made += node.made
        order = sorted(range(len(nodes)), key=lambda number: nodes[number].ply)[:TOLD_MAX]
        place = {number: index for index, number in enumerate(order)}
        return {
            "nodes": 1 + self._calls,
            "plies": max(node.ply for node in nodes),
            "is_whole": len(self._kept) == 1 + self._calls,
            "tree": [self._row(nodes[number], place) for number in order],
        }

    def _row(self, node: _Node, place: dict[int, int]) -> list[object]:
        text = self._nodes[node.parent].state.text(node.move) if node.parent >= 0 else ""
        outcome, mover = node.state.outcome(), node.state.to_move
        worth = None if outcome is None else float(outcome[self._nodes[0].state.to_move])
        return [place.get(node.parent, -1), text, mover, node.calls, node.made, worth]

    def _watch(self, state: State) -> None:
        kind = type(state)
        if kind not in self._kinds:
            self._kinds[kind] = made = self._watched(kind)
            self._kinds[made] = made
        if not disguise(state, self._kinds[kind]):
            self._kinds[kind] = kind

    def _watched(self, kind: Any) -> type:
        def play(state: Any, move: Move) -> Any:
            child = kind.play(state, move)
            self._note(state, move, child)
            return child

        return disguised(kind, play=play)

    def _note(self, state: State, move: Move, child: State) -> None:
        self._calls += 1
        parent = self._numbers.get(id(state))
        if parent is None or len(self._kept) >= KEPT_MAX:
            return
        number = self._children.setdefault((parent, move), len(self._nodes))
        if number == len(self._nodes):
            self._nodes.append(_Node(parent, self._nodes[parent].ply + 1, move, child))
        self._nodes[number].calls += 1
        self._numbers[id(child)] = number
        self._kept.append(child)
        self._watch(child)
