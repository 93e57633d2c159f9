"""One bot's scores against each other bot, all versions together."""

from collections import defaultdict

from league.analysis.rating_history import sides_of
from league.model.names import natural_order
from league.ratings.head_to_head import HeadToHead, ScoreShare
from league.ratings.rating_system import opponents as opposing_seats
from league.store.rows import BotRow
from league.store.store import StoreReader


def opponents(store: StoreReader, game: str, bot: BotRow) -> list[ScoreShare]:
    """Return a bot's scores in a game against each opponent, the hardest first.

    Matches between its own versions, and seats on its own side, do not count.
    """
    own = {version.id for version in bot.versions}
    totals = [total for total in store.totals.all(game=game) if not own.isdisjoint(total.versions)]
    if not totals:
        return []
    labels = store.bots.labels({version for total in totals for version in total.versions})
    seats = len(totals[0].versions)
    opposing = opposing_seats(seats, sides_of(game, seats))
    found = defaultdict[str, HeadToHead](HeadToHead)
    for total in totals:
        for seat, version in enumerate(total.versions):
            for other in opposing[seat]:
                opponent = total.versions[other]
                if version not in own or opponent in own:
                    continue
                mine, theirs = total.scores[seat], total.scores[other]
                row = found[labels[opponent].bot]
                row.wins += total.count * (mine > theirs)
                row.draws += total.count * (mine == theirs)
                row.losses += total.count * (mine < theirs)
    parts = [ScoreShare(name, row) for name, row in found.items()]
    return sorted(parts, key=lambda part: (part.head_to_head.score, natural_order(part.name)))
