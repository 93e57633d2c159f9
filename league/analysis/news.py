"""The news of a league: finished tournaments, and bots that took the lead in a game."""

from dataclasses import dataclass

from league.analysis.rating_history import series_of, system_of
from league.analysis.standing_rows import Standing
from league.analysis.standings import standings
from league.ratings.system_specs import DEFAULT_SYSTEM
from league.store.rows import BotRef, TournamentRow
from league.store.store import StoreReader

PLACES = 3
"""Number of bots to name of a finished tournament."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewLeader:
    """A version that had the highest rating of a game after a tournament, and not before it.

    `before` had it until then, None for nobody; of the same bot it is an earlier version. `error`
    is half the 95% interval, None if unknown. `at` is UTC, in seconds since 1970.
    """

    game: str
    tournament: int
    bot: BotRef
    before: BotRef | None
    rating: float
    error: float | None
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishedTournament:
    """A finished tournament, what its format concludes, and its first places."""

    row: TournamentRow
    says: str
    places: tuple[Standing, ...]


def new_leaders(store: StoreReader, game: str) -> list[NewLeader]:
    """Return the versions that took the lead in a game, in order, by the ratings that were kept.

    There are such after each tournament. The bots whose rating has no error bar yet are left out.
    """
    return store.recall(("leaders", game), lambda: _new_leaders(store, game), game=game)


def _new_leaders(store: StoreReader, game: str) -> list[NewLeader]:
    found: list[tuple[int, int, int, float, float | None]] = []
    for each in store.snapshots.all(series_of(game, system_of(store, DEFAULT_SYSTEM))):
        rated = [rating for rating in each.ratings if rating.error is not None]
        if not rated:
            continue
        best = max(rated, key=lambda rating: (rating.value, -rating.version))
        if not found or found[-1][0] != best.version:
            where = each.place.tournament, each.finished_at
            found.append((best.version, *where, best.value, best.error))
    labels = store.bots.labels({version for version, *_ in found})
    leaders: list[NewLeader] = []
    for version, tournament, at, rating, error in found:
        leaders.append(
            NewLeader(
                game=game,
                tournament=tournament,
                bot=labels[version],
                before=leaders[-1].bot if leaders else None,
                rating=rating,
                error=error,
                at=at,
            )
        )
    return leaders


def finished_tournament(store: StoreReader, row: TournamentRow) -> FinishedTournament:
    """Return how a finished tournament ended."""
    table = standings(store, row.config.game, row.id)
    return FinishedTournament(row=row, says=table.says, places=tuple(table.rows[:PLACES]))


def finished_tournaments(store: StoreReader, newest: int) -> list[FinishedTournament]:
    """Return those of the `newest` tournaments that are finished and have matches, newest first."""
    return [
        finished_tournament(store, row)
        for row in store.tournaments.newest(newest)
        if row.is_finished and row.finished_at is not None
    ]
