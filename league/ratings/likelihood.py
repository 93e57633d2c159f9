"""The likelihood of results given ratings, and its maximum.

The model of R. Bradley and M. Terry (1952) on the logistic scale with an advantage h of the first
seat, E = 1 / (1 + exp(-(ri - rj + h))), a draw counting as half a win and half a loss.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from league.ratings.result_table import PairTotal

Floats: TypeAlias = NDArray[np.floating[Any]]

PRIOR = 0.5
"""Virtual draws that hold the advantage at zero where seats count as equal."""

STEPS_MAX = 100
STEP_MIN = 1e-9
"""The last step of Newton's method, in log odds: too small to show in a rating."""


@dataclass(frozen=True, slots=True)
class Comparisons:
    """Weighted comparisons, first the real ones, then the prior's.

    `seat` is 1 if the first bot has the seat advantage. The fitted vector is each bot's natural log
    odds, then the advantage. `precision` is 1 / variance of a normal prior of the log odds, of all
    bots or of each, 0 for none.
    """

    bots: int
    first: NDArray[np.intp]
    second: NDArray[np.intp]
    seat: Floats
    weight: Floats
    score: Floats
    precision: Floats | float = 0.0

    @classmethod
    def of(
        cls, bots: int, played: Sequence[PairTotal], has_advantage: bool, virtual: float
    ) -> "Comparisons":
        """Return the results of pairs, with `virtual` draws of each bot and of the advantage."""
        pairs = np.array([(each.first, each.second) for each in played], dtype=np.intp)
        counts = np.array([(each.wins, each.draws, each.losses) for each in played], dtype=float)
        first, second = pairs.reshape(-1, 2).T
        weight, score = counts.reshape(-1, 3).sum(axis=1), counts.reshape(-1, 3) @ [1, 0.5, 0]
        share = np.bincount(first, weight, bots) + np.bincount(second, weight, bots)
        prior = virtual / 2 * weight * (1 / share[first] + 1 / share[second])
        # Seats don't count in virtual draws: two bots need one row of them.
        ends = np.minimum(first, second) * bots + np.maximum(first, second)
        met, place = np.unique(ends, return_inverse=True)
        prior, (one, other) = np.bincount(place, prior, len(met)), np.divmod(met, bots)
        # Without `has_advantage` only its prior holds the advantage at zero.
        of_advantage = virtual if has_advantage else PRIOR
        return cls(
            bots,
            # The last row compares no bots: it is the prior of the advantage alone.
            np.concatenate([first, one, [0]]),
            np.concatenate([second, other, [0]]),
            np.concatenate([np.full(len(played), float(has_advantage)), 0 * prior, [1]]),
            np.concatenate([weight, prior, [of_advantage]]),
            np.concatenate([score, prior / 2, [of_advantage / 2]]),
        )

    def odds(self, fitted: Floats) -> Floats:
        """Return the log odds of each row's first bot."""
        odds: Floats = fitted[self.first] - fitted[self.second] + self.seat * fitted[-1]
        return odds

    def likelihood(self, fitted: Floats) -> float:
        """Return the log likelihood, plus the log density of the prior up to a constant."""
        odds = self.odds(fitted)
        held = float((self.precision * fitted[:-1] ** 2).sum()) / 2
        return float((self.score * odds - self.weight * np.logaddexp(0, odds)).sum()) - held

    def spread(self, fitted: Floats) -> Floats:
        """Return each row's weight times E (1 - E)."""
        return self._spread(self._chances(fitted))

    def curvature(self, fitted: Floats) -> Floats:
        """Return the negative second derivative of `likelihood`."""
        return self._curvature(self._chances(fitted))

    def newton(self, fitted: Floats) -> tuple[Floats, Floats]:
        """Return the gradient of `likelihood`, and `curvature`."""
        chances = self._chances(fitted)
        return self._slope(fitted, chances), self._curvature(chances)

    def _chances(self, fitted: Floats) -> Floats:
        """Return E, each row's expected score of a match."""
        with np.errstate(over="ignore"):
            chances: Floats = 1 / (1 + np.exp(-self.odds(fitted)))
        return chances

    def _slope(self, fitted: Floats, chances: Floats) -> Floats:
        surplus = self.score - self.weight * chances
        gains = np.bincount(self.first, surplus, self.bots)
        held = self.precision * fitted[:-1]
        gains = gains - np.bincount(self.second, surplus, self.bots) - held
        return np.append(gains, surplus @ self.seat)

    def _spread(self, chances: Floats) -> Floats:
        spread: Floats = self.weight * chances * (1 - chances)
        return spread

    def _curvature(self, chances: Floats) -> Floats:
        matrix = self.information(self._spread(chances))
        matrix[range(self.bots), range(self.bots)] += self.precision
        return matrix

    def information(self, spread: Floats) -> Floats:
        """Return the sum over rows of `spread` times the outer product of the row's comparison."""
        bots, seated = self.bots, spread * self.seat
        matrix = np.zeros((bots + 1, bots + 1))
        mixed = np.bincount(self.first * bots + self.second, spread, bots * bots)
        mixed = mixed.reshape(bots, bots)
        alone = np.bincount(self.first, spread, bots) + np.bincount(self.second, spread, bots)
        matrix[:-1, :-1] = np.diag(alone) - mixed - mixed.T
        crossed = np.bincount(self.first, seated, bots) - np.bincount(self.second, seated, bots)
        matrix[:-1, -1] = matrix[-1, :-1] = crossed
        matrix[-1, -1] = seated @ self.seat
        return matrix


def maximum(rows: Comparisons, gauge: Floats | float = 0.0, begin: Floats | None = None) -> Floats:
    """Return the vector of the highest likelihood, by Newton's method from `begin` or zero.

    `gauge` is from `gauge_of`; it is needed if there is no prior.
    """
    fitted = np.zeros(rows.bots + 1) if begin is None else begin
    likelihood = rows.likelihood(fitted)
    for _ in range(STEPS_MAX):
        slope, curvature = rows.newton(fitted)
        step = np.linalg.solve(curvature + gauge, slope)
        # A full step from far away may overshoot; the likelihood is concave, so some part is right.
        while np.abs(step).max() > STEP_MIN:
            reached = rows.likelihood(fitted + step)
            if reached >= likelihood:
                break
            step = step / 2
        fitted = fitted + step
        if np.abs(step).max() <= STEP_MIN:
            break
        likelihood = reached
    return fitted


def gauge_of(bots: int, pools: Sequence[Sequence[int]]) -> Floats:
    """Return the term that makes the information matrix invertible.

    It fixes the pools' means, which results leave open and neither slope nor variance involves.
    """
    gauge = np.zeros((bots + 1, bots + 1))
    for pool in pools:
        gauge[np.ix_(pool, pool)] = 1 / len(pool)
    return gauge
