"""The best bot: how sure it is, and the contenders that meet to find it."""

import math
import random
from collections import Counter

import numpy as np
import pytest

from benchmarks.best_bot import Pool, tally
from league.ratings.best_bot import LEAD, TopTwo, best_bot
from league.ratings.fit import comparisons
from league.ratings.likelihood import Comparisons
from league.ratings.result_table import PairTotal
from tests.examples import soak


def apart(wins: int, losses: int) -> Comparisons:
    """Return the results of two bots: how often the second has won and lost in each seat."""
    return comparisons(2, [PairTotal(0, 1, losses, 0, wins), PairTotal(1, 0, wins, 0, losses)])


def totals(bots: int, wins: int, losses: int) -> list[PairTotal]:
    """Return a round robin in which every bot beats those after it so often in each seat."""
    pairs = [(one, other) for one in range(bots) for other in range(bots) if one != other]
    return [
        PairTotal(one, other, *((wins, 0, losses) if one < other else (losses, 0, wins)))
        for one, other in pairs
    ]


@pytest.mark.parametrize(("wins", "losses"), [(30, 20), (8, 4), (400, 350)])
def test_the_evidence_is_a_likelihood_ratio_averaged_over_leads(wins: int, losses: int) -> None:
    found = best_bot(apart(wins, losses), (0, 1))
    leads = np.linspace(0, 8 * LEAD, 100_001)
    prior = np.exp(-((leads / LEAD) ** 2) / 2) * 2 / (LEAD * math.sqrt(2 * math.pi))
    # Between equals, a match has the variance 1/4.
    surplus, information = wins - losses, (wins + losses) / 2
    ratios = np.exp(surplus * leads - information * leads**2 / 2)
    expected = math.log(float(np.trapezoid(prior * ratios, leads)))
    assert (found.bot, found.rival) == (1, 0)
    assert found.evidence == pytest.approx(expected, rel=0.05)
    likely = 1 - math.exp(-expected)
    assert found.probability == pytest.approx(likely if likely > 0.5 else 0, abs=0.03)


def test_twelve_wins_of_twelve_are_enough() -> None:
    assert (
        best_bot(apart(5, 0), (0, 1)).probability < 0.95 < best_bot(apart(6, 0), (0, 1)).probability
    )


def test_draws_tell_that_results_scatter_less() -> None:
    def drawn(draws: int) -> Comparisons:
        each = (15, draws, 5)
        return comparisons(2, [PairTotal(0, 1, *each), PairTotal(1, 0, *each[::-1])])

    few, many = (best_bot(drawn(draws), (0, 1)).evidence for draws in (0, 200))
    # Both are 20 wins ahead, with many draws by less.
    assert few > many > few - 1.5


@pytest.mark.slow
def test_equal_bots_are_told_apart_once_in_ten_times_however_often_one_looks() -> None:
    source = random.Random(1)
    false = 0
    for _ in range(40):
        counts = {True: 0, False: 0}
        for matches in range(1, 401):
            counts[source.random() < 0.5] += 1
            if matches % 16 == 0:
                rows = comparisons(
                    2, [PairTotal(0, 1, counts[True], 0, counts[False])], has_advantage=False
                )
                if best_bot(rows, (0, 1)).probability >= 0.95:
                    false += 1
                    break
    # Either of the two, once in twenty times at most.
    assert false <= 4


def test_the_closest_rival_decides() -> None:
    rows = comparisons(6, totals(6, 60, 30))
    found = best_bot(rows, range(6))
    assert found.bot == 0
    assert found.evidence == min(best_bot(rows, (0, each)).evidence for each in range(1, 6))
    assert best_bot(rows, (3, 5)).bot == 3


def test_without_matches_between_them_no_bot_is_the_best() -> None:
    assert best_bot(comparisons(3, []), range(3)).probability == 0
    wins, losses = (50, 0, 0), (0, 0, 50)
    pairs = [(0, 1, wins), (1, 0, losses), (2, 3, losses), (3, 2, wins)]
    rows = comparisons(4, [PairTotal(one, other, *each) for one, other, each in pairs])
    assert best_bot(rows, range(4)).probability == 0
    assert best_bot(rows, (0, 1)).probability > 0.99


def contenders(bots: int, results: list[PairTotal]) -> Counter[int]:
    """Count who is drawn in a thousand matches, in a pool that ends with its lowest positions."""
    top = TopTwo(comparisons(bots, results), range(bots)[::-1])
    source = random.Random(3)
    return Counter(bot for _ in range(1000) for bot in top.draw(2, source))


def test_the_likeliest_best_bots_meet() -> None:
    drawn = contenders(6, totals(6, 30, 20))
    assert drawn[0] + drawn[1] > 1500
    assert drawn[5] < 20


def test_everybody_meets_when_nothing_is_known() -> None:
    drawn = contenders(6, [])
    assert min(drawn.values()) > 100


def test_a_newcomer_is_drawn() -> None:
    assert contenders(7, totals(6, 300, 200))[6] > 300


def test_three_seats_get_three_bots() -> None:
    top = TopTwo(comparisons(5, []), range(5))
    drawn = top.draw(3, random.Random(1))
    assert len(set(drawn)) == 3


@pytest.mark.slow
@pytest.mark.parametrize("pool", [*soak(Pool(3, 20, 0.0, step=0)), Pool(8, 50, 0.4)])
def test_at_most_one_champion_in_twenty_is_wrong(pool: Pool) -> None:
    """A small version of benchmarks/best_bot.py."""
    found = tally(pool, range(40), limit=2000)
    assert found.wrong <= 0.05


@pytest.mark.slow
def test_the_best_bot_is_found_with_fewer_matches_than_in_a_round_robin() -> None:
    pool, seeds = Pool(8, 50, 0.0), range(10)
    chosen = tally(pool, seeds, limit=10_000)
    plain = tally(pool, seeds, limit=10_000, is_adaptive=False)
    assert chosen.wrong == plain.wrong == 0
    assert chosen.matches < 0.7 * plain.matches
