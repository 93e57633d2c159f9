"""Nash averaging of results: rings, few results, copies, the example of its page."""

import doctest
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.ratings.elo_difference import ELO_PER_LOGIT
from league.ratings.equilibrium import equilibrium
from league.ratings.fit import fit
from league.ratings.rating_system import SystemRatings
from league.ratings.result_table import ResultColumns
from league.ratings.systems.nash import Nash, log_odds
from tests.paths import DOCS

Row = tuple[tuple[int, int], tuple[float, float], int]


def beaten(first: int, second: int, wins: int, losses: int) -> list[Row]:
    """Return matches of two bots, as many with either in the first seat."""
    return [
        ((first, second), (1.0, 0.0), wins),
        ((second, first), (0.0, 1.0), wins),
        ((first, second), (0.0, 1.0), losses),
        ((second, first), (1.0, 0.0), losses),
    ]


def rated(bots: int, rows: Sequence[Row], spread: float | None = None) -> SystemRatings:
    return Nash(initial=0.0, spread=spread).rate(bots, ResultColumns.of(rows))


RING = beaten(0, 1, 45, 5) + beaten(1, 2, 45, 5) + beaten(2, 0, 45, 5)


def test_a_ring_shares_the_mix_and_its_value() -> None:
    found = rated(3, RING)
    assert found.values.tolist() == [0, 0, 0]
    assert found.shares == pytest.approx([1 / 3] * 3)
    assert found.errors is None


def test_who_loses_to_a_ring_is_below_it() -> None:
    """One who beats nobody but one of the ring by far stands below all three."""
    rows = RING + beaten(3, 0, 48, 2) + beaten(1, 3, 45, 5) + beaten(2, 3, 45, 5)
    fitted = fit(4, ResultColumns.of(rows).pair_totals()).elo
    found = rated(4, rows)
    assert found.shares is not None
    assert found.shares[3] < found.shares[:3].min()
    assert fitted[3] > fitted[0]
    assert found.values[3] <= found.values[0]


@pytest.mark.parametrize("each", [2, 50])
def test_where_no_ring_shows_values_are_the_fitted_ratings(each: int) -> None:
    # Odds of 3, 3 and 9: an order by one number, exactly.
    rows = (
        beaten(0, 1, 3 * each, each) + beaten(1, 2, 3 * each, each) + beaten(0, 2, 9 * each, each)
    )
    fitted = fit(3, ResultColumns.of(rows).pair_totals()).elo
    found = rated(3, rows)
    assert found.values == pytest.approx(fitted - fitted[0])
    assert found.shares is not None
    assert found.shares.tolist() == pytest.approx([1, 0, 0])


def test_bots_that_never_met_do_as_their_ratings_say() -> None:
    rows = RING + beaten(0, 3, 30, 20)
    totals = ResultColumns.of(rows).pair_totals()
    fitted = fit(4, totals)
    odds = ELO_PER_LOGIT * log_odds(fitted, totals, None)
    assert odds[3, 1] == pytest.approx(fitted.elo[3] - fitted.elo[1])
    assert odds[0, 1] > fitted.elo[0] - fitted.elo[1] + 200
    assert (odds == -odds.T).all()


def test_the_more_results_the_less_they_are_drawn_to_the_ratings() -> None:
    seen = ELO_PER_LOGIT * np.log(3)
    found = []
    for each in (1, 4, 16, 64, 1024):
        rows = [row for pair in ((0, 1), (1, 2), (2, 0)) for row in beaten(*pair, 3 * each, each)]
        totals = ResultColumns.of(rows).pair_totals()
        found.append(float(ELO_PER_LOGIT * log_odds(fit(3, totals), totals, None)[0, 1]))
    assert found == sorted(found)
    assert found[0] < 0.9 * seen
    assert found[-1] == pytest.approx(seen, rel=0.02)


def test_the_advantage_of_the_first_seat_is_no_deviation() -> None:
    """Each bot beats the next from the first seat, which alone decides."""
    rows: list[Row] = [((bot, (bot + 1) % 3), (1.0, 0.0), 30) for bot in range(3)]
    rows += [((bot, (bot + 1) % 3), (0.0, 1.0), 10) for bot in range(3)]
    rows += [((bot, (bot + 2) % 3), (1.0, 0.0), 30) for bot in range(3)]
    rows += [((bot, (bot + 2) % 3), (0.0, 1.0), 10) for bot in range(3)]
    totals = ResultColumns.of(rows[:6]).pair_totals()
    fitted = fit(3, ResultColumns.of(rows).pair_totals())
    assert fitted.advantage > 150
    assert np.abs(log_odds(fitted, totals, 1.0)).max() < 0.1


def test_each_pool_has_a_mix_of_its_own() -> None:
    found = rated(5, beaten(0, 1, 30, 10) + beaten(2, 3, 10, 30))
    assert found.shares is not None
    assert found.shares == pytest.approx([1, 0, 0, 1, 1])
    assert found.values[[0, 3, 4]].tolist() == [0, 0, 0]
    assert found.values[1] == pytest.approx(found.values[2])
    assert rated(0, []).values.tolist() == []


@pytest.mark.slow
@given(st.integers(0, 2**32), st.integers(0, 4), st.integers(1, 4))
def test_copies_of_a_bot_move_nobody(seed: int, bot: int, copies: int) -> None:
    """Copies play the same matches as the original, and are even with it.

    A little is left: the fitted ratings that results are drawn to do depend on who was there.
    """
    source = np.random.default_rng(seed)
    wins = np.triu(source.integers(100, 900, size=(5, 5)), 1)
    wins += np.tril(1000 - wins.T, -1)
    places = [*range(5), *[bot] * copies]
    rows = [
        row
        for one in range(len(places))
        for other in range(one)
        for won in [500 if places[one] == places[other] else wins[places[one], places[other]]]
        for row in beaten(one, other, won, 1000 - won)
    ]
    found = []
    for bots in (5, len(places)):
        totals = ResultColumns.of([row for row in rows if max(row[0]) < bots]).pair_totals()
        found.append(log_odds(fit(bots, totals), totals, 2.0))
    alone, together = found
    assert together == pytest.approx(alone[np.ix_(places, places)], abs=0.02)
    mix = np.bincount(places, equilibrium(together))
    # Nobody gains against the mix with copies either.
    assert (alone @ mix).max() < 0.03


def test_the_example_of_the_page_is_true() -> None:
    page = DOCS / "explanation" / "ratings.md"
    done = doctest.testfile(str(page), module_relative=False)
    assert done.attempted > 5
    assert not done.failed
