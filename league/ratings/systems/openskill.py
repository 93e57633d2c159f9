"""OpenSkill: ratings for any number of seats and sides, by the package `openskill`."""

import importlib.util
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from games.support.options import option
from league.ratings.elo_difference import BAR
from league.ratings.rating_system import Live, MatchSystem, SystemRatings, floats


@dataclass(frozen=True, kw_only=True)
class OpenSkill(MatchSystem):
    """The model of R. Plackett and R. Luce, approximated as by R. Weng and C. Lin (2011)."""

    name = "openskill"
    title = "OpenSkill"
    help = "for many seats: whole finishing orders, and sides as teams"
    digits = 2

    mu: float = option(25.0, help="where bots begin")
    sigma: float = option(25 / 3, help="how uncertain that is", low=1e-3)
    beta: float = option(25 / 6, help="how much luck there is in a match", low=1e-3)
    tau: float = option(25 / 300, help="how far skill may drift from match to match", low=0.0)

    def check(self) -> None:
        """Raise `ValueError` where the package is not installed."""
        if importlib.util.find_spec("openskill") is None:
            raise ValueError("it needs a package: pip install 'botleague[openskill]'")

    def live(self, sides: tuple[int, ...], state: Any) -> "Skills":
        """Start with no bots, or with those of `state`."""
        # An optional dependency.
        from openskill.models import PlackettLuce  # noqa: PLC0415

        model = PlackettLuce(mu=self.mu, sigma=self.sigma, beta=self.beta, tau=self.tau)
        known = {int(bot): model.rating(*two) for bot, two in (state or {}).items()}
        return Skills(model, sides, known)


@dataclass(slots=True)
class Skills(Live):
    """The model and its ratings of all bots that have played."""

    model: Any
    sides: tuple[int, ...]
    ratings: dict[int, Any]

    def take(self, bots: Sequence[int], scores: Sequence[float]) -> None:
        """Rate the sides of a match by their points."""
        teams: dict[int, list[int]] = {}
        for seat, side in enumerate(self.sides or range(len(bots))):
            teams.setdefault(side, []).append(seat)
        before = [
            [self.ratings.get(bots[seat]) or self.model.rating() for seat in seats]
            for seats in teams.values()
        ]
        # The first seat of a side stands for all: a side wins and loses together.
        after = self.model.rate(before, scores=[scores[seats[0]] for seats in teams.values()])
        for seats, team in zip(teams.values(), after, strict=True):
            for seat, rating in zip(seats, team, strict=True):
                self.ratings[bots[seat]] = rating

    def rated(self, bots: Sequence[int]) -> SystemRatings:
        """Return the current means and intervals."""
        found = [self.ratings.get(bot) or self.model.rating() for bot in bots]
        return SystemRatings(
            floats([each.mu for each in found]), floats([BAR * each.sigma for each in found])
        )

    def state(self) -> Any:
        """Return mean and deviation by bot."""
        return {str(bot): [each.mu, each.sigma] for bot, each in self.ratings.items()}


SYSTEM = OpenSkill
