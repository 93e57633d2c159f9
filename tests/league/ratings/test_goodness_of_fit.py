"""Ratings held against results: published chi-squares, known misfits, and how often it errs."""

import math
import random
from itertools import permutations

import pytest

from benchmarks.simulation import draw_totals
from league.ratings.elo_difference import Counts, expected_score, score_interval
from league.ratings.fit import fit
from league.ratings.goodness_of_fit import (
    Calibration,
    CalibrationVerdict,
    calibrate,
    chi_square_tail,
)
from league.ratings.result_table import PairTotal


def calibrated(bots: int, totals: list[PairTotal]) -> Calibration:
    return calibrate(totals, fit(bots, totals))


@pytest.mark.parametrize(
    ("chi_square", "freedom", "chance"),
    [
        # Source: the tables of NIST's Engineering Statistics Handbook, 1.3.6.7.4.
        (3.841, 1, 0.05),
        (5.991, 2, 0.05),
        (7.815, 3, 0.05),
        (18.307, 10, 0.05),
        (15.086, 5, 0.01),
        (124.342, 100, 0.05),
        (0, 3, 1),
    ],
)
def test_published_chi_squares(chi_square: float, freedom: int, chance: float) -> None:
    assert chi_square_tail(chi_square, freedom) == pytest.approx(chance, rel=2e-3)


def test_two_bots_in_one_bin() -> None:
    # 75 of 100 each way: 191 Elo, and nothing left that one number could get wrong.
    found = calibrated(2, [PairTotal(0, 1, 70, 10, 20), PairTotal(1, 0, 20, 10, 70)])
    (only,) = found.bins
    assert (only.low, only.high, only.matches) == (175, 200, 200)
    assert only.expected == pytest.approx(0.75, abs=0.003)
    assert only.actual == 0.75
    assert (only.actual_low, only.actual_high) == score_interval(Counts.of_matches(140, 40, 20))
    assert (found.by_difference, found.by_pairs) == (None, None)
    assert found.verdict is CalibrationVerdict.UNKNOWN
    (pair,) = found.pairs
    assert pair.leverage == pytest.approx(1, abs=0.02)


def test_a_ring_is_no_line() -> None:
    totals = []
    for one, other in [(0, 1), (1, 2), (2, 0)]:
        totals += [PairTotal(one, other, 15, 0, 5), PairTotal(other, one, 5, 0, 15)]
    found = calibrated(3, totals)
    assert found.by_pairs is not None
    # All are rated the same: each pair has 30 of 40 where 20 ± sqrt(10) are expected.
    assert found.by_pairs.chi_square == pytest.approx(3 * 10, rel=0.01)
    assert found.by_pairs.freedom == 1
    assert found.verdict is CalibrationVerdict.FAILS
    assert {round(abs(each.sigmas), 1) for each in found.pairs} == {round(math.sqrt(10), 1)}


def test_draws_leave_less_to_chance() -> None:
    totals = []
    for one, other in [(0, 1), (1, 2), (2, 0)]:
        totals += [PairTotal(one, other, 10, 30, 0), PairTotal(other, one, 0, 30, 10)]
    found = calibrated(3, totals)
    assert found.by_pairs is not None
    # 50 of 80 points where 40 are expected, and 180 draws of 240.
    assert found.by_pairs.chi_square == pytest.approx(3 * 10**2 / (20 * (1 - 180 / 241)), rel=0.02)


def test_the_first_seats_advantage_is_in_the_difference() -> None:
    found = calibrated(2, [PairTotal(0, 1, 70, 0, 30), PairTotal(1, 0, 70, 0, 30)])
    (only,) = found.bins
    assert only.elo == pytest.approx(147, abs=2)
    assert (only.expected, only.actual) == pytest.approx((0.7, 0.7), abs=0.003)


def test_a_curve_that_is_too_flat_is_seen() -> None:
    elo = [60.0 * bot for bot in range(8)]

    def score(difference: float) -> float:
        # Whoever is better at all wins nearly as often as who is much better.
        return 0.5 + 0.35 * math.copysign(min(1.0, abs(difference) / 80), difference)

    totals = [
        PairTotal(one, other, wins := round(200 * score(elo[one] - elo[other])), 0, 200 - wins)
        for one, other in permutations(range(8), 2)
    ]
    found = calibrated(8, totals)
    assert found.by_difference is not None
    assert found.by_difference.is_failed


def test_a_side_that_hardly_ever_scores_is_not_tested() -> None:
    found = calibrated(
        3, [PairTotal(0, 1, 400, 0, 1), PairTotal(0, 2, 10, 0, 10), PairTotal(2, 0, 10, 0, 10)]
    )
    assert [each.is_tested for each in found.bins] == [True, False]
    assert {(each.one, each.other): each.is_tested for each in found.pairs} == {
        (0, 1): False,
        (0, 2): True,
    }


@pytest.mark.parametrize("totals", [[], [PairTotal(0, 1, 0, 9, 0), PairTotal(1, 2, 0, 9, 0)]])
def test_nothing_decisive_says_nothing(totals: list[PairTotal]) -> None:
    found = calibrated(3, totals)
    assert found.verdict is not CalibrationVerdict.FAILS
    assert all(each.expected == pytest.approx(0.5) for each in found.bins)


@pytest.mark.slow
def test_it_seldom_fails_what_holds() -> None:
    source, failed, runs = random.Random(4), 0, 60
    for _ in range(runs):
        elo = [source.gauss(0, 200) for _ in range(10)]
        pairs = list(permutations(range(10), 2))
        found = calibrated(10, draw_totals(elo, pairs, 12, source=source, advantage=30))
        failed += found.verdict is CalibrationVerdict.FAILS
        assert found.verdict is not CalibrationVerdict.UNKNOWN
        for each in found.bins:
            assert each.low <= each.elo <= each.high
            assert each.expected == pytest.approx(expected_score(each.elo), abs=0.01)
    # One in twenty; seven or more of sixty would come once in thirty such tests.
    assert failed <= 7
