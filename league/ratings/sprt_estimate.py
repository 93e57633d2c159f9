"""The difference in strength by a sequential test, corrected for its stopping.

A test stops when the results are far from even chances for both hypotheses, so that the share of
the points overstates the difference. The log-likelihood ratio is therefore taken as a random walk
that stopped at a bound (`StoppedWalk`), as J. Whitehead, The Design and Analysis of Sequential
Clinical Trials (1983), and fishtest take it.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from statistics import NormalDist

from league.ratings.bisection import rising_root
from league.ratings.elo_difference import (
    NELO_PER_SIGMA,
    Counts,
    elo_of,
    moments,
    nelo_bounds,
    spread_at,
)
from league.ratings.sprt import Sprt
from league.ratings.stopped_walk import StoppedWalk

LEVELS = (0.025, 0.5, 0.975)
"""The probabilities of the outcome or a higher one at the three values of an interval."""

_NEAREST = 1e-6
"""The least distance of an expected score from 0 and 1."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A median-unbiased estimate and the ends of its 95% interval, infinite if there are none.

    The value is no number if the results do not tell it.
    """

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SprtEstimate:
    """The strength of the first bot over the second, corrected for the stopping of the test.

    `score` is the expected share of the points, `elo` in logistic and `nelo` in normalized Elo,
    `los` the likelihood of superiority, 0 to 1.
    """

    score: Interval
    elo: Interval
    nelo: Interval
    los: float

    @classmethod
    def of(cls, test: Sprt, counts: Counts) -> "SprtEstimate":
        """Estimate from the counts at the decision, or before it; raise `ValueError` if none.

        A ratio beyond its bound shows how far apart the looks were: both bounds move out with it.
        """
        if not counts.total:
            raise ValueError("no matches, no difference")
        walk = _Walk.of(test, counts)
        low, value, high = (walk.score_at(level) for level in LEVELS)
        nelo = _interval(walk.nelo, low, value, high)
        if counts.are_alike:
            # Normalized Elo is in units of a spread that such results don't show.
            nelo = Interval(math.nan, *nelo_bounds(counts, low, high))
        return cls(
            score=Interval(value, low, high),
            elo=_interval(elo_of, low, value, high),
            nelo=nelo,
            los=1 - walk.chance_of_more(0.5),
        )


@dataclass(frozen=True, slots=True)
class _Walk:
    """The log-likelihood ratio of counts, which rises by `slope` for each unit of score.

    It `is_coarse` if a single result may cross both bounds: then there is no walk to correct for.
    """

    counts: Counts
    bounds: tuple[float, float]
    llr: float
    slope: float
    is_coarse: bool

    @classmethod
    def of(cls, test: Sprt, counts: Counts) -> "_Walk":
        llr, (lower, upper) = test.llr(counts), test.bounds
        # One extra result, a part of each kind (W. Perks, 1947), keeps the variance from vanishing
        # if all results were the same.
        filled = Counts(tuple(number + 1 / len(counts.numbers) for number in counts.numbers))
        _, variance = moments(filled.scores, filled.frequencies())
        slope = test.width(filled) / variance
        beyond = max(1.0, llr / lower, llr / upper)
        moved = lower * beyond, upper * beyond
        return cls(counts, moved, llr, slope, is_coarse=slope >= upper - lower)

    def score_at(self, level: float) -> float:
        """Return the expected score at which this outcome or a higher one has chance `level`."""
        return rising_root(
            lambda score: self.chance_of_more(score) - level,
            _NEAREST,
            1 - _NEAREST,
            within=_NEAREST / 100,
        )

    def chance_of_more(self, score: float) -> float:
        """Return the probability of this outcome or a higher one at an expected score."""
        number, deviation = self.counts.total, math.sqrt(spread_at(self.counts, score))
        above = score - self.counts.mean
        if self.is_coarse:
            return NormalDist().cdf(above / deviation * math.sqrt(number))
        spread = self.slope * deviation
        drift = self.llr / number + above * self.slope
        lower, upper = self.bounds
        walk = StoppedWalk(lower / spread, upper / spread, number, self.llr / spread)
        return walk.chance_of_more(drift / spread)

    def nelo(self, score: float) -> float:
        """Return an expected score in normalized Elo."""
        sigma = math.sqrt(self.counts.matches_each * spread_at(self.counts, score))
        return (score - 0.5) / sigma * NELO_PER_SIGMA


def _interval(scale: Callable[[float], float], low: float, value: float, high: float) -> Interval:
    """Return the interval on another scale; infinite at scores of 0 and 1."""

    def scaled(score: float) -> float:
        if score < 2 * _NEAREST:
            return -math.inf
        return math.inf if score > 1 - 2 * _NEAREST else scale(score)

    return Interval(scaled(value), scaled(low), scaled(high))
