"""Intervals of scores: what is known of them by hand, and whether they cover."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.ratings.elo_difference import BAR, Counts, difference, expected_score, score_interval


def test_wilsons_interval_by_hand() -> None:
    """81 of 263 is 25.5% to 36.6%: R. Newcombe, Two-sided confidence intervals (1998), method 3.

    The part of a draw that is added makes it narrower in the fourth digit.
    """
    low, high = score_interval(Counts.of_matches(81, 182, 0))
    assert (low, high) == pytest.approx((0.2553, 0.3662), abs=3e-4)


def test_it_is_what_the_difference_says_where_there_are_many_matches() -> None:
    counts = Counts.of_encounters(332, 433, 457, 41, 333, 334)
    found = difference(counts)
    low, high = score_interval(counts)
    assert low == pytest.approx(expected_score(found.elo - found.elo_error), abs=2e-4)
    assert high == pytest.approx(expected_score(found.elo + found.elo_error), abs=2e-4)


@given(st.lists(st.integers(0, 50), min_size=3, max_size=5).filter(lambda found: len(found) != 4))
def test_it_is_within_the_points_and_turns_with_the_sides(numbers: list[int]) -> None:
    if not sum(numbers):
        with pytest.raises(ValueError, match="no matches"):
            score_interval(Counts(tuple(numbers)))
        return
    low, high = score_interval(Counts(tuple(numbers)))
    assert 0 <= low < high <= 1
    turned = score_interval(Counts(tuple(reversed(numbers))))
    assert (1 - high, 1 - low) == pytest.approx(turned)


@pytest.mark.parametrize("numbers", [(0, 0, 4), (0, 4, 0), (0, 0, 0, 1, 0), (0, 0, 4, 0, 0)])
def test_a_few_equal_results_leave_much_open(numbers: tuple[int, ...]) -> None:
    low, high = score_interval(Counts(numbers))
    assert high - low > 0.25


@pytest.mark.parametrize(
    "chances",
    [(0.5, 0, 0.5), (0.05, 0.1, 0.85), (0.1, 0.2, 0.4, 0.2, 0.1), (0, 0.05, 0.1, 0.25, 0.6)],
)
def test_it_covers(chances: tuple[float, ...]) -> None:
    source = random.Random(5)
    true = sum(chance * score for score, chance in enumerate(chances)) / (len(chances) - 1)
    covered = 0
    for _ in range(400):
        drawn = source.choices(range(len(chances)), chances, k=20)
        low, high = score_interval(Counts(tuple(map(drawn.count, range(len(chances))))))
        covered += low <= true <= high
    assert covered >= 400 * 0.92
    assert pytest.approx(1.96, abs=0.001) == BAR
