"""The error for a tournament whose game can't be loaded any more."""

from games.support.errors import GameError
from games.support.references import split_reference
from league.store.rows import TournamentRow
from league.store.store import StoreReader


def lost_rules(store: StoreReader, row: TournamentRow, error: GameError) -> GameError:
    """Return the error to raise for a game that can't be loaded, with how to bring it back."""
    config = row.config
    if not store.rules.get(config.game_digest):
        return error
    path, _ = split_reference(config.game.partition("?")[0])
    back = f"'league tournaments {row.id} --rules > {path}' writes it as it was"
    return GameError(f"{error}; the league keeps its text: {back}", str(error))
