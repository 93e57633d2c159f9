"""What is kept of a traced search: everything, or a sample that shows what matters."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bots.trace.records import Event, TracedNode


@dataclass(frozen=True, slots=True, order=True)
class CutSize:
    """How much a cut left out: whole subtrees, so that height counts more than their number.

    `path` holds the numbers of the nodes from the root to the one cut off, negated `first` that of
    the last, so that of equal cuts the first is the largest.
    """

    depth: int
    left_out: int
    first: int
    path: tuple[int, ...]


class Record:
    """What is kept of a search."""

    def __init__(self) -> None:
        self.nodes: dict[int, TracedNode] = {}
        self.events: list[Event] = []
        self.is_full = False

    def keeps(self, node: TracedNode) -> bool:
        """Whether a node is to be recorded."""
        raise NotImplementedError

    def add(self, node: TracedNode) -> None:
        """Record a node."""
        self.nodes[node.number] = node
        if node.parent in self.nodes:
            self.nodes[node.parent].children.append(node.number)


class Everything(Record):
    """Keeps every node, or none once there are too many."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most

    def keeps(self, node: TracedNode) -> bool:
        """Keep it while there is room; forget all when there is none."""
        if not self.is_full and len(self.nodes) >= self.most:
            self.is_full = True
            self.nodes.clear()
            self.events.clear()
        return not self.is_full


class Sample(Record):
    """Keeps the nodes that a first search chose: whole levels, single ones, all children of some.

    They are chosen by the number of nodes on each level, the best line and the largest cuts.
    """

    def __init__(
        self, levels: Sequence[int], line: Sequence[int], cuts: Iterable[CutSize], most: int
    ) -> None:
        super().__init__()
        plies, total = 0, 1
        for ply, count in enumerate(levels[1:], 1):
            total += count
            if total > most // 2:
                break
            plies = ply
        paths = [each.path for each in cuts]
        self.plies = plies
        self.parents = {0, *line, *(path[-1] for path in paths)}
        self.numbers = {0, *line}.union(*paths)

    def keeps(self, node: TracedNode) -> bool:
        """Keep it where it was chosen, alone, by its parent or by its level."""
        return node.ply <= self.plies or node.number in self.numbers or node.parent in self.parents
