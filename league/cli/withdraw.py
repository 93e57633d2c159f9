"""`league withdraw`."""

import click

from league.cli.console import note
from league.cli.options import db_option
from league.cli.play_tournament import how_it_goes_on


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
        went_on = how_it_goes_on(store, row)
    note(f"tournament {row.id}: {bot} is out, {row.progress} matches played; {went_on}")
