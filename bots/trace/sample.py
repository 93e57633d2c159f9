"""The records of a traced search: all nodes, or a sample of the important ones."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bots.trace.records import Event, TracedNode


@dataclass(frozen=True, slots=True, order=True)
class CutSize:
    """The size of a cut: it removes whole subtrees, so height counts more than the number of moves.

    `path` holds the node numbers from the root to the cut node; `first` is the negated number of
    the last, so that the earliest of equal cuts is the largest.
    """

    depth: int
    left_out: int
    first: int
    path: tuple[int, ...]


class Record:
    """The recorded part of a search."""

    def __init__(self) -> None:
        self.nodes: dict[int, TracedNode] = {}
        self.events: list[Event] = []
        self.is_full = False

    def keeps(self, node: TracedNode) -> bool:
        """Whether to record a node."""
        raise NotImplementedError

    def add(self, node: TracedNode) -> None:
        """Record a node."""
        self.nodes[node.number] = node
        if node.parent in self.nodes:
            self.nodes[node.parent].children.append(node.number)


class Everything(Record):
    """Records every node, or none once there are too many."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most

    def keeps(self, node: TracedNode) -> bool:
        """Keep it if there is room, else drop all."""
        if not self.is_full and len(self.nodes) >= self.most:
            self.is_full = True
            self.nodes.clear()
            self.events.clear()
        return not self.is_full


class Sample(Record):
    """Records nodes chosen after a first search: whole levels, single ones, children of some.

    They follow from the number of nodes per level, the best line and the largest cuts.
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
        """Keep it if it was chosen alone, by its parent or by its level."""
        return node.ply <= self.plies or node.number in self.numbers or node.parent in self.parents
