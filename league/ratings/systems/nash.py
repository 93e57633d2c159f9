"""Nash averaging: each bot's expected result against the strongest mix of the bots.

Source: D. Balduzzi, K. Tuyls, J. Perolat, T. Graepel, Re-evaluating Evaluation (2018). Payoffs are
log odds of winning. The mix is their maximum entropy Nash equilibrium: no bot scores more than half
against it. Bots that beat one another in a ring share the mix, and a copy of a bot shares the part
of that bot, so that nobody rises or falls by the copies that are entered.

The log odds of two bots are those of the fitted ratings, plus a deviation of their own. Deviations
are draws from a normal distribution around 0, whose width, the spread, is estimated. So a few
results tell little, two bots that never met do as their ratings say, and a pool without cycles
comes out as `fitted` has it. Without this, luck makes the rings: the mix of equal bots is a random
half of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from games.support.options import option
from league.ratings.elo import INITIAL
from league.ratings.elo_difference import ELO_PER_LOGIT
from league.ratings.equilibrium import equilibrium
from league.ratings.fit import LEAST_DISPERSION, Ratings, fit
from league.ratings.rating_system import SystemRatings, TotalsSystem
from league.ratings.result_table import Floats, PairTotal, ResultColumns

STEPS_MAX = 60
STEP_MIN = 1e-9
"""The last step of Newton's method, in log odds."""

LEAST_SHARE = 1e-6
"""A bot with a smaller share is not in the mix."""


@dataclass(frozen=True)
class Nash(TotalsSystem):
    """Values on the Elo scale, and shares of the mix, for bots that no order describes.

    There are no errors: the mix is exactly as good as itself whoever is in it, and simulated bars
    (a parametric bootstrap) held 84 to 92% of the time, not 95%.
    """

    name = "nash"
    title = "Nash averaging"
    help = "how each bot does against the strongest mix, for bots that beat one another in rings"

    initial: float = option(INITIAL, help="the value of the bots in the mix")
    spread: float | None = option(
        None,
        help="how far two bots are from what their ratings say, in Elo; none estimates it",
        low=0.0,
        high=4000.0,
    )

    def rate(
        self, bots: int, results: ResultColumns, anchor: int | None = None, at: float | None = None
    ) -> SystemRatings:
        """Rate the bots of each pool against the pool's mix.

        Matches of more than two seats count as pairs; seats of such matches count as equal.
        """
        totals = [each for each in results.pair_totals() if each.first != each.second]
        is_duel = results.seats == 2
        matches = None if is_duel else results
        fitted = fit(bots, totals, has_advantage=is_duel, matches=matches)
        spread = None if self.spread is None else self.spread / ELO_PER_LOGIT
        odds = log_odds(fitted, totals, spread)
        values, shares = np.full(bots, self.initial), np.zeros(bots)
        for pool in map(list, fitted.pools):
            among = odds[np.ix_(pool, pool)]
            mix = equilibrium(among)
            shares[pool] = np.where(mix < LEAST_SHARE, 0, mix)
            # Bots in the mix get exactly equal values, or rounding errors would rank them.
            values[pool] += ELO_PER_LOGIT * np.where(mix < LEAST_SHARE, among @ mix, 0)
        return SystemRatings(values, shares=shares)


@dataclass(frozen=True, slots=True)
class _Results:
    """Results of pairs as rows, one for each order of seats.

    `pair` is a row's number of two bots. `view` is 1 if the first bot of the row has the smaller
    number, else -1: a deviation is that bot's. `expected` are the log odds by the fitted ratings.
    """

    pair: NDArray[np.intp]
    view: Floats
    matches: Floats
    points: Floats
    expected: Floats

    def surplus(self, deviations: Floats) -> tuple[Floats, Floats]:
        """Return the points of each two bots above those expected, and their variance."""
        score = 1 / (1 + np.exp(-(self.expected + self.view * deviations[self.pair])))
        sums = np.zeros((2, len(deviations)))
        np.add.at(sums[0], self.pair, self.view * (self.points - self.matches * score))
        np.add.at(sums[1], self.pair, self.matches * score * (1 - score))
        return sums[0], sums[1]


def log_odds(fitted: Ratings, totals: Sequence[PairTotal], spread: float | None) -> Floats:
    """Return the log odds of each bot against each other, seats even; antisymmetric.

    `spread` is the standard deviation from the fitted ratings in log odds, None to estimate it.
    """
    bots, strength = len(fitted.elo), fitted.elo / ELO_PER_LOGIT
    odds: Floats = strength[:, None] - strength
    first = np.array([each.first for each in totals], dtype=np.intp)
    second = np.array([each.second for each in totals], dtype=np.intp)
    met, pair = np.unique(
        np.minimum(first, second) * bots + np.maximum(first, second), return_inverse=True
    )
    results = _Results(
        pair,
        np.where(first < second, 1.0, -1.0),
        np.array([each.matches for each in totals]),
        np.array([each.wins + each.draws / 2 for each in totals]),
        odds[first, second] + fitted.advantage / ELO_PER_LOGIT,
    )
    dispersion = max(1 - fitted.draw_rate, LEAST_DISPERSION)
    if spread is None:
        freedom = len(met) - bots + len(fitted.pools)
        width = _estimated_width(*results.surplus(np.zeros(len(met))), dispersion, freedom)
    else:
        width = spread**2
    deviations = _deviations(results, len(met), dispersion, width)
    one, other = np.divmod(met, max(bots, 1))
    odds[one, other] += deviations
    odds[other, one] -= deviations
    return odds


def _estimated_width(surplus: Floats, variance: Floats, dispersion: float, freedom: int) -> float:
    """Return the variance of the deviations by the method of moments, 0 if it may be chance.

    Of so many pairs, the fitted ratings leave `freedom` to differ from what they say.
    """
    if freedom <= 0:
        return 0.0
    free = freedom / len(surplus)
    unexplained = float(surplus @ surplus) - dispersion * free * float(variance.sum())
    return max(0.0, unexplained / (free * float(variance @ variance)))


def _deviations(results: _Results, pairs: int, dispersion: float, width: float) -> Floats:
    """Return the likeliest deviation of each two bots, by Newton's method."""
    found: Floats = np.zeros(pairs)
    for _ in range(STEPS_MAX):
        surplus, variance = results.surplus(found)
        step = (surplus * width - dispersion * found) / (variance * width + dispersion)
        # From far away a full step may overshoot.
        found = found + np.clip(step, -1, 1)
        if np.abs(step).max(initial=0) < STEP_MIN:
            break
    return found


SYSTEM = Nash
