"""Fitted: the maximum-likelihood ratings of all results together."""

from dataclasses import dataclass

from games.support.options import option
from league.ratings.elo import INITIAL
from league.ratings.fit import fit
from league.ratings.rating_system import SystemRatings, TotalsSystem
from league.ratings.result_table import ResultColumns


@dataclass(frozen=True)
class Fitted(TotalsSystem):
    """Ratings on the Elo scale with intervals, whatever the order of matches (see `fit`)."""

    name = "fitted"
    title = "Fitted ratings"
    help = "the likeliest ratings by all results at once, with bars"
    has_anchor = True

    initial: float = option(INITIAL, help="the mean of bots that met, without an anchor")
    prior: float | None = option(
        None,
        help="virtual draws of each bot; none for a prior whose width is estimated",
        low=0.0,
        high=100.0,
    )
    advantage: bool = option(True, help="fit what the first of two seats is worth")

    def rate(
        self, bots: int, results: ResultColumns, anchor: int | None = None, at: float | None = None
    ) -> SystemRatings:
        """Fit the ratings; matches of more than two seats count as pairs, with whole-match errors.

        Seats of such matches count as equal: encounters rotate them. Raises `SeparationError` if no
        finite ratings exist without a prior.
        """
        is_duel = results.seats == 2
        found = fit(
            bots,
            results.pair_totals(),
            has_advantage=self.advantage and is_duel,
            anchor=(anchor, self.initial if at is None else at),
            prior=self.prior,
            matches=None if is_duel else results,
        )
        return SystemRatings(found.elo, found.error, found.covariance)


SYSTEM = Fitted
