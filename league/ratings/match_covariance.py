"""The variance of scores in matches of three or more seats.

The pairs of one match are correlated: the winner has beaten everybody. A match adds the sum over
its pairs to the likelihood's slope, so errors need the variance of that sum (K. Liang and S. Zeger,
Longitudinal Data Analysis Using Generalized Linear Models, 1986). The correlation of two pairs is
estimated from all matches at once, by the pairs' seats, and scaled in each match by what its
ratings expect: squares of single matches would call a perfect score certain.
"""

import numpy as np

from league.ratings.result_table import Floats, ResultColumns


def summed_variance(matches: ResultColumns, ratings: Floats) -> Floats:
    """Return the (bots, bots) variance of summed scores; `ratings` (bots,) are natural log odds."""
    bots = len(ratings)
    variance = np.zeros(bots * bots)
    surpluses, sigmas = [], []
    for one, other in matches.opposed:
        odds = ratings[matches.bots[:, one]] - ratings[matches.bots[:, other]]
        result = np.sign(matches.scores[:, one] - matches.scores[:, other])
        surpluses.append((1 + result) / 2 - 1 / (1 + np.exp(-odds)))
        sigmas.append(1 / (2 * np.cosh(odds / 2)))
    for pair, surplus, sigma in zip(matches.opposed, surpluses, sigmas, strict=True):
        for match, beside, spread in zip(matches.opposed, surpluses, sigmas, strict=True):
            both = matches.weights * sigma * spread
            shared = float((matches.weights * surplus * beside).sum())
            # There is no weight where no bot started in any match.
            together = shared / max(float(both.sum()), 1e-9)
            for seat, sign in zip(pair, (1, -1), strict=True):
                for other, turned in zip(match, (1, -1), strict=True):
                    cells = matches.bots[:, seat] * bots + matches.bots[:, other]
                    variance += sign * turned * together * np.bincount(cells, both, bots * bots)
    summed: Floats = matches.share**2 * variance.reshape(bots, bots)
    return summed
