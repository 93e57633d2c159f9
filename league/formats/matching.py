"""Perfect matchings of a graph: pairs that leave no vertex out.

Source: J. Edmonds, Paths, Trees, and Flowers (1965): a matching can be enlarged if and only if
there is an augmenting path, whose edges alternate between outside and inside the matching, between
two free vertices. Odd cycles (blossoms) met during the search are shrunk to one vertex.
"""

from collections import deque
from collections.abc import Sequence, Set

FREE = -1


class Matching:
    """A maximum matching of a graph, from which pairs are taken one by one.

    `neighbours[v]` are the vertices, 0 to count - 1, that `v` can be paired with; the relation must
    be symmetric. A pair is taken only if the rest can still be fully matched.
    """

    def __init__(self, neighbours: Sequence[Set[int]]) -> None:
        self._neighbours = [set(each) for each in neighbours]
        self._mate = [FREE] * len(neighbours)
        for vertex, mate in enumerate(self._mate):
            if mate == FREE:
                self._match(vertex)

    @property
    def is_perfect(self) -> bool:
        """Whether every vertex has a mate."""
        return FREE not in self._mate

    def take(self, one: int, other: int) -> bool:
        """Remove a pair with its edges if the rest keeps a perfect matching; return whether."""
        if other not in self._neighbours[one]:
            return False
        left, right = self._mate[one], self._mate[other]
        edges = {vertex: self._neighbours[vertex] for vertex in (one, other)}
        self._cut(one, edges[one])
        self._cut(other, edges[other])
        if left == other:
            return True
        self._mate[left] = self._mate[right] = FREE
        if self._match(left):
            self._mate[one], self._mate[other] = other, one
            return True
        self._mate[left], self._mate[right] = one, other
        for vertex, neighbours in edges.items():
            self._neighbours[vertex] = neighbours
            for neighbour in neighbours:
                self._neighbours[neighbour].add(vertex)
        return False

    def _cut(self, vertex: int, neighbours: Set[int]) -> None:
        self._neighbours[vertex] = set()
        for neighbour in neighbours:
            self._neighbours[neighbour].discard(vertex)

    def _match(self, root: int) -> bool:
        """Find a mate for a free vertex, re-pairing others; return whether there is one."""
        search = _Search(self._neighbours, self._mate, root)
        end = search.free_end()
        while end != FREE:
            before = search.came_from[end]
            following = self._mate[before]
            self._mate[end], self._mate[before] = before, end
            end = following
        return self._mate[root] != FREE


class _Search:
    """A breadth-first search for an augmenting path from `root`."""

    def __init__(self, neighbours: Sequence[Set[int]], mate: Sequence[int], root: int) -> None:
        self.neighbours = neighbours
        self.mate = mate
        self.root = root
        self.came_from = [FREE] * len(mate)
        self.base = list(range(len(mate)))
        self.is_outer = [False] * len(mate)
        self.queue = deque([root])

    def free_end(self) -> int:
        """Return the free vertex at the end of the path, `FREE` if there is none."""
        self.is_outer[self.root] = True
        while self.queue:
            vertex = self.queue.popleft()
            # Sorted, so that pairs never depend on the iteration order of a set.
            for other in sorted(self.neighbours[vertex]):
                if self.base[vertex] == self.base[other] or self.mate[vertex] == other:
                    continue
                if self._is_reached_evenly(other):
                    self._shrink(vertex, other)
                elif self.came_from[other] == FREE:
                    self.came_from[other] = vertex
                    if self.mate[other] == FREE:
                        return other
                    self._reach(self.mate[other])
        return FREE

    def _is_reached_evenly(self, vertex: int) -> bool:
        if vertex == self.root:
            return True
        return self.mate[vertex] != FREE and self.came_from[self.mate[vertex]] != FREE

    def _reach(self, vertex: int) -> None:
        if not self.is_outer[vertex]:
            self.is_outer[vertex] = True
            self.queue.append(vertex)

    def _shrink(self, one: int, other: int) -> None:
        """Shrink the odd cycle closed by an edge between `one` and `other` to one vertex."""
        stem = self._meeting(one, other)
        blossom: set[int] = set()
        self._mark(one, stem, other, blossom)
        self._mark(other, stem, one, blossom)
        for vertex, base in enumerate(self.base):
            if base in blossom:
                self.base[vertex] = stem
                self._reach(vertex)

    def _meeting(self, one: int, other: int) -> int:
        """Return the last common base on the paths from the root to both."""
        passed = set()
        at = one
        while True:
            at = self.base[at]
            passed.add(at)
            if at == self.root or self.mate[at] == FREE:
                break
            at = self.came_from[self.mate[at]]
        at = self.base[other]
        while at not in passed:
            at = self.base[self.came_from[self.mate[at]]]
        return at

    def _mark(self, vertex: int, stem: int, child: int, blossom: set[int]) -> None:
        while self.base[vertex] != stem:
            blossom |= {self.base[vertex], self.base[self.mate[vertex]]}
            self.came_from[vertex] = child
            child = self.mate[vertex]
            vertex = self.came_from[child]
