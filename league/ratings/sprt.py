"""The sequential probability ratio test of `elo1` against `elo0`.

Sources: A. Wald, Sequential Tests of Statistical Hypotheses (1945); the likelihoods of the
logistic and the normalized model are those of M. Van den Bergh, Comments on Normalized Elo (2021).
The Bayesian model turns the hypotheses into scores by R. Coulom's BayesElo (2005) and goes on as
the logistic one, as fastchess does.
"""

import math
from dataclasses import KW_ONLY, dataclass
from enum import StrEnum
from functools import lru_cache
from statistics import NormalDist

from league.ratings.bisection import rising_root
from league.ratings.elo_difference import (
    ELO_PER_LOGIT,
    NELO_PER_SIGMA,
    Counts,
    expected_score,
    moments,
    tilted,
)

BATCH = 16
"""Encounters between two looks at a test, if nobody says otherwise."""

_OVERSHOOT = 0.583
"""How far a walk in normal steps passes a bound on average, in standard deviations of a step."""


class Model(StrEnum):
    """The unit of `elo0` and `elo1`."""

    LOGISTIC = "logistic"
    NORMALIZED = "normalized"
    BAYESIAN = "bayesian"

    @property
    def unit(self) -> str:
        """The unit in words."""
        return "BayesElo" if self is Model.BAYESIAN else f"{self} Elo"


class SprtState(StrEnum):
    """The state of the test: which hypothesis the evidence favours, if it does yet.

    Neither state bounds the true difference: between the hypotheses either may be favoured.
    """

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Sprt:
    """A test of H1, that the difference is `elo1` (accept), against H0, that it is `elo0` (reject).

    `alpha` is the rate at which H1 may be accepted under H0, `beta` that at which it may be
    rejected under H1. Raises `ValueError` if the hypotheses or the rates make no test.
    """

    elo0: float = 0.0
    elo1: float = 5.0
    _: KW_ONLY
    alpha: float = 0.05
    beta: float = 0.05
    model: Model = Model.NORMALIZED

    def __post_init__(self) -> None:
        if not (math.isfinite(self.elo0) and math.isfinite(self.elo1) and self.elo0 < self.elo1):
            raise ValueError(f"elo0 {self.elo0:g} must be less than elo1 {self.elo1:g}")
        for name, rate in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < rate < 0.5:
                raise ValueError(f"{name} {rate:g} must be more than 0 and less than 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios of rejection and acceptance."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, counts: Counts) -> float:
        """Return the log-likelihood ratio; raise `ValueError` for counts that the model lacks."""
        self.check(counts)
        if not counts.total:
            return 0.0
        if self.model is Model.BAYESIAN and not (counts.numbers[0] and counts.numbers[-1]):
            # Without a win or without a loss the draws tell nothing of how far apart the bots are.
            return 0.0
        chances0, chances1 = (self._likeliest(counts, elo) for elo in (self.elo0, self.elo1))
        ratio = sum(
            frequency * math.log(one / zero)
            for frequency, one, zero in zip(counts.frequencies(), chances1, chances0, strict=True)
        )
        return counts.total * ratio

    def _likeliest(self, counts: Counts, elo: float) -> tuple[float, ...]:
        """Return the probabilities of the scores that are likeliest if the difference is `elo`."""
        if self.model is Model.NORMALIZED:
            return _normalized(counts, elo)
        is_logistic = self.model is Model.LOGISTIC
        return _expecting(counts, expected_score(elo) if is_logistic else _bayesian(counts, elo))

    def check(self, counts: Counts) -> None:
        """Raise `ValueError` for Bayesian counts of encounters."""
        if self.model is Model.BAYESIAN and counts.matches_each != 1:
            raise ValueError(
                "the bayesian model counts single matches: give wins, losses and draws "
                "(counts=trinomial)"
            )

    def width(self, counts: Counts) -> float:
        """Return how much higher the expected score, 0 to 1, is under H1 than under H0."""
        if self.model is Model.BAYESIAN:
            scores = [_bayesian(counts, elo) for elo in (self.elo0, self.elo1)]
        else:
            _, variance = moments(counts.scores, counts.frequencies())
            sigma = math.sqrt(counts.matches_each * variance)
            scores = [self.score(elo, sigma) for elo in (self.elo0, self.elo1)]
        return scores[1] - scores[0]

    def state(self, counts: Counts) -> SprtState:
        """Return the state of the test at these counts."""
        lower, upper = self.bounds
        llr = self.llr(counts)
        return (
            SprtState.ACCEPTED
            if llr >= upper
            else SprtState.REJECTED
            if llr <= lower
            else SprtState.UNDECIDED
        )

    def expected_length(self, elo: float, sigma: float, batch: int = 1) -> float:
        """Return the approximate number of matches of the test if the true difference is `elo`.

        `elo` is in the test's own unit, `sigma` the standard deviation of a single match's score,
        and `batch` the number of matches from one look to the next. Wald's approximation, with the
        ratio as a random walk in normally distributed steps, and the bounds moved for those steps
        as D. Siegmund does (Sequential Analysis, 1985, chapter 10).
        """
        score0, score1, score = (self.score(each, sigma) for each in (self.elo0, self.elo1, elo))
        width = score1 - score0
        drift = width * (score - (score0 + score1) / 2) / sigma**2
        spread = (width / sigma) ** 2
        beyond = _OVERSHOOT * math.sqrt(batch * spread)
        lower, upper = self.bounds[0] - beyond, self.bounds[1] + beyond
        if abs(drift) < 1e-9 * spread:
            return max(batch, -lower * upper / spread)
        power = -2 * drift / spread
        accepted = (1 - math.exp(power * lower)) / (
            math.exp(power * upper) - math.exp(power * lower)
        )
        return max(batch, (accepted * upper + (1 - accepted) * lower) / drift)

    def fixed_length(self, sigma: float) -> int:
        """Return how many matches tell the hypotheses apart if their number is fixed beforehand.

        One-sided at `alpha`, with miss rate `beta`; `sigma` is the standard deviation of a single
        match's score.
        """
        gain = self.score(self.elo1, sigma) - self.score(self.elo0, sigma)
        normal = NormalDist()
        z = normal.inv_cdf(1 - self.alpha) + normal.inv_cdf(1 - self.beta)
        return math.ceil((z * sigma / gain) ** 2)

    def score(self, elo: float, sigma: float) -> float:
        """Return the expected score, 0 to 1, at `elo` in the unit of the test.

        `sigma` is the standard deviation of the score of a single match.
        """
        if self.model is Model.NORMALIZED:
            return 0.5 + elo * sigma / NELO_PER_SIGMA
        return expected_score(elo)


def _expecting(counts: Counts, score: float) -> tuple[float, ...]:
    """Return the maximum-likelihood score probabilities with the mean `score`."""
    return tilted(counts.frequencies(), [each - score for each in counts.scores])


def _normalized(counts: Counts, nelo: float) -> tuple[float, ...]:
    """Return the maximum-likelihood probabilities at `nelo` above one half."""
    scores, frequencies = counts.scores, counts.frequencies()
    t = nelo / NELO_PER_SIGMA * math.sqrt(counts.matches_each)
    chances = _any_normalized(scores, t)
    for _ in range(_ITERATIONS):
        before = chances
        mean, variance = moments(scores, chances)
        sigma = math.sqrt(variance)
        chances = tilted(
            frequencies,
            [each - 0.5 - t * sigma * (1 + ((each - mean) / sigma) ** 2) / 2 for each in scores],
        )
        if max(abs(new - old) for new, old in zip(chances, before, strict=True)) < _PRECISION:
            break
    return chances


# The two bounds of a test ask for the same two after each batch.
@lru_cache(maxsize=256)
def _any_normalized(scores: tuple[float, ...], t: float) -> tuple[float, ...]:
    """Return probabilities whose mean is `t` of their standard deviations above one half.

    Their logarithms are linear in the scores: a starting point for any `t`.
    """

    def chances(slope: float) -> tuple[float, ...]:
        weights = [math.exp(-slope * (score - 0.5)) for score in scores]
        total = sum(weights)
        return tuple(weight / total for weight in weights)

    def short(slope: float) -> float:
        mean, variance = moments(scores, chances(slope))
        return 0.5 + t * math.sqrt(variance) - mean

    return chances(rising_root(short, -_STEEPEST, _STEEPEST))


_STEEPEST = 100.0
_ITERATIONS = 20
_PRECISION = 1e-9


def _bayesian(counts: Counts, elo: float) -> float:
    """Return the expected score, 0 to 1, at `elo` in BayesElo, with the draws that were counted."""
    lost, drawn, won = counts.frequencies()
    draw_elo = ELO_PER_LOGIT / 2 * math.log((won + drawn) / lost * (lost + drawn) / won)
    return (1 + expected_score(elo - draw_elo) - expected_score(-elo - draw_elo)) / 2
