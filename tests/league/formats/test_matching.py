"""Perfect matchings, against trying everything."""

import random
from collections.abc import Sequence, Set
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from league.formats.matching import Matching


@st.composite
def graphs(draw: st.DrawFn) -> list[set[int]]:
    """Draw graphs of an even number of vertices, as the neighbours of each."""
    count = 2 * draw(st.integers(1, 5))
    edges = draw(st.sets(st.sampled_from(list(combinations(range(count), 2)))))
    neighbours: list[set[int]] = [set() for _ in range(count)]
    for one, other in edges:
        neighbours[one].add(other)
        neighbours[other].add(one)
    return neighbours


def can_be_matched(neighbours: Sequence[Set[int]], left: frozenset[int]) -> bool:
    """Whether those left can all be paired, by trying everything."""
    if not left:
        return True
    one = min(left)
    return any(can_be_matched(neighbours, left - {one, other}) for other in neighbours[one] & left)


@given(graphs(), st.randoms(use_true_random=False))
def test_a_pair_is_taken_where_the_rest_can_be_paired(
    neighbours: list[set[int]], source: random.Random
) -> None:
    left = frozenset(range(len(neighbours)))
    matching = Matching(neighbours)
    assert matching.is_perfect == can_be_matched(neighbours, left)
    while matching.is_perfect and left:
        one, other = source.sample(sorted(left), 2)
        rest = left - {one, other}
        expected = other in neighbours[one] and can_be_matched(neighbours, rest)
        assert matching.take(one, other) == expected
        left = rest if expected else left


def test_an_odd_cycle_is_seen_through() -> None:
    # A triangle with a tail at each of two corners: the first edge found of it is a wrong one.
    neighbours: list[set[int]] = [{1, 2, 3}, {0, 2}, {0, 1, 4}, {0, 5}, {2}, {3}]
    matching = Matching(neighbours)
    assert not matching.take(0, 3)
    assert matching.take(0, 1)
