"""Fitted ratings: published numbers, what must not matter, and whether the bars cover."""

import math
import os
import random
import subprocess
import sys
from collections.abc import Iterable
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.coverage import DUELS, coverage, ring_coverage
from benchmarks.simulation import draw_totals
from league.ratings.elo_difference import expected_score
from league.ratings.fit import fit
from league.ratings.result_table import PairTotal
from tests.examples import examples, soak
from tests.simulations import runs

BOTS = 5

EASY = ("round robin of ten", "many draws")
"""The shapes in which bars are easiest to get right."""

few = examples(40, quick=10)


@st.composite
def totals(draw: st.DrawFn) -> list[PairTotal]:
    """Draw results of up to five bots, in both seats."""
    pairs = draw(st.sets(st.sampled_from(list(permutations(range(BOTS), 2)))))
    numbers = st.integers(0, 20)
    return [PairTotal(*pair, draw(numbers), draw(numbers), draw(numbers)) for pair in sorted(pairs)]


def close(one: Iterable[float], other: Iterable[float]) -> bool:
    """Whether ratings are the same but for rounding."""
    return np.allclose(np.array([*one]), np.array([*other]), rtol=1e-6, atol=1e-5)


def test_three_engines_rated_by_hand() -> None:
    """75% is 191 Elo and 90% twice that: K. Laskos, EloStat, Bayeselo and Ordo (talkchess, 2012).

    The prior takes 5 Elo off at 60 matches each, and vanishes with more.
    """
    one = [PairTotal(0, 1, 18, 9, 3), PairTotal(1, 2, 18, 9, 3), PairTotal(0, 2, 24, 6, 0)]
    assert fit(3, one, has_advantage=False).elo == pytest.approx([190.8, 0, -190.8], abs=6)
    # Without a prior, as Ordo has none: 400 log10(3), to a hundredth.
    bare = fit(3, one, has_advantage=False, prior=0).elo
    assert bare == pytest.approx([190.85, 0, -190.85], abs=0.01)
    many = [
        PairTotal(each.first, each.second, 1000 * each.wins, 1000 * each.draws, 1000 * each.losses)
        for each in one
    ]
    found = fit(3, many, has_advantage=False).elo
    assert found == pytest.approx([190.85, 0, -190.85], abs=0.01)


@few
@given(totals())
def test_everybody_scored_what_was_expected(found: list[PairTotal]) -> None:
    """What defines the likeliest ratings, added up by hand, the virtual draws included."""
    ratings = fit(BOTS, found, prior=0.5)
    played = [each for each in found if each.matches]
    matches = [
        sum(each.matches for each in played if bot in (each.first, each.second))
        for bot in range(BOTS)
    ]
    surplus = [0.0] * BOTS
    of_advantage = 0.25 - 0.5 * expected_score(ratings.advantage)
    for each in played:
        gap = float(ratings.elo[each.first] - ratings.elo[each.second])
        score = each.wins + each.draws / 2
        real = score - each.matches * expected_score(gap + ratings.advantage)
        weight = 0.25 * each.matches * (1 / matches[each.first] + 1 / matches[each.second])
        virtual = weight * (0.5 - expected_score(gap))
        of_advantage += real
        surplus[each.first] += real + virtual
        surplus[each.second] -= real + virtual
    assert surplus == pytest.approx([0] * BOTS, abs=1e-6)
    assert of_advantage == pytest.approx(0, abs=1e-6)


@few
@given(totals(), st.randoms(use_true_random=False))
def test_the_order_of_results_says_nothing(found: list[PairTotal], source: random.Random) -> None:
    shuffled = list(found)
    source.shuffle(shuffled)
    one, other = fit(BOTS, found), fit(BOTS, shuffled)
    assert close(one.elo, other.elo)
    assert close(one.error, other.error)
    order = source.sample(range(BOTS), BOTS)
    renamed = [
        PairTotal(order[each.first], order[each.second], each.wins, each.draws, each.losses)
        for each in found
    ]
    again = fit(BOTS, renamed)
    assert close(again.elo[order], one.elo)
    assert close(again.error[order], one.error)


@few
@given(totals(), st.integers(0, BOTS - 1), st.floats(-3000, 3000))
def test_the_anchor_moves_all_and_changes_no_difference(
    found: list[PairTotal], anchor: int, at: float
) -> None:
    free, tied = fit(BOTS, found), fit(BOTS, found, anchor=(anchor, at))
    assert tied.elo[anchor] == pytest.approx(at)
    assert tied.error[anchor] == pytest.approx(0, abs=1e-6)
    pool = next(pool for pool in tied.pools if anchor in pool)
    for one in pool:
        for other in pool:
            assert close(tied.difference(one, other), free.difference(one, other))
        # An error against the anchor is that of the difference from it.
        if one != anchor:
            assert tied.error[one] == pytest.approx(free.difference(one, anchor)[1], rel=1e-5)
    for each in free.pools:
        assert free.elo[list(each)].mean() == pytest.approx(0, abs=1e-6)


@few
@given(totals())
def test_mirrored_results_mirror_the_ratings(found: list[PairTotal]) -> None:
    mirrored = [
        PairTotal(each.first, each.second, each.losses, each.draws, each.wins) for each in found
    ]
    one, other = fit(BOTS, found), fit(BOTS, mirrored)
    assert close(other.elo, -one.elo)
    assert close(other.error, one.error)
    assert close([other.advantage], [-one.advantage])


@pytest.mark.slow
@few
@given(totals())
def test_swapped_seats_swap_the_advantage_alone(found: list[PairTotal]) -> None:
    swapped = [
        PairTotal(each.second, each.first, each.losses, each.draws, each.wins) for each in found
    ]
    one, other = fit(BOTS, found), fit(BOTS, swapped)
    assert close(other.elo, one.elo)
    assert close([other.advantage], [-one.advantage])
    equal = fit(BOTS, found, has_advantage=False)
    assert equal.advantage == 0
    assert close(equal.elo, fit(BOTS, swapped, has_advantage=False).elo)


@few
@given(totals())
def test_everything_known_is_finite(found: list[PairTotal]) -> None:
    ratings = fit(BOTS, found)
    met = {each.first for each in found if each.matches}
    met |= {each.second for each in found if each.matches}
    assert np.isfinite(ratings.elo).all()
    assert [bot for bot in range(BOTS) if math.isfinite(ratings.error[bot])] == sorted(met)
    assert (ratings.error > 0).all()
    assert sorted(bot for pool in ratings.pools for bot in pool) == list(range(BOTS))


def test_perfect_scores_are_finite_and_uncertain() -> None:
    found = [PairTotal(0, 1, 10, 0, 0), PairTotal(1, 0, 0, 0, 10), PairTotal(1, 2, 5, 0, 5)]
    found.append(PairTotal(2, 1, 5, 0, 5))
    gap, error = fit(3, found, prior=0.5).difference(0, 1)
    # 20 wins and less than half a draw: a score of 98.8% or more.
    assert 750 < gap < 950
    assert error > 300
    gap, error = fit(3, found).difference(0, 1)
    assert 650 < gap < 950
    assert 300 < error < gap
    longer = fit(2, [PairTotal(0, 1, 10**6, 0, 0), PairTotal(1, 0, 0, 0, 10**6)], prior=0.5)
    assert longer.difference(0, 1)[0] == pytest.approx(400 * math.log10(8e6), abs=1)


def test_pools_that_never_met_are_found() -> None:
    found = [PairTotal(0, 3, 2, 1, 1), PairTotal(1, 4, 1, 1, 1), PairTotal(4, 1, 0, 1, 1)]
    ratings = fit(6, [*found, PairTotal(3, 4, 0, 0, 0)], anchor=(3, 1500))
    assert ratings.pools == ((0, 3), (1, 4), (2,), (5,))
    assert ratings.elo[3] == 1500
    assert ratings.elo[1] + ratings.elo[4] == pytest.approx(3000)
    assert ratings.difference(0, 1)[1] == math.inf
    assert math.isfinite(ratings.difference(1, 4)[1])
    assert ratings.error[2] == math.inf


def test_draws_make_the_bars_narrower() -> None:
    def error(draws: int) -> float:
        pair = (100 - draws) // 2, draws, (100 - draws) // 2
        return float(fit(2, [PairTotal(0, 1, *pair), PairTotal(1, 0, *pair)]).error[0])

    # The variance of a score is a quarter without draws, a fifth of that with four fifths of them.
    assert error(80) / error(0) == pytest.approx(math.sqrt(0.2), rel=0.02)
    assert error(100) > 0


def test_a_few_draws_alone_do_not_prove_that_all_will_be() -> None:
    """The share of draws between equals counts one decisive match more than there were."""

    def share(wins: int, draws: int) -> float:
        return fit(2, [PairTotal(0, 1, wins, draws, wins)], has_advantage=False).draw_rate

    assert share(0, 2) == pytest.approx(2 / 3)
    assert share(0, 99) == pytest.approx(99 / 100)
    assert share(3, 4) == pytest.approx(4 / 11)
    assert share(3, 0) == 0


def test_the_advantage_of_the_first_seat_is_found() -> None:
    elo = [150.0, 50.0, 0.0, -200.0]
    pairs = list(permutations(range(4), 2))
    found = draw_totals(elo, pairs, 500, source=random.Random(3), advantage=60)
    ratings = fit(4, found)
    assert abs(ratings.advantage - 60) < ratings.advantage_error < 20
    assert abs(ratings.draw_rate - 0.3) < 0.03


def test_results_of_nobody_are_refused() -> None:
    with pytest.raises(ValueError, match="beyond the 2"):
        fit(2, [PairTotal(0, 2, 1, 0, 0)])
    with pytest.raises(ValueError, match="anchor 2 is none of the 2"):
        fit(2, [], anchor=(2, 0))
    assert fit(0, []).pools == ()


@pytest.mark.slow
@pytest.mark.parametrize(
    "shape", [*(each for each in DUELS if each not in EASY), "ring", *soak(*EASY)]
)
def test_bars_cover_the_truth_in_all_shapes(shape: str) -> None:
    drawn = runs(1500, 500)
    found = ring_coverage(drawn, seed=2) if shape == "ring" else coverage(shape, drawn, seed=2)
    assert 0.93 <= found <= 0.97


@pytest.mark.slow
def test_two_hundred_bots_take_well_under_a_third_of_a_second() -> None:
    """By processor time, with one thread, after a first fit."""
    code = (
        "import random, time\n"
        "from itertools import permutations\n"
        "from league.ratings.fit import fit\n"
        "from league.ratings.result_table import PairTotal\n"
        "draw = random.Random(1).randrange\n"
        "pairs = list(permutations(range(200), 2))\n"
        "totals = [PairTotal(*pair, draw(3), draw(3), draw(3)) for pair in pairs]\n"
        "fit(2, totals[:1])\n"
        "begin = time.process_time()\n"
        "fit(200, totals)\n"
        "print(time.process_time() - begin)\n"
    )
    one_thread = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    run = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | one_thread,
        capture_output=True,
        text=True,
        check=True,
    )
    assert float(run.stdout) < 0.3
