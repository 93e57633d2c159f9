"""`league pause`."""

import click

from league.cli.console import note
from league.cli.options import db_option


@click.command("pause")
@click.argument("tournament", type=int)
@db_option
def command(tournament: int, db: str) -> None:
    """Let the runner of TOURNAMENT end what is in play, and stop.

    The process that runs it ends within about a second and the time of a match; 'league resume'
    goes on.

    \b
    Example:
      league pause 3
    """
    from league.store.store import open_store
    from league.tournament.lifecycle import pause

    with open_store(db) as store:
        row = pause(store, tournament)
    note(f"tournament {row.id} stops after the matches in play; 'league resume {row.id}' goes on")
