"""Errors of matches of three seats and more, whose pairs hang together."""

import random

import numpy as np
import pytest

from benchmarks.coverage import coverage_of_many
from league.ratings.fit import fit
from league.ratings.result_table import ResultColumns
from tests.examples import soak
from tests.simulations import runs


def test_for_two_seats_whole_matches_say_what_pairs_say() -> None:
    source = random.Random(1)
    rows = []
    for _ in range(2000):
        bots = source.sample(range(4), 2)
        scores = source.choice([(1, 0), (0.5, 0.5), (0, 1)])
        rows.append((bots, scores, 1))
    results = ResultColumns.of(rows)
    by_pairs = fit(4, results.pair_totals(), has_advantage=False)
    whole = fit(4, results.pair_totals(), has_advantage=False, matches=results)
    assert whole.elo == pytest.approx(by_pairs.elo, rel=1e-4)
    assert whole.error == pytest.approx(by_pairs.error, rel=0.02)


def test_perfect_scores_keep_wide_bars() -> None:
    rows = [((0, 1, 2), (1.0, 0.5, 0.0), 5), ((0, 2, 1), (1.0, 0.5, 0.0), 5)]
    results = ResultColumns.of(rows)
    found = fit(3, results.pair_totals(), has_advantage=False, matches=results)
    gap, error = found.difference(0, 1)
    assert np.isfinite(found.elo).all()
    assert gap > error > 150


@pytest.mark.slow
@pytest.mark.parametrize("shape", ["three seats, few matches", *soak("three seats", "four seats")])
def test_bars_cover_the_truth_in_all_shapes(shape: str) -> None:
    # As if pairs were independent, 99% would be covered.
    assert 0.93 <= coverage_of_many(shape, "normal, 150", runs(1500, 500), seed=2).mean <= 0.97
