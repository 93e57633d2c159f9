"""`league withdraw`."""

import click

from league.cli.console import note
from league.cli.options import db_option


@click.command("withdraw")
@click.argument("tournament", type=int)
@click.argument("bot")
@db_option
def command(tournament: int, bot: str, db: str) -> None:
    """Take BOT out of TOURNAMENT; what it has played stays.

    Matches that it has not played are not played any more, also while the tournament runs.

    \b
    Example:
      league withdraw 3 hog
    """
    from league.store.store import open_store
    from league.tournament.lifecycle import withdraw

    with open_store(db) as store:
        row = withdraw(store, tournament, bot)
        runs = store.is_in_play(tournament)
    went_on = "its runner takes that in" if runs else f"'league resume {row.id}' goes on"
    note(f"tournament {row.id}: {bot} is out, {row.progress} matches played; {went_on}")
