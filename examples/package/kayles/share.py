"""A rating system: the share of the points, in percent, without intervals."""

from dataclasses import dataclass

import numpy as np

from league.ratings.rating_system import SystemRatings, TotalsSystem


@dataclass(frozen=True)
class Share(TotalsSystem):
    """Points of 100; a bot without matches has 50."""

    name = "share"
    title = "Share of the points"
    help = "points in percent, whoever the opponents are"
    digits = 1

    def rate(self, bots, results, anchor=None, at=None):
        """Divide the points of each bot by its matches."""
        points, matches = np.zeros(bots), np.zeros(bots)
        for seat in range(results.seats):
            np.add.at(points, results.bots[:, seat], results.scores[:, seat] * results.counts)
            np.add.at(matches, results.bots[:, seat], results.counts)
        return SystemRatings(100 * np.where(matches, points / np.maximum(matches, 1), 0.5))
