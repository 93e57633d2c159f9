"""Matches as totals between pairs."""

import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.ratings.result_table import PairTotal, ResultColumns

matches = st.lists(
    st.tuples(st.permutations(range(4)).map(lambda order: order[:3]), st.permutations([0, 0.5, 1]))
)


def pair_totals(
    matches: Iterable[tuple[Sequence[int], Sequence[float]]], sides: Sequence[int] = ()
) -> list[PairTotal]:
    """Add up matches, each the bots and their points by seat."""
    return ResultColumns.of([(*match, 1.0) for match in matches], sides).pair_totals()


def one_by_one(
    matches: Iterable[tuple[Sequence[int], Sequence[float]]], sides: Sequence[int]
) -> list[PairTotal]:
    """Add up the same without arrays."""
    sums: dict[tuple[int, int], list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
    for bots, scores in matches:
        if not any(scores):
            # No bot started, which says nothing of them.
            continue
        teams = sides or range(len(bots))
        seats = combinations(range(len(bots)), 2)
        opposed = [(one, other) for one, other in seats if teams[one] != teams[other]]
        for one, other in opposed:
            result = (scores[one] > scores[other]) - (scores[one] < scores[other])
            sums[bots[one], bots[other]][1 - result] += len(bots) / (2 * len(opposed))
    return [PairTotal(*pair, *sums[pair]) for pair in sorted(sums)]


def test_columns_add_up_to_the_same_totals() -> None:
    source = random.Random(4)
    matches = [
        (tuple(source.sample(range(5), 3)), tuple(source.choice([0.0, 0.5, 1.0]) for _ in range(3)))
        for _ in range(60)
    ]
    for sides in ((), (0, 1, 1)):
        found, expected = pair_totals(matches, sides), one_by_one(matches, sides)
        assert [(each.first, each.second) for each in found] == [
            (each.first, each.second) for each in expected
        ]
        for one, other in zip(found, expected, strict=True):
            assert (one.wins, one.draws, one.losses) == pytest.approx(
                (other.wins, other.draws, other.losses)
            )
    assert pair_totals([]) == []


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
