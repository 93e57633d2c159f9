"""`league tournament pause`."""

import click

from league.cli.console import note
from league.cli.option_types import TOURNAMENT
from league.cli.options import db_option


@click.command("pause")
@click.argument("tournament", type=TOURNAMENT)
@db_option
def command(tournament: int, db: str) -> None:
    """Stop a tournament after the matches in play.

    The running process finishes the matches in play and exits. 'league resume' continues the
    tournament.

    \b
    Example:
      league tournament pause 3
    """
    from league.api.league import League

    with League(db, create=False) as league:
        league.pause(tournament)
    note(
        f"tournament {tournament} stops after the matches in play; "
        f"'league resume {tournament}' continues"
    )
