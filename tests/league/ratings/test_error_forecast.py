"""The next encounter: what it takes off the variance, against the plain inverse."""

import random
from itertools import combinations, permutations

import numpy as np
import pytest

from benchmarks.simulation import draw_totals
from league.ratings.error_forecast import ErrorForecast
from league.ratings.fit import Ratings, fit
from league.ratings.result_table import PairTotal

ELO = [200.0, 80.0, 0.0, -100.0, -180.0]


def rated(bots: int = 5, rating: int = 5) -> tuple[Ratings, list[PairTotal]]:
    """Return ratings of `bots` bots of which the first `rating` have played."""
    found = draw_totals(ELO, list(permutations(range(rating), 2)), 10, source=random.Random(1))
    return fit(bots, found), found


def test_a_gain_is_what_the_trace_loses() -> None:
    ratings, found = rated()
    for one, other in combinations(range(5), 2):
        design = ErrorForecast(ratings, found)
        gain, before = design.gains(2)[one, other], design.trace
        design.add(one, other, 2)
        assert before - design.trace == pytest.approx(gain)
        assert gain > 0


def test_what_is_added_one_by_one_is_added_at_once() -> None:
    ratings, found = rated()
    step, leap = ErrorForecast(ratings, found), ErrorForecast(ratings, found)
    for _ in range(6):
        step.add(0, 3, 2)
    leap.add(0, 3, 12)
    assert step.trace == pytest.approx(leap.trace)
    assert np.allclose(step.gains(2), leap.gains(2))


def test_gains_are_symmetric_and_nobody_meets_itself() -> None:
    gains = ErrorForecast(*rated()).gains(2)
    assert np.allclose(gains, gains.T)
    assert np.allclose(np.diag(gains), 0)


def test_the_unknown_are_worth_most() -> None:
    gains = ErrorForecast(*rated(5, rating=4)).gains(2)
    assert gains[4, :4].min() > 3 * gains[:4, :4].max()


def test_neighbours_tell_more_than_those_far_apart() -> None:
    elo = [600.0, 300.0, 0.0, -300.0, -600.0]
    found = draw_totals(elo, list(permutations(range(5), 2)), 20, source=random.Random(1))
    gains = ErrorForecast(fit(5, found), found).gains(2)
    # Of the two at the ends least is known, and yet a match between them would tell nothing.
    assert gains[0, 1] > gains[0, 2] > gains[0, 3] > gains[0, 4]


def test_draws_make_a_match_tell_more() -> None:
    drawn = [PairTotal(0, 1, 10, 80, 10), PairTotal(1, 0, 10, 80, 10)]
    sharp = [PairTotal(0, 1, 50, 0, 50), PairTotal(1, 0, 50, 0, 50)]
    few, many = (ErrorForecast(fit(2, each), each) for each in (sharp, drawn))
    # The variance of a score between equals is a quarter of the share that is not drawn.
    assert many.trace / few.trace == pytest.approx(1 - fit(2, drawn).draw_rate, rel=0.01)
