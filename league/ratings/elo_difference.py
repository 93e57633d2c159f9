"""Counted results of two bots against each other and the Elo difference they imply."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

ELO_PER_LOGIT = 400 / math.log(10)
"""Elo per natural unit of log odds."""

NELO_PER_SIGMA = 800 / math.log(10)
"""Normalized Elo per standard deviation of a single match."""

EMPTY_CELL = 1e-3
"""The count given to a result that never occurred, so that every result stays possible."""

COUNT_MAX = 10**9
"""The most results of a kind for which the arithmetic is exact enough."""

BAR = NormalDist().inv_cdf(0.975)
"""Half the width of a 95% interval, in standard errors."""


@dataclass(frozen=True, slots=True)
class Counts:
    """The number of times that each score occurred, in single matches or in encounters of two.

    `numbers` are the first bot's, from the worst score to the best: losses, draws and wins of
    matches, or encounters of 0, ½, 1, 1½ and 2 points. In games for more than two they may be
    fractions of matches.
    """

    numbers: tuple[float, ...]

    @classmethod
    def of_matches(cls, wins: float, losses: float, draws: float) -> "Counts":
        """Count single matches (trinomial)."""
        return cls((losses, draws, wins))

    @classmethod
    def of_encounters(
        cls,
        lost_both: int,
        lost_and_drawn: int,
        won_and_lost: int,
        drawn_both: int,
        won_and_drawn: int,
        won_both: int,
    ) -> "Counts":
        """Count encounters of two matches with the seats swapped (pentanomial)."""
        return cls((lost_both, lost_and_drawn, won_and_lost + drawn_both, won_and_drawn, won_both))

    @classmethod
    def of_points(cls, *numbers: int) -> "Counts":
        """Count encounters of two matches by their points: 0, ½, 1, 1½ and 2."""
        return cls(numbers)

    @property
    def total(self) -> float:
        """The number of matches or encounters."""
        return sum(self.numbers)

    @property
    def matches_each(self) -> int:
        """Number of matches that one count stands for."""
        return 1 if len(self.numbers) == 3 else 2

    @property
    def are_alike(self) -> bool:
        """Whether all results are the same, so that they show no spread."""
        return sum(number > 0 for number in self.numbers) == 1

    @property
    def scores(self) -> tuple[float, ...]:
        """The share of the points, 0 to 1, that each number stands for."""
        last = len(self.numbers) - 1
        return tuple(number / last for number in range(last + 1))

    def frequencies(self) -> tuple[float, ...]:
        """Return the relative frequency of each score; none is zero."""
        filled = [number or EMPTY_CELL for number in self.numbers]
        whole = sum(filled)
        return tuple(number / whole for number in filled)


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """The strength of the first bot over the second, with half-widths of 95% intervals.

    `score` is its share of the points, `elo` in logistic Elo, `nelo` in normalized Elo (M. Van den
    Bergh, Normalized Elo, 2021), `los` the likelihood of superiority, 0 to 1. Results that are all
    alike have no spread to measure normalized Elo by: its error, and without draws the value, is
    infinite. `nelo_low` and `nelo_high` are the ends of its interval; of such results only the end
    towards an even score is finite, or none.
    """

    score: float
    elo: float
    elo_error: float
    nelo: float
    nelo_error: float
    nelo_low: float
    nelo_high: float
    los: float


def difference(counts: Counts) -> Difference:
    """Estimate the difference; raise `ValueError` without matches."""
    if not counts.total:
        raise ValueError("no matches, no difference")
    frequencies = counts.frequencies()
    mean, variance = moments(counts.scores, frequencies)
    error = math.sqrt(variance / counts.total)
    sigma = math.sqrt(counts.matches_each * variance)
    nelo = (mean - 0.5) / sigma * NELO_PER_SIGMA
    nelo_error = BAR * NELO_PER_SIGMA / math.sqrt(counts.total * counts.matches_each)
    low, high = nelo - nelo_error, nelo + nelo_error
    if counts.are_alike:
        low, high = nelo_bounds(counts, *score_interval(counts))
        nelo_error = math.inf
        nelo = 0.0 if counts.numbers[len(counts.numbers) // 2] else math.copysign(math.inf, nelo)
    return Difference(
        score=mean,
        elo=elo_of(mean),
        elo_error=(elo_of(mean + BAR * error) - elo_of(mean - BAR * error)) / 2,
        nelo=nelo,
        nelo_error=nelo_error,
        nelo_low=low,
        nelo_high=high,
        los=NormalDist().cdf((mean - 0.5) / error),
    )


def nelo_bounds(counts: Counts, low: float, high: float) -> tuple[float, float]:
    """Return what an interval of the score, 0 to 1, says of normalized Elo whatever the spread.

    Of all results with that score, wins and losses alone have the largest spread. That bounds
    normalized Elo towards 0, and nothing bounds it away from 0; both ends are infinite if the score
    may be even.
    """

    def bound(score: float) -> float:
        sigma = math.sqrt(counts.matches_each * score * (1 - score))
        return (score - 0.5) / sigma * NELO_PER_SIGMA

    return (
        bound(low) if 0.5 < low < 1 else -math.inf,
        bound(high) if 0 < high < 0.5 else math.inf,
    )


def score_interval(counts: Counts) -> tuple[float, float]:
    """Return the 95% interval of the share of the points, 0 to 1; raise `ValueError` if no matches.

    E. Wilson's interval (1927), which stays within 0 and 1, with the number of trials that would
    have the observed variance. One extra result, a part of each kind (W. Perks, 1947), keeps that
    variance from vanishing if all results were the same.
    """
    if not counts.total:
        raise ValueError("no matches, no interval")
    mean, _ = moments(counts.scores, counts.frequencies())
    filled = [number + 1 / len(counts.numbers) for number in counts.numbers]
    middle, variance = moments(counts.scores, [number / sum(filled) for number in filled])
    trials = counts.total * middle * (1 - middle) / variance
    weight = BAR**2 / trials
    centre = (mean + weight / 2) / (1 + weight)
    half = math.sqrt(weight * (mean * (1 - mean) + weight / 4)) / (1 + weight)
    return max(0.0, centre - half), min(1.0, centre + half)


def moments(scores: Sequence[float], chances: Sequence[float]) -> tuple[float, float]:
    """Return the mean and variance of `scores` with probabilities `chances`."""
    mean = sum(score * chance for score, chance in zip(scores, chances, strict=True))
    spread = (chance * (score - mean) ** 2 for score, chance in zip(scores, chances, strict=True))
    return mean, sum(spread)


def expected_score(elo: float) -> float:
    """Return the expected score, 0 to 1, of a bot that is `elo` stronger."""
    return 1 / (1 + math.exp(-elo / ELO_PER_LOGIT))


def elo_of(score: float) -> float:
    """Return the Elo difference with this expected score; infinite at 0 and 1."""
    if score <= 0:
        return -math.inf
    return math.inf if score >= 1 else ELO_PER_LOGIT * math.log(score / (1 - score))
