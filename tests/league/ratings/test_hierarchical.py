"""Ratings with an estimated prior: bars that hold however pairs were chosen."""

import random

import numpy as np
import pytest

from benchmarks.coverage import format_coverage
from benchmarks.simulation import draw_totals
from league.ratings.fit import fit
from tests.examples import soak


def test_few_matches_of_equal_bots_spread_little() -> None:
    """Sixty bots in 104 matches: the likeliest ratings reached 3728 Elo."""
    source = random.Random(4)
    pairs = [tuple(source.sample(range(60), 2)) for _ in range(52)]
    found = draw_totals([0.0] * 60, [(one, two) for one, two in pairs], 2, source=source)
    ratings = fit(60, found)
    met = np.isfinite(ratings.error)
    assert np.ptp(ratings.elo[met]) < 1500
    assert (ratings.error[met] < 1000).all()
    points, matches = np.zeros(60), np.zeros(60)
    for each in found:
        for bot, wins in ((each.first, each.wins), (each.second, each.losses)):
            points[bot] += wins + each.draws / 2
            matches[bot] += each.matches
    share = points[met] / matches[met]
    elo = ratings.elo[met]
    assert elo[share == 0].max() < elo[share >= 0.75].min()


def test_more_matches_outweigh_the_prior() -> None:
    elo = [300.0, 100.0, -100.0, -300.0]
    pairs = [(one, two) for one in range(4) for two in range(4) if one != two]
    found = draw_totals(elo, pairs, 2000, source=random.Random(1))
    estimated, bare = fit(4, found), fit(4, found, prior=0)
    assert estimated.elo == pytest.approx(bare.elo, abs=1)
    assert estimated.error == pytest.approx(bare.error, rel=0.05)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "bots", "spread", "draw_rate"),
    [
        *(("swiss", 16, spread, 0.4) for spread in (0.0, 150.0, 400.0)),
        ("swiss", 32, 0.0, 0.0),
        ("ladder", 12, 0.0, 0.4),
        ("roundrobin", 12, 150.0, 0.4),
        ("knockout", 16, 400.0, 0.4),
        ("adaptive", 8, 0.0, 0.0),
        *soak(("adaptive", 12, 0.0, 0.0)),
    ],
)
def test_bars_hold_where_results_choose_the_pairs(
    name: str, bots: int, spread: float, draw_rate: float
) -> None:
    # The likelihood alone: 73% and 24% in the first of these.
    within, apart = format_coverage(name, bots, spread, draw_rate, 60, seed=1)
    assert within > 0.92
    assert apart < 0.07
