"""Live Elo: ratings that change with every match."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from games.support.options import option
from league.ratings.elo import BETA, INITIAL, K_FACTOR, Elo
from league.ratings.rating_system import Live, MatchSystem, SystemRatings, floats, opponents, share


@dataclass(frozen=True)
class LiveElo(MatchSystem):
    """Elo as in the package `elo` (see `league.ratings.elo`), in the schedule's order.

    A match of more than two seats counts as all its pairs of different sides at once, each with its
    share of the K factor.
    """

    name = "elo"
    title = "Live Elo"
    help = "moves with every match, in order; a trend without bars"

    k: float = option(K_FACTOR, help="how far a result moves a rating at most", low=0.0)
    initial: float = option(INITIAL, help="where bots begin")

    def live(self, sides: tuple[int, ...], state: Any) -> "EloState":
        """Start with no bots, or with those of `state`."""
        ratings = {int(bot): value for bot, value in (state or {}).items()}
        return EloState(Elo(self.k, BETA, self.initial), sides, ratings)


@dataclass(slots=True)
class EloState(Live):
    """The ratings of all bots that have played, in order of their first match."""

    system: Elo
    sides: tuple[int, ...]
    ratings: dict[int, float]

    def take(self, bots: Sequence[int], scores: Sequence[float]) -> None:
        """Update the ratings of the bots in a match."""
        ratings, initial = self.ratings, self.system.initial
        if len(bots) == 2:
            one, other = bots
            ratings[one], ratings[other] = self.system.rate(
                ratings.get(one, initial),
                ratings.get(other, initial),
                share(scores[0], scores[1]),
            )
            return
        before = [ratings.get(bot, initial) for bot in bots]
        for seat, against in enumerate(opponents(len(bots), self.sides)):
            change = sum(
                share(scores[seat], scores[other]) - self.system.expect(before[seat], before[other])
                for other in against
            )
            ratings[bots[seat]] = before[seat] + self.system.k_factor * change / len(against)

    def rated(self, bots: Sequence[int]) -> SystemRatings:
        """Return the current ratings, without errors."""
        return SystemRatings(floats([self.ratings.get(bot, self.system.initial) for bot in bots]))

    def state(self) -> Any:
        """Return the ratings by bot."""
        return {str(bot): value for bot, value in self.ratings.items()}


SYSTEM = LiveElo
