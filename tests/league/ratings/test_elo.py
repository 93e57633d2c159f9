"""Elo in the numbers of the package `elo` 0.1.1."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.ratings.elo import BETA, INITIAL, K_FACTOR, Elo
from league.ratings.systems.elo import LiveElo

ratings = st.floats(0, 4000)


def test_the_packages_numbers() -> None:
    system = Elo()
    assert (K_FACTOR, BETA, INITIAL) == (10, 200, 1200)
    assert system.rate_1vs1(800, 1200) == pytest.approx((809.0909, 1190.9091), abs=1e-4)
    assert system.expect(1200, 1600) == pytest.approx(0.0909091, abs=1e-7)


def test_a_draw_moves_the_lower_up() -> None:
    assert Elo().rate_1vs1(800, 1200, drawn=True) == pytest.approx((804.0909, 1195.9091), abs=1e-4)


@given(ratings, ratings, st.sampled_from([0.0, 0.5, 1.0]))
def test_what_one_wins_the_other_loses(one: float, two: float, score: float) -> None:
    system = Elo()
    assert system.expect(one, two) + system.expect(two, one) == pytest.approx(1)
    assert sum(system.rate(one, two, score)) == pytest.approx(one + two)


@given(st.lists(st.tuples(st.sampled_from([(1, 2), (2, 1), (1, 3)]), st.booleans()), max_size=30))
def test_live_elo_of_two_seats_is_the_package_in_order(
    results: list[tuple[tuple[int, int], bool]],
) -> None:
    system, expected = Elo(), {1: INITIAL, 2: INITIAL, 3: INITIAL}
    for (first, second), is_drawn in results:
        expected[first], expected[second] = system.rate_1vs1(
            expected[first], expected[second], is_drawn
        )
    live = LiveElo().start()
    for pair, is_drawn in results:
        live.take(pair, (0.5, 0.5) if is_drawn else (1.0, 0.0))
    for version, rating in expected.items():
        assert live.rated([version]).values == pytest.approx([rating])


def test_three_seats_share_the_stakes() -> None:
    live = LiveElo().start()
    live.take((1, 2, 3), (1.0, 0.5, 0.0))
    assert live.rated([1, 2, 3]).values == pytest.approx([1205, 1200, 1195])
