"""Who is likely stronger, and which ranks are not separated."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.ratings.los import SURE, inseparable_groups, los_matrix, separated
from league.ratings.rating_system import SystemRatings


def test_independent_errors_add_up() -> None:
    """A gap of one standard deviation of a difference: 84%."""
    rated = SystemRatings(np.array([100.0, 0.0, 50.0]), 1.959964 * np.array([60.0, 80.0, 0.0]))
    los = los_matrix(rated, [(0, 1), (2,)])
    assert los[0, 1] == pytest.approx(0.8413, abs=1e-4)
    assert los[0, 1] + los[1, 0] == pytest.approx(1)
    assert all(math.isnan(los[place]) for place in ((0, 0), (0, 2), (2, 1)))


def test_what_two_errors_have_in_common_cancels() -> None:
    covariance = np.array([[100.0, 90.0], [90.0, 100.0]])
    values = np.array([math.sqrt(20), 0.0])
    los = los_matrix(SystemRatings(values, np.array([20.0, 20.0]), covariance), [(0, 1)])
    assert los[0, 1] == pytest.approx(0.8413, abs=1e-4)


def test_no_errors_tell_nothing() -> None:
    assert np.isnan(los_matrix(SystemRatings(np.array([1.0, 0.0])), [(0, 1)])).all()


def test_ranks_that_are_not_separated() -> None:
    values = np.array([900.0, 300.0, 40.0, 20.0, 7.0])
    rated = SystemRatings(values, np.full(5, 1.959964 * 10))
    los = los_matrix(rated, [tuple(range(5))])
    # 40 and 3 are apart by 2.6 deviations: enough for one pair, not where it is one of three.
    assert los[2, 4] > SURE
    assert inseparable_groups(separated(los)) == [(2, 3, 4)]
    assert inseparable_groups(los >= SURE) == [(2, 3), (3, 4)]
    assert inseparable_groups(separated(los)[:2, :2]) == []


def test_a_pair_between_separated_bots_is_named() -> None:
    apart = np.array([[False, True, False], [True, False, False], [False, False, False]])
    assert inseparable_groups(apart) == [(0, 2), (1, 2)]


@given(st.integers(2, 8).flatmap(lambda n: st.tuples(st.just(n), st.sets(st.integers(0, n * n)))))
def test_each_pair_that_is_not_separated_is_in_a_group(drawn: tuple[int, set[int]]) -> None:
    size, marks = drawn
    apart = np.zeros((size, size), dtype=bool)
    for mark in marks:
        one, other = mark // size % size, mark % size
        apart[one, other] = apart[other, one] = one != other
    groups = inseparable_groups(apart)
    named = {pair for group in groups for pair in combinations(group, 2)}
    assert named == {pair for pair in combinations(range(size), 2) if not apart[pair]}
    assert all(not set(one) < set(other) for one in groups for other in groups)


def test_equal_bots_are_rarely_separated_however_many() -> None:
    """Pair by pair, one league of ten equal bots in two would have a false separation."""
    source, wrong, alone = np.random.default_rng(3), 0, 0
    for _ in range(300):
        rated = SystemRatings(source.normal(0, 10, 10), np.full(10, 1.959964 * 10))
        los = los_matrix(rated, [range(10)])
        wrong += bool(separated(los).any())
        alone += bool(np.nanmax(los) >= SURE)
    assert wrong <= 0.05 * 300 + 3 * math.sqrt(300 * 0.05 * 0.95)
    assert alone > 100
