"""One-factors of a graph: perfect matchings, and whether they use up all its edges.

A round robin that is played without rematches is a one-factorization of the complete graph. In a
tournament that pairs by results, each round takes a perfect matching away, and the rest must keep a
one-factorization, or somebody has a rematch before all have met.
"""

from collections.abc import Callable, Iterator, Sequence, Set
from math import ceil

from league.formats.matching import Matching

SEARCH_MAX = 20_000
"""Maximum number of pairs that a search tries."""

Graph = Sequence[Set[int]]
"""The neighbours of each vertex; the relation is symmetric."""

Pairs = Sequence[tuple[int, int]]


class MatchingSearch:
    """A search among the perfect matchings of graphs, of bounded length."""

    def __init__(self) -> None:
        self._left = SEARCH_MAX

    def matchings(
        self,
        graph: Graph,
        left: Sequence[int],
        wanted: Callable[[Sequence[int]], Sequence[int]] = lambda left: left[1:],
    ) -> Iterator[list[tuple[int, int]]]:
        """Yield the perfect matchings of the vertices that are `left`.

        The first vertex left chooses first; `wanted` returns the others in its order of preference.
        Ends early when the search has become too long.
        """
        if not left:
            yield []
            return
        one = left[0]
        for other in wanted(left):
            if other not in graph[one] or self._left <= 0:
                continue
            self._left -= 1
            rest = [each for each in left if each not in (one, other)]
            if _has_perfect_matching(graph, rest):
                for pairs in self.matchings(graph, rest, wanted):
                    yield [(one, other), *pairs]

    def can_split(self, graph: Graph) -> bool:
        """Whether the edges of a regular graph split into perfect matchings.

        True for an irregular graph, which has no such split to keep, and when the search has become
        too long.
        """
        degrees = {len(each) for each in graph}
        if len(degrees) != 1 or degrees <= {0, 1} or min(degrees) >= _dense(len(graph)):
            return True
        found = self.matchings(graph, range(len(graph)))
        return any(self.can_split(without(graph, pairs)) for pairs in found) or self._left <= 0


def without(graph: Graph, pairs: Pairs) -> list[set[int]]:
    """Return the graph without some of its edges."""
    rest = [set(each) for each in graph]
    for one, other in pairs:
        rest[one].discard(other)
        rest[other].discard(one)
    return rest


def _has_perfect_matching(graph: Graph, vertices: Sequence[int]) -> bool:
    place = {vertex: number for number, vertex in enumerate(vertices)}
    among = [{place[other] for other in graph[one] if other in place} for one in vertices]
    return Matching(among).is_perfect


def _dense(vertices: int) -> int:
    """Return the degree from which on every regular graph splits.

    Source: B. Csaba, D. Kühn, A. Lo, D. Osthus, A. Treglown, Proof of the 1-factorization and
    Hamilton decomposition conjectures (2016).
    """
    return 2 * ceil(vertices / 4) - 1
