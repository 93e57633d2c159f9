"""Alpha-beta by its definition, and with the faults that are easily made.

A node is cut as soon as its provisional value and that of a node above it, of the other side, leave
nothing between them. No window is passed down: each node looks at all those above it, back to the
last chance node. That is slow, and unlike what is tested by it.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf

from games.support.game import CHANCE, Evaluation
from tests.bots.treegame import Node, TreeGame

Nodes = list[str]
Search = Callable[[TreeGame, str], tuple[float, Nodes]]
"""A search of a tree that cuts on 'equality' or 'strict': its value, and the nodes it made."""

FAULTS = (
    "no pruning",
    "pruning on equality where strict is asked",
    "bound not passed between two minimisers",
    "strict alternation assumed",
)


@dataclass
class Reference:
    """One search, with a fault or none."""

    game: TreeGame
    cut_on: str
    fault: str = ""
    made: Nodes = field(default_factory=list)

    def search(self) -> tuple[float, Nodes]:
        """Return the value to the root's side, and the nodes made, the root left out."""
        root = self.game.root
        return self._value(root, "root", root.seat, 0, []), self.made

    def _value(
        self,
        node: "Node | tuple[float, ...]",
        name: str,
        seat: int,
        level: int,
        above: list[tuple[int, float]],
    ) -> float:
        if not isinstance(node, Node):
            return node[seat]
        if node.seat == CHANCE:
            count = len(node.children)
            total = count * (count + 1) / 2
            mean = 0.0
            for index, child in enumerate(node.children):
                self.made.append(f"{name}.{index}")
                value = self._value(child, f"{name}.{index}", seat, level + 1, [])
                mean += (count - index) / total * value
            return mean
        kind = self._kind(node, seat, level)
        best = -kind * inf
        if self.fault == FAULTS[2] and above and kind == above[-1][0] == -1:
            above = []
        for index, child in enumerate(node.children):
            self.made.append(f"{name}.{index}")
            value = self._value(child, f"{name}.{index}", seat, level + 1, [*above, (kind, best)])
            if kind * (value - best) > 0:
                best = value
            if self._is_cut(kind, best, above):
                break
        return best

    def _kind(self, node: Node, seat: int, level: int) -> int:
        if self.fault == FAULTS[3]:
            return 1 if level % 2 == 0 else -1
        return 1 if self.game.sides[node.seat] == self.game.sides[seat] else -1

    def _is_cut(self, kind: int, best: float, above: list[tuple[int, float]]) -> bool:
        if self.fault == FAULTS[0]:
            return False
        strict = self.cut_on == "strict" and self.fault != FAULTS[1]
        gaps = [kind * (best - other) for other_kind, other in above if other_kind != kind]
        return any(gap > 0 if strict else gap >= 0 for gap in gaps)


def with_fault(fault: str) -> Search:
    """Return the reference search with a fault, '' for none."""
    return lambda game, cut_on: Reference(game, cut_on, fault).search()


def recorded(search: Callable[..., object]) -> Search:
    """Return a bot's search as one that tells the nodes it made."""

    def run(game: TreeGame, cut_on: str) -> tuple[float, Nodes]:
        game.made.clear()
        null: Evaluation = game.evaluation("null")
        found = search(game.initial(), depth=None, evaluation=null, cut_on=cut_on)
        return found.value, list(game.made)  # type: ignore[attr-defined]  # every Result has one

    return run
