"""`league tournament withdraw`."""

import click

from league.cli.console import note
from league.cli.option_types import TOURNAMENT
from league.cli.options import db_option
from league.cli.play_tournament import how_it_goes_on


@click.command("withdraw")
@click.argument("tournament", type=TOURNAMENT)
@click.argument("bot")
@db_option
def command(tournament: int, bot: str, db: str) -> None:
    """Take a bot out of a tournament; its results stay.

    Its remaining matches are not played. This also works while the tournament runs.

    \b
    Example:
      league tournament withdraw 3 hog
    """
    from league.api.league import League

    with League(db, create=False) as league:
        smaller = league.withdraw(tournament, bot)
        done, went_on = smaller.row.progress, how_it_goes_on(smaller)
    note(f"tournament {tournament}: {bot} is out, {done} matches played; {went_on}")
