"""Which encounter next: the one that shrinks the mean variance of the ratings most.

A-optimal design (A. Atkinson, A. Donev, R. Tobias, Optimum Experimental Designs, 2007, chapter 10),
greedily, by the rank-one update of an inverse (J. Sherman, W. Morrison, 1950): an encounter that
tells w of the difference x between two ratings takes w |Cx|² / (1 + w x'Cx) off the trace of the
covariance C.
"""

import math
from collections.abc import Sequence

import numpy as np

from league.ratings.elo_difference import ELO_PER_LOGIT
from league.ratings.fit import Floats, Ratings
from league.ratings.result_table import PairTotal

UNKNOWN = 400 / ELO_PER_LOGIT
"""The standard deviation of the rating of a bot of which nothing is known, in log odds."""


class ErrorForecast:
    """The covariance of ratings, and what one more encounter would take off it."""

    def __init__(self, ratings: Ratings, totals: Sequence[PairTotal]) -> None:
        odds = (ratings.elo[:, None] - ratings.elo[None, :]) / ELO_PER_LOGIT
        each_tells = 1 / max(1 - ratings.draw_rate, _SPREAD_MIN)
        matches = np.zeros_like(odds)
        for each in totals:
            matches[each.first, each.second] += each.matches
        # Both seats come up in an encounter, so that the advantage of one cancels, nearly.
        told = each_tells * (matches + matches.T) * _spread(odds)
        precision = np.diag(told.sum(axis=1) + UNKNOWN**-2) - told
        self._covariance: Floats = np.linalg.inv(precision)
        self._squared: Floats = self._covariance @ self._covariance
        # How unequal two bots are is not known yet, and an unequal match tells less: the mean over
        # what the difference may be, by D. MacKay's approximation (1992) of the logistic one.
        flatter = 1 / np.sqrt(1 + math.pi / 8 * _between(self._covariance))
        self._tells: Floats = each_tells * flatter * _spread(flatter * odds)

    @property
    def trace(self) -> float:
        """The sum of the ratings' variances about their common mean, in Elo²."""
        covariance = self._covariance
        # The mean itself is a matter of convention: no encounter tells anything of it.
        return ELO_PER_LOGIT**2 * float(np.trace(covariance) - covariance.sum() / len(covariance))

    def gains(self, matches: float) -> Floats:
        """Return what `matches` matches between each two bots would take off the trace, in Elo².

        The shape is (bots, bots); it is symmetric, with zeros where a bot would meet itself.
        """
        tells = matches * self._tells
        off = tells * _between(self._squared) / (1 + tells * _between(self._covariance))
        return ELO_PER_LOGIT**2 * off

    def add(self, one: int, other: int, matches: float) -> None:
        """Take it as given that these two play so many matches more."""
        covariance = self._covariance
        told = matches * self._tells[one, other]
        moved = covariance[one] - covariance[other]
        share = told / (1 + told * (moved[one] - moved[other]))
        crossed = np.outer(covariance @ moved, moved)
        self._squared += share**2 * (moved @ moved) * np.outer(moved, moved)
        self._squared -= share * (crossed + crossed.T)
        self._covariance = covariance - share * np.outer(moved, moved)


_SPREAD_MIN = 0.05
"""However many draws there are, a match is not taken to tell more than twenty times as much."""


def _spread(odds: Floats) -> Floats:
    """Return E (1 - E) at these log odds."""
    spread: Floats = 1 / (2 + 2 * np.cosh(odds))
    return spread


def _between(matrix: Floats) -> Floats:
    """Return x'Mx for the difference x between each two bots."""
    own = np.diag(matrix)
    between: Floats = own[:, None] + own[None, :] - 2 * matrix
    return between
