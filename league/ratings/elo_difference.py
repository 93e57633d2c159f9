"""Counted results of two bots against each other and the Elo difference they imply."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

from league.ratings.bisection import rising_root

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

    @property
    def mean(self) -> float:
        """The share of the points, 0 to 1."""
        points = zip(self.scores, self.numbers, strict=True)
        return sum(score * number for score, number in points) / self.total

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
    mean = counts.mean
    _, variance = moments(counts.scores, counts.frequencies())
    error = math.sqrt(variance / counts.total)
    low, high = mean - BAR * error, mean + BAR * error
    sigma = math.sqrt(counts.matches_each * variance)
    nelo = (mean - 0.5) / sigma * NELO_PER_SIGMA
    nelo_error = BAR * NELO_PER_SIGMA / math.sqrt(counts.total * counts.matches_each)
    nelo_low, nelo_high = nelo - nelo_error, nelo + nelo_error
    if counts.are_alike:
        low, high = score_interval(counts)
        nelo_low, nelo_high = nelo_bounds(counts, low, high)
        nelo_error = math.inf
        nelo = 0.0 if counts.numbers[len(counts.numbers) // 2] else math.copysign(math.inf, nelo)
    return Difference(
        score=mean,
        elo=elo_of(mean),
        elo_error=(elo_of(high) - elo_of(low)) / 2,
        nelo=nelo,
        nelo_error=nelo_error,
        nelo_low=nelo_low,
        nelo_high=nelo_high,
        los=superiority(counts),
    )


def superiority(counts: Counts) -> float:
    """Return the likelihood that the first bot is stronger, 0 to 1.

    Its spread is that of equal bots, so that a few results which are all alike are no proof. Of
    single matches it is the published formula, in which draws make no difference:
    (wins - losses) / sqrt(wins + losses) standard errors.
    """
    error = math.sqrt(spread_at(counts, 0.5) / counts.total)
    return NormalDist().cdf((counts.mean - 0.5) / error)


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

    The score test turned round: a score is in it if the observed mean is within `BAR` standard
    errors of it, with the spread of `spread_at`. For wins and losses alone it is E. Wilson's
    interval (1927). If all results were the same, it has room for results that were not seen.
    """
    if not counts.total:
        raise ValueError("no matches, no interval")
    turned = Counts(counts.numbers[::-1])
    return 1 - _highest_score(turned), _highest_score(counts)


def _highest_score(counts: Counts) -> float:
    """Return the score at which the observed mean is `BAR` standard errors too low.

    There the tilt of `tilted` is `BAR` squared divided by the number of results and by the distance
    of the score from the mean, so that one bisection finds both.
    """
    weight = BAR**2 / counts.total
    mean = counts.mean
    shares = counts.frequencies()

    def beyond(score: float) -> float:
        tilt = weight / (score - mean)
        return -sum(
            share * (each - score) / (1 - tilt * (each - score))
            for share, each in zip(shares, counts.scores, strict=True)
        )

    least = (mean + weight) / (1 + weight)
    return rising_root(beyond, least, 1) if least < 1 else 1.0


def spread_at(counts: Counts, score: float) -> float:
    """Return the variance of the likeliest chances whose mean is `score`, between 0 and 1.

    At the observed mean it is that of the results. Elsewhere it has room for what was not seen.
    """
    values = [each - score for each in counts.scores]
    chances = tilted(counts.frequencies(), values)
    return sum(chance * value**2 for chance, value in zip(chances, values, strict=True))


def tilted(frequencies: Sequence[float], values: Sequence[float]) -> tuple[float, ...]:
    """Return the probabilities nearest to `frequencies` under which `values` have mean zero.

    They are p / (1 + theta value) for the one theta that makes it zero.
    """

    def short(theta: float) -> float:
        return -sum(
            frequency * value / (1 + theta * value)
            for frequency, value in zip(frequencies, values, strict=True)
        )

    theta = rising_root(short, -1 / max(values), -1 / min(values))
    return tuple(
        frequency / (1 + theta * value)
        for frequency, value in zip(frequencies, values, strict=True)
    )


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
