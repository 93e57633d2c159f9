"""Stored tournaments by number, or the one that a user means without giving any."""

from league.model.errors import UnknownRowError
from league.store.rows import TournamentRow, TournamentState
from league.store.store import Store


def newest(store: Store, tournament: int | None) -> TournamentRow:
    """Return a tournament by number, or the newest; raise `UnknownRowError` for none."""
    if tournament is not None:
        return store.tournaments.get(tournament)
    rows = store.tournaments.all()
    if not rows:
        text = "no tournaments yet: 'league run --game GAME --bots all' runs one"
        raise UnknownRowError(text, "tournament", None)
    return rows[-1]


def unfinished(store: Store, tournament: int | None) -> TournamentRow:
    """Return the tournament, or the newest unfinished one; raise `UnknownRowError` for none."""
    if tournament is not None:
        return store.tournaments.get(tournament)
    open_ones = [
        row
        for row in store.tournaments.all()
        if row.state is TournamentState.OPEN and not row.config.is_imported
    ]
    if not open_ones:
        raise UnknownRowError("no unfinished tournament: nothing to resume", "tournament", None)
    return max(open_ones, key=lambda row: row.id)
