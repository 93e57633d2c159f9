"""The sequential probability ratio test of `elo1` against `elo0`.

Sources: A. Wald, Sequential Tests of Statistical Hypotheses (1945); the likelihoods of the
logistic and the normalized model are those of M. Van den Bergh, Comments on Normalized Elo (2021),
the Bayesian one is of R. Coulom's BayesElo (2005).
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from enum import StrEnum
from statistics import NormalDist

from league.ratings.elo_difference import (
    ELO_PER_LOGIT,
    NELO_PER_SIGMA,
    Counts,
    expected_score,
    moments,
)


class Model(StrEnum):
    """What `elo0` and `elo1` are measured in."""

    LOGISTIC = "logistic"
    NORMALIZED = "normalized"
    BAYESIAN = "bayesian"


class SprtState(StrEnum):
    """What the test says so far."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Sprt:
    """A test of `elo1` (accept) against `elo0` (reject).

    `alpha` is how often a bot of `elo0` may be accepted, `beta` how often one of `elo1` rejected.
    Raises `ValueError` where the two hypotheses or the rates make no test.
    """

    elo0: float
    elo1: float
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
        """The log-likelihood ratios at which the test rejects, and accepts."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, counts: Counts) -> float:
        """Return the log-likelihood ratio of `elo1` to `elo0`; raise `ValueError`.

        The Bayesian model knows single matches alone.
        """
        if not counts.total:
            return 0.0
        if self.model is Model.BAYESIAN:
            return _bayesian_llr(counts, self.elo0, self.elo1)
        likeliest = _logistic if self.model is Model.LOGISTIC else _normalized
        chances0, chances1 = (likeliest(counts, elo) for elo in (self.elo0, self.elo1))
        ratio = sum(
            frequency * math.log(one / zero)
            for frequency, one, zero in zip(counts.frequencies(), chances1, chances0, strict=True)
        )
        return counts.total * ratio

    def state(self, counts: Counts) -> SprtState:
        """Say what the test decides by these counts."""
        lower, upper = self.bounds
        llr = self.llr(counts)
        return (
            SprtState.ACCEPTED
            if llr >= upper
            else SprtState.REJECTED
            if llr <= lower
            else SprtState.UNDECIDED
        )

    def expected_length(self, elo: float, sigma: float) -> float:
        """Return about how many matches the test takes where the true difference is `elo`.

        `elo` is in the test's own unit and `sigma` the standard deviation of a single match's
        score. Wald's approximation, with the ratio as a walk in steps of the normal distribution.
        """
        lower, upper = self.bounds
        score0, score1, score = (self._score(each, sigma) for each in (self.elo0, self.elo1, elo))
        width = score1 - score0
        drift = width * (score - (score0 + score1) / 2) / sigma**2
        spread = (width / sigma) ** 2
        if abs(drift) < 1e-9 * spread:
            return -lower * upper / spread
        power = -2 * drift / spread
        accepted = (1 - math.exp(power * lower)) / (
            math.exp(power * upper) - math.exp(power * lower)
        )
        return (accepted * upper + (1 - accepted) * lower) / drift

    def _score(self, elo: float, sigma: float) -> float:
        if self.model is Model.NORMALIZED:
            return 0.5 + elo * sigma / NELO_PER_SIGMA
        return expected_score(elo)


def fixed_length(elo: float, sigma: float, *, alpha: float, beta: float) -> int:
    """Return how many matches show a difference of `elo` with a test of fixed length.

    One-sided at `alpha`, missed with `beta`; `sigma` is the standard deviation of a single match's
    score. Raises `ValueError` for no difference.
    """
    gain = abs(expected_score(elo) - 0.5)
    if not gain:
        raise ValueError("no difference can't be shown")
    normal = NormalDist()
    z = normal.inv_cdf(1 - alpha) + normal.inv_cdf(1 - beta)
    return math.ceil((z * sigma / gain) ** 2)


def _logistic(counts: Counts, elo: float) -> tuple[float, ...]:
    """Return the likeliest chances of each score under a mean that fits `elo`."""
    score = expected_score(elo)
    return _tilted(counts.frequencies(), [each - score for each in counts.scores])


def _normalized(counts: Counts, nelo: float) -> tuple[float, ...]:
    """Return the likeliest chances under a mean of `nelo` times their own standard deviation."""
    scores, frequencies = counts.scores, counts.frequencies()
    t = nelo / NELO_PER_SIGMA * math.sqrt(counts.matches_each)
    chances = _any_normalized(scores, t)
    for _ in range(_ITERATIONS):
        before = chances
        mean, variance = moments(scores, chances)
        sigma = math.sqrt(variance)
        chances = _tilted(
            frequencies,
            [each - 0.5 - t * sigma * (1 + ((each - mean) / sigma) ** 2) / 2 for each in scores],
        )
        if max(abs(new - old) for new, old in zip(chances, before, strict=True)) < _PRECISION:
            break
    return chances


def _any_normalized(scores: Sequence[float], t: float) -> tuple[float, ...]:
    """Return chances with a mean that is `t` of their standard deviations above one half.

    Their logarithms are a line over the scores; where to begin, for any `t`.
    """

    def chances(slope: float) -> tuple[float, ...]:
        weights = [math.exp(-slope * (score - 0.5)) for score in scores]
        return tuple(weight / sum(weights) for weight in weights)

    def beyond(slope: float) -> float:
        mean, variance = moments(scores, chances(slope))
        return mean - 0.5 - t * math.sqrt(variance)

    return chances(_falling_root(beyond, -_STEEPEST, _STEEPEST))


_STEEPEST = 100.0
_ITERATIONS = 20
_PRECISION = 1e-9


def _tilted(frequencies: Sequence[float], values: Sequence[float]) -> tuple[float, ...]:
    """Return the chances nearest to `frequencies` that give `values` a mean of zero.

    They are p / (1 + theta value) for the one theta that makes them so.
    """

    def mean(theta: float) -> float:
        return sum(
            frequency * value / (1 + theta * value)
            for frequency, value in zip(frequencies, values, strict=True)
        )

    theta = _falling_root(mean, -1 / max(values), -1 / min(values))
    return tuple(
        frequency / (1 + theta * value)
        for frequency, value in zip(frequencies, values, strict=True)
    )


def _falling_root(function: Callable[[float], float], low: float, high: float) -> float:
    """Return where a falling function is zero strictly between `low` and `high`, by halving."""
    for _ in range(200):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if function(middle) > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _bayesian_llr(counts: Counts, elo0: float, elo1: float) -> float:
    if counts.matches_each != 1:
        raise ValueError("the bayesian model counts single matches: wins, losses, draws")
    losses, draws, wins = counts.numbers
    if not losses or not wins:
        return 0.0
    lost, _, won = (number / counts.total for number in counts.numbers)
    draw_elo = ELO_PER_LOGIT / 2 * math.log((1 - lost) / lost * (1 - won) / won)
    zero, one = (_bayesian(elo, draw_elo) for elo in (elo0, elo1))
    return sum(
        number * math.log(after / before)
        for number, after, before in zip((losses, draws, wins), one, zero, strict=True)
    )


def _bayesian(elo: float, draw_elo: float) -> tuple[float, float, float]:
    """Return the chances to lose, draw and win."""
    win = 1 / (1 + math.exp((draw_elo - elo) / ELO_PER_LOGIT))
    loss = 1 / (1 + math.exp((draw_elo + elo) / ELO_PER_LOGIT))
    return loss, 1 - win - loss, win
