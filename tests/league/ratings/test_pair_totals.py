"""Matches as totals between pairs."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.ratings.pair_totals import PairTotal, pair_totals

matches = st.lists(
    st.tuples(st.permutations(range(4)).map(lambda order: order[:3]), st.permutations([0, 0.5, 1]))
)


def test_two_seats_are_counted_as_they_are() -> None:
    found = pair_totals(
        [((0, 1), (1, 0)), ((1, 0), (0.5, 0.5)), ((0, 1), (0, 1)), ((0, 1), (1, 0))]
    )
    assert found == [PairTotal(0, 1, 2, 0, 1), PairTotal(1, 0, 0, 1, 0)]
    assert [each.matches for each in found] == [3, 1]


def test_more_seats_count_once_for_each_bot() -> None:
    found = pair_totals([((5, 2, 7), (0.5, 1.0, 0.0))])
    assert found == [
        PairTotal(2, 7, 0.5, 0, 0),
        PairTotal(5, 2, 0, 0, 0.5),
        PairTotal(5, 7, 0.5, 0, 0),
    ]


def test_a_side_is_not_rated_against_itself() -> None:
    found = pair_totals([((0, 1, 2, 3), (1, 0, 0, 0))], sides=(0, 1, 1, 1))
    assert [(each.first, each.second) for each in found] == [(0, 1), (0, 2), (0, 3)]
    assert sum(each.wins for each in found) == 2


@given(matches, st.randoms(use_true_random=False))
def test_the_order_of_matches_says_nothing(
    found: list[tuple[list[int], list[float]]], source: random.Random
) -> None:
    shuffled = list(found)
    source.shuffle(shuffled)
    assert pair_totals(shuffled) == pair_totals(found)
    assert sum(each.matches for each in pair_totals(found)) == pytest.approx(1.5 * len(found))
