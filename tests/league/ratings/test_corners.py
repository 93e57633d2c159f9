"""Likelihoods and intervals of few or equal results, against exact binomial sums."""

import math
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from league.ratings.elo_difference import Counts, difference, elo_of, score_interval
from league.ratings.sprt import Sprt
from league.ratings.sprt_estimate import SprtEstimate

few = st.integers(0, 12)
quick = settings(max_examples=15)
WIDE = 1e-3
"""The distance of two hypotheses that no result tells apart, so that there is no stopping."""

hypotheses = st.tuples(st.integers(-2000, 1900), st.integers(1, 2000))


def tail(trials: int, least: int, chance: float) -> float:
    """Return the probability of at least so many of so many trials."""
    return sum(
        math.comb(trials, each) * chance**each * (1 - chance) ** (trials - each)
        for each in range(least, trials + 1)
    )


def exact_superiority(wins: int, losses: int) -> float:
    """Return the sign test's probability of fewer wins, with half of that of as many (mid-p)."""
    whole = wins + losses
    weights = [math.comb(whole, each) for each in range(whole + 1)]
    return float(Fraction(2 * sum(weights[:wins]) + weights[wins], 2 * 2**whole))


def alike(kinds: int, place: int, number: int) -> Counts:
    """Return counts of one result alone."""
    return Counts(tuple(number if each == place else 0 for each in range(kinds)))


def estimates(counts: Counts, elo0: float, elo1: float) -> tuple[tuple[float, float], float]:
    """Return the interval of the score and the likelihood of superiority by a test."""
    found = SprtEstimate.of(Sprt(elo0, elo1), counts)
    return (found.score.low, found.score.high), found.los


@pytest.mark.slow
@quick
@given(few, few, few)
def test_superiority_is_that_of_the_sign_test(wins: int, losses: int, draws: int) -> None:
    assume(wins + losses + draws)
    counts = Counts.of_matches(wins, losses, draws)
    exact = exact_superiority(wins, losses)
    for found in (difference(counts).los, estimates(counts, 0, WIDE)[1]):
        assert found == pytest.approx(exact, abs=0.13 / max(1, wins + losses))


@pytest.mark.slow
@quick
@given(few, few, few)
def test_superiority_of_matches_is_the_published_formula(
    wins: int, losses: int, draws: int
) -> None:
    """Source: chessprogramming.org, Match Statistics: draws make no difference."""
    assume(wins + losses)
    published = (1 + math.erf((wins - losses) / math.sqrt(2 * (wins + losses)))) / 2
    assert difference(Counts.of_matches(wins, losses, draws)).los == pytest.approx(
        published, abs=1e-3
    )


@pytest.mark.slow
@quick
@given(st.sampled_from([3, 5]), st.integers(0, 4), st.integers(1, 60), hypotheses)
def test_results_of_one_kind_alone(
    kinds: int, place: int, number: int, given: tuple[int, int]
) -> None:
    """At an end of the interval, so many equal results are improbable, but not too improbable.

    The chances that make them likeliest there have one more kind of result, the best or the worst.
    """
    assume(place < kinds)
    counts, elo0 = alike(kinds, place, number), given[0]
    score = place / (kinds - 1)
    elo1 = elo0 + given[1]
    intervals = [score_interval(counts), estimates(counts, 0, WIDE)[0]]
    # A test that would have stopped earlier tells less, never more.
    low, high = estimates(counts, elo0, elo1)[0]
    assert low <= intervals[0][0] + 0.02
    assert high >= intervals[0][1] - 0.02
    for low, high in intervals:
        assert low - 1e-5 <= score <= high + 1e-5
        for end, edge in ((low, 0), (high, 1)):
            if score != edge:
                others = (end - score) / (edge - score)
                assert 0.02 < (1 - others) ** number < 0.025 + 0.19 / number


@pytest.mark.slow
@quick
@given(st.integers(1, 30), st.data())
def test_the_interval_of_wins_and_losses(number: int, data: st.DataObject) -> None:
    """Wilson's (1927): the exact tails at its ends are near 2.5%."""
    wins = data.draw(st.integers(0, number))
    for low, high in (
        score_interval(Counts.of_matches(wins, number - wins, 0)),
        estimates(Counts.of_matches(wins, number - wins, 0), 0, WIDE)[0],
    ):
        assert not wins or tail(number, wins, low) < 0.21
        assert wins == number or tail(number, number - wins, 1 - high) < 0.21


@pytest.mark.parametrize("score", [0, 4])
@pytest.mark.parametrize(("elo0", "elo1"), [(-1500, -500), (-500, 500), (500, 1500), (0, 5)])
def test_twenty_equal_encounters_decide_whatever_the_hypotheses(
    score: int, elo0: float, elo1: float
) -> None:
    (low, high), los = estimates(alike(5, score, 20), elo0, elo1)
    assert los == pytest.approx(score / 4, abs=1e-4)
    # 1 - 0.025^(1/20) = 0.168: C. Clopper, E. Pearson (1934)
    assert (high if score == 0 else 1 - low) == pytest.approx(0.168, abs=0.01)


def test_a_difference_of_losses_alone_is_endless() -> None:
    found = difference(Counts.of_matches(0, 20, 0))
    assert (found.elo, found.elo_error) == (-math.inf, math.inf)
    assert difference(Counts.of_matches(0, 0, 20)).elo_error == pytest.approx(elo_of(0.58), abs=1)


CHANCES = [
    (0.5, 0.0, 0.5),
    (0.0, 0.9, 0.1),
    (0.05, 0.9, 0.05),
    (0.8, 0.1, 0.1),
    (0.3, 0.4, 0.3),
    (0.1, 0.0, 0.2, 0.0, 0.7),
    (0.0, 0.2, 0.6, 0.2, 0.0),
]


@pytest.mark.slow
@pytest.mark.parametrize("chances", CHANCES)
@pytest.mark.parametrize(("number", "least"), [(3, 0.92), (4, 0.87), (9, 0.93)])
def test_the_interval_holds_the_truth(
    chances: tuple[float, ...], number: int, least: float
) -> None:
    """Enumerate all counts: 92% of three, 87% of four, as four wins are beyond even chances."""
    truth = sum(
        score * chance for score, chance in zip(Counts(chances).scores, chances, strict=True)
    )
    held = 0.0
    for first in product(range(number + 1), repeat=len(chances) - 1):
        numbers = (*first, number - sum(first))
        if numbers[-1] < 0 or any(n and not c for n, c in zip(numbers, chances, strict=True)):
            continue
        low, high = score_interval(Counts(numbers))
        if low - 1e-9 <= truth <= high + 1e-9:
            ways = math.factorial(number) / math.prod(map(math.factorial, numbers))
            held += ways * math.prod(c**n for c, n in zip(chances, numbers, strict=True))
    assert held >= least
