"""Who is likely stronger, and which ranks are not separated."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.ratings.los import SURE, inseparable_runs, los_matrix
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


def test_runs_of_ranks_that_overlap() -> None:
    values = np.array([0.0, 300.0, 20.0, 40.0, 900.0])
    rated = SystemRatings(values, np.full(5, 1.959964 * 10))
    los = los_matrix(rated, [tuple(range(5))])
    # 40 and 20 are apart by 1.4 deviations, as 20 and 0 are; 40 and 0 by 2.8.
    assert inseparable_runs(los, [4, 1, 3, 2, 0]) == [(2, 3), (3, 4)]
    assert inseparable_runs(los, [4, 1]) == []
    assert inseparable_runs(los, [4]) == []


@given(st.lists(st.integers(0, 100), min_size=1, max_size=9), st.integers(1, 30))
def test_a_run_is_all_of_its_kind_and_cannot_be_longer(numbers: list[int], error: int) -> None:
    values = np.array(sorted(numbers, reverse=True), dtype=np.float64)
    los = los_matrix(
        SystemRatings(values, np.full(len(values), float(error))), [range(len(values))]
    )
    runs = inseparable_runs(los, range(len(values)))

    def is_one(first: int, last: int) -> bool:
        ranks = range(first, last + 1)
        return all(not los[one, other] >= SURE for one in ranks for other in ranks if one < other)

    for first in range(len(values)):
        for last in range(first + 1, len(values)):
            is_longest = (first == 0 or not is_one(first - 1, last)) and (
                last + 1 == len(values) or not is_one(first, last + 1)
            )
            assert ((first, last) in runs) == (is_one(first, last) and is_longest)
