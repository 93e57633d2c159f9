"""What one bot, all its versions together, scored against each other bot."""

from dataclasses import KW_ONLY, dataclass

from league.analysis.rating_history import sides_of
from league.ratings.rating_system import share
from league.store.rows import BotRow
from league.store.store import Store


@dataclass(slots=True)
class Opponent:
    """Another bot by name, and the matches against it from the first one's view."""

    bot: str
    _: KW_ONLY
    wins: int = 0
    draws: int = 0
    losses: int = 0
    points: float = 0.0

    @property
    def matches(self) -> int:
        """The number of matches."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """The share of the points, 0 to 1; 0 before the first match."""
        return self.points / self.matches if self.matches else 0.0


def opponents(store: Store, game: str, bot: BotRow) -> list[Opponent]:
    """Return whom a bot met in a game, the hardest first; never those on its own side."""
    own = {version.id for version in bot.versions}
    totals = [total for total in store.totals(game=game) if not own.isdisjoint(total.versions)]
    if not totals:
        return []
    labels = store.labels({version for total in totals for version in total.versions})
    sides = sides_of(game, len(totals[0].versions))
    found: dict[str, Opponent] = {}
    for total in totals:
        for seat, version in enumerate(total.versions):
            for other, opponent in enumerate(total.versions):
                is_beside = bool(sides) and sides[seat] == sides[other]
                if version not in own or opponent in own or is_beside:
                    continue
                name = labels[opponent].bot
                row = found.setdefault(name, Opponent(name))
                scored = share(total.scores[seat], total.scores[other])
                row.wins += total.count * (scored == 1.0)
                row.draws += total.count * (scored == 0.5)
                row.losses += total.count * (scored == 0.0)
                row.points += total.count * scored
    return sorted(found.values(), key=lambda row: (row.score, row.bot))
