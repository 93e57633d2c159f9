"""Elo ratings with the names and numbers of the package `elo` 0.1.1.

The only release of that package no longer builds with setuptools 58 or later, so this module
replaces it: `expect`, `rate_1vs1`, `k_factor`, `beta` and `initial` mean what they mean there.
Source: A. Elo, The Rating of Chessplayers (1978), in the logistic form; `beta` 200 is the usual
scale of 400 points for odds of ten to one.
"""

from dataclasses import dataclass

K_FACTOR = 10.0
BETA = 200.0
INITIAL = 1200.0


@dataclass(frozen=True, slots=True)
class Elo:
    """An Elo system: the K factor, the scale and the initial rating."""

    k_factor: float = K_FACTOR
    beta: float = BETA
    initial: float = INITIAL

    def expect(self, rating: float, other_rating: float) -> float:
        """Return the expected score, 0 to 1, of `rating` against `other_rating`."""
        odds: float = 10.0 ** ((other_rating - rating) / (2.0 * self.beta))
        return 1.0 / (1.0 + odds)

    def adjust(self, rating: float, expected: float, score: float) -> float:
        """Return `rating` after one result: `score` 1 for a win, 0.5 for a draw, 0 for a loss."""
        return rating + self.k_factor * (score - expected)

    def rate_1vs1(self, rating1: float, rating2: float, drawn: bool = False) -> tuple[float, float]:
        """Return both ratings after the first beat or drew with the second."""
        return self.rate(rating1, rating2, 0.5 if drawn else 1.0)

    def rate(self, rating1: float, rating2: float, score: float) -> tuple[float, float]:
        """Return both ratings after the first scored `score` (0 to 1) against the second."""
        expected = self.expect(rating1, rating2)
        return (
            self.adjust(rating1, expected, score),
            self.adjust(rating2, 1.0 - expected, 1.0 - score),
        )
