"""The matches that a statistic is about: a game's, a tournament's, or each game's in turn."""

from typing import TYPE_CHECKING

import click

from games.support.specs import find_game
from league.cli.options import F
from league.model.errors import SetupError

if TYPE_CHECKING:
    from league.store.store import Store


def pool_options(function: F) -> F:
    """Add `--game` and `--tournament`."""
    one = click.option("--tournament", type=int, help="One tournament only.")(function)
    return click.option("--game", help="One game only.")(one)


def games_of(store: "Store", game: str | None, tournament: int | None) -> list[str]:
    """Return the games to tell of: the one that was chosen, or all that were played.

    Raises `SetupError` where nothing was, `UnknownRowError` for a tournament that isn't there.
    """
    if tournament is not None:
        return [store.tournament(tournament).config.game]
    chosen = [find_game(game).spec] if game else list(store.games_played())
    if not chosen:
        raise SetupError("no matches yet: 'league run --game GAME --bots all' plays some")
    return chosen
