"""`league db backup`."""

from pathlib import Path

import click

from league.cli.console import note
from league.cli.options import db_option


@click.command("backup")
@click.argument("file", type=click.Path(path_type=Path))
@db_option
def command(file: Path, db: str) -> None:
    """Copy the database to FILE, even while a tournament runs.

    The copy is checked, and appears only when it is complete. FILE must not exist. 'league run
    --backup-every 1h' makes a backup every hour.

    \b
    Example:
      league db backup league-monday.db
    """
    from league.api.league import League

    with League(db, create=False) as league:
        league.back_up(file)
    note(f"copied {db} to {file}")
