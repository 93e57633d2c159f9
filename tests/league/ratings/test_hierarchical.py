"""Ratings with an estimated prior: bars that hold however pairs were chosen."""

import random
from itertools import permutations

import numpy as np
import pytest

from benchmarks.coverage import Kind, format_coverage
from benchmarks.simulation import draw_totals
from league.ratings.fit import fit
from league.ratings.result_table import PairTotal
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
    ("name", "bots", "pool", "draw_rate"),
    [
        *(("swiss", 16, pool, 0.3) for pool in ("equal", "normal, 150", "normal, 400")),
        ("swiss", 30, "equal", 0.0),
        ("ladder", 12, "equal", 0.3),
        ("roundrobin", 12, "normal, 150", 0.3),
        ("knockout", 16, "normal, 400", 0.3),
        ("adaptive", 8, "equal", 0.0),
        *soak(("adaptive", 12, "equal", 0.0)),
    ],
)
def test_bars_hold_where_results_choose_the_pairs(
    name: str, bots: int, pool: str, draw_rate: float
) -> None:
    # The likelihood alone: 73% and 24% in the first of these.
    found = format_coverage(Kind(name, pool, bots, draw_rate), 60, seed=1)
    assert found.mean > 0.92
    assert found.apart < 0.07
    assert found.leader > 0.85


@pytest.mark.slow
@pytest.mark.parametrize("name", ["roundrobin", "gauntlet", "ladder"])
@pytest.mark.parametrize("pool", ["one outlier, 300", "two outliers, 600"])
def test_bars_hold_for_a_bot_far_from_all_others(name: str, pool: str) -> None:
    """With a normal prior: 8 to 30% in round robins of thirty."""
    found = format_coverage(Kind(name, pool, 16, 0.3, longer=2), 60, seed=2)
    assert found.mean > 0.93
    # Four standard deviations of sixty draws below 93%.
    assert min(found.strongest, found.weakest) > 0.8


def test_a_bot_that_is_ahead_of_equals_keeps_its_lead() -> None:
    """Thirty bots, ten matches a pair: the best scores 90% against each, which is 382 Elo."""
    scores = {True: (4, 1, 0), False: (2, 1, 2)}
    totals = [
        PairTotal(one, two, *(scores[one == 0] if two else scores[True][::-1]))
        for one, two in permutations(range(30), 2)
    ]
    lead, bar = fit(30, totals).difference(0, 1)
    assert lead == pytest.approx(375, abs=4)
    assert 40 < bar < 75
