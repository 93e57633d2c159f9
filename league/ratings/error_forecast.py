"""The next encounter: the one that shrinks the mean variance of the ratings most.

A-optimal design (A. Atkinson, A. Donev, R. Tobias, Optimum Experimental Designs, 2007, chapter 10),
greedy, by the rank-one update of an inverse (J. Sherman, W. Morrison, 1950): an encounter with
information w on the difference x of two ratings reduces the trace of the covariance C by w |Cx|² /
(1 + w x'Cx).
"""

from collections.abc import Sequence

import numpy as np

from league.ratings.elo_difference import ELO_PER_LOGIT
from league.ratings.fit import LEAST_DISPERSION, Ratings
from league.ratings.likelihood import Floats
from league.ratings.result_table import PairTotal

UNKNOWN = 400 / ELO_PER_LOGIT
"""The prior standard deviation of the rating of an unknown bot, in log odds."""


class ErrorForecast:
    """The covariance of ratings and how much one more encounter would reduce it."""

    def __init__(self, ratings: Ratings, totals: Sequence[PairTotal]) -> None:
        odds = (ratings.elo[:, None] - ratings.elo[None, :]) / ELO_PER_LOGIT
        # Only the share of the ratings' spread that is not error counts. If luck chose opponents,
        # ratings would spread out, and a round robin would find them with fewer matches.
        error, spread = float(np.diag(ratings.covariance).mean()), float(ratings.elo.var())
        odds *= max(0.0, 1 - error / spread) if spread else 0.0
        self._tells: Floats = _spread(odds) / max(1 - ratings.draw_rate, LEAST_DISPERSION)
        matches = np.zeros_like(odds)
        for each in totals:
            matches[each.first, each.second] += each.matches
        # An encounter plays both seats, so the seat advantage nearly cancels.
        told = self._tells * (matches + matches.T)
        precision = np.diag(told.sum(axis=1) + UNKNOWN**-2) - told
        self._covariance: Floats = np.linalg.inv(precision)
        self._squared: Floats = self._covariance @ self._covariance

    @property
    def trace(self) -> float:
        """The sum of the ratings' variances about their common mean, in Elo²."""
        covariance = self._covariance
        # The mean itself is a convention that no encounter tells anything about.
        return ELO_PER_LOGIT**2 * float(np.trace(covariance) - covariance.sum() / len(covariance))

    def gains(self, matches: float) -> Floats:
        """Return the reduction of the trace by `matches` matches between each two bots, in Elo².

        The shape is (bots, bots), symmetric, with a zero diagonal.
        """
        tells = matches * self._tells
        off = tells * _between(self._squared) / (1 + tells * _between(self._covariance))
        return ELO_PER_LOGIT**2 * off

    def add(self, one: int, other: int, matches: float) -> None:
        """Update the covariance as if these two had played `matches` more matches."""
        covariance = self._covariance
        told = matches * self._tells[one, other]
        moved = covariance[one] - covariance[other]
        share = told / (1 + told * (moved[one] - moved[other]))
        crossed = np.outer(covariance @ moved, moved)
        self._squared += share**2 * (moved @ moved) * np.outer(moved, moved)
        self._squared -= share * (crossed + crossed.T)
        self._covariance = covariance - share * np.outer(moved, moved)


def _spread(odds: Floats) -> Floats:
    """Return E (1 - E) at these log odds."""
    spread: Floats = 1 / (2 + 2 * np.cosh(odds))
    return spread


def _between(matrix: Floats) -> Floats:
    """Return x'Mx for the difference x of each two bots."""
    own = np.diag(matrix)
    between: Floats = own[:, None] + own[None, :] - 2 * matrix
    return between
