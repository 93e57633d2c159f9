"""`league tournament cancel`."""

import click

from league.cli.console import note
from league.cli.option_types import TOURNAMENT
from league.cli.options import db_option


@click.command("cancel")
@click.argument("tournament", type=TOURNAMENT)
@db_option
def command(tournament: int, db: str) -> None:
    """End a tournament for good; its results stay.

    Matches in play are lost. A cancelled tournament can't be resumed; 'league run --again' starts a
    new one with the same settings.

    \b
    Example:
      league tournament cancel 3
    """
    from league.api.league import League

    with League(db, create=False) as league:
        done = league.cancel(tournament).row.progress
    note(f"tournament {tournament} is cancelled after {done} matches")
