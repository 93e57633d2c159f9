"""The best bot of a pool: how sure it is, whenever one looks, and whose matches would tell.

Fixed-confidence identification of the best arm (E. Kaufmann, O. Cappé, A. Garivier, On the
Complexity of Best-Arm Identification in Multi-Armed Bandit Models, 2016), where a match compares
two arms.
"""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from league.ratings.elo_difference import ELO_PER_LOGIT
from league.ratings.fit import UNSURE
from league.ratings.likelihood import Comparisons, Floats, maximum

LEAD = 100 / ELO_PER_LOGIT
"""The lead that the test expects of a best bot, in log odds; others take a few matches more."""

HARDLY = 1600 / ELO_PER_LOGIT
"""The width of a prior that hardly tells anything, in log odds: bots may not be connected."""

DIGITS = 9
"""Leads that differ by less count as equal, so that rounding never decides a pairing."""


@dataclass(frozen=True, slots=True)
class BestBot:
    """The bot that is probably the best, and the rival that is least separated from it.

    `probability` is 0 if it is less than a half. `evidence` is the log of the odds against the
    rival.
    """

    bot: int
    rival: int
    probability: float
    evidence: float


def best_bot(rows: Comparisons, among: Sequence[int]) -> BestBot:
    """Return the best of two bots or more, by position; `rows` are from `comparisons`.

    The probability is that of a test of the leader against its closest rival that may be looked at
    after every match: the likelihood ratio of "it leads", averaged over leads with the half-normal
    distribution of the width `LEAD`, to "they are equal". Ratios above c come up with a probability
    of 1 / c at most, at whatever moment (H. Robbins, Statistical Methods Related to the Law of the
    Iterated Logarithm, 1970; for bandits, E. Kaufmann and W. Koolen, Mixture Martingales Revisited,
    2021). A false champion has to be ahead of all other bots too, so that c need not grow with
    their number (by simulation, `python -m benchmarks.best_bot`, as for the thresholds of A.
    Garivier and E. Kaufmann, Optimal Best Arm Identification with Fixed Confidence, 2016).
    """
    rows = replace(rows, precision=HARDLY**-2)
    fitted = maximum(rows)
    bot = max(among, key=lambda each: fitted[each])
    covariance = np.linalg.inv(rows.curvature(fitted))
    errors = np.sqrt(covariance[bot, bot] + np.diag(covariance) - 2 * covariance[bot])
    rivals = [each for each in among if each != bot]
    closest = sorted(rivals, key=lambda each: (fitted[bot] - fitted[each]) / errors[each])
    least, rival = math.inf, closest[0]
    for each in closest:
        evidence = _evidence(*_lead(rows, fitted, bot, each))
        if evidence < least:
            least, rival = evidence, each
        if least < math.log(2):
            # Less than a half: not worth the other fits.
            return BestBot(bot, rival, 0.0, least)
    return BestBot(bot, rival, 1 - math.exp(-least), least)


def _lead(rows: Comparisons, fitted: Floats, bot: int, rival: int) -> tuple[float, float]:
    """Estimate a bot's lead in log odds and its variance, seen from the point where it has none.

    There the estimate is a sum of independent scores, of which even perfect ones count in full (C.
    Rao's score test, 1948).
    """
    as_one = replace(
        rows,
        first=np.where(rows.first == rival, bot, rows.first),
        second=np.where(rows.second == rival, bot, rows.second),
    )
    equal = maximum(as_one, begin=fitted)
    equal[rival] = equal[bot]
    slope, curvature = rows.newton(equal)
    covariance = np.linalg.inv(curvature)
    variance = covariance[bot, bot] + covariance[rival, rival] - 2 * covariance[bot, rival]
    return float((slope[bot] - slope[rival]) / 2 * variance), float(variance)


def _evidence(lead: float, variance: float) -> float:
    """Return the logarithm of the averaged likelihood ratio."""
    share = LEAD**2 / (LEAD**2 + variance)
    sigmas = lead * math.sqrt(share / variance)
    return sigmas**2 / 2 + math.log1p(-share) / 2 + math.log1p(math.erf(sigmas / math.sqrt(2)))


class TopTwo:
    """Draws the bots whose match tells most about which one is the best.

    The first is the best of a draw from the ratings' distribution (D. Russo, Simple Bayesian
    Algorithms for Best Arm Identification, 2016); the others are those that lie behind it by the
    fewest standard errors (X. Shang et al., Fixed-Confidence Guarantees for Bayesian Best-Arm
    Identification, 2020).
    """

    def __init__(self, rows: Comparisons, among: Sequence[int]) -> None:
        rows = replace(rows, precision=UNSURE**-2)
        fitted = maximum(rows)
        self._among = among
        self._odds: Floats = fitted[list(among)]
        self._covariance: Floats = np.linalg.inv(rows.curvature(fitted))[np.ix_(among, among)]
        self._root: Floats = np.linalg.cholesky(self._covariance)

    def draw(self, seats: int, source: random.Random) -> tuple[int, ...]:
        """Return as many bots as seats; where leads are equal, the order of the pool decides."""
        luck = [source.gauss(0, 1) for _ in self._among]
        first = int(np.argmax(self._odds + self._root @ luck))
        own = np.diag(self._covariance)
        errors = np.sqrt(np.maximum(own[first] + own - 2 * self._covariance[first], 1e-9))
        behind = ((self._odds[first] - self._odds) / errors).round(DIGITS)
        behind[first] = -math.inf
        chosen = np.argsort(behind, kind="stable")[:seats]
        return tuple(self._among[each] for each in chosen.tolist())
