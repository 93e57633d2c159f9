"""`league db recover`."""

from pathlib import Path

import click

from league.cli.console import note
from league.cli.options import db_option


@click.command("recover")
@click.argument("file", type=click.Path(path_type=Path))
@db_option
def command(file: Path, db: str) -> None:
    """Save the readable part of a damaged database to a new file.

    The damaged database is not changed. Unreadable matches are left out; 'league resume' plays them
    again unless they were imported.

    \b
    Example:
      league db recover saved.db --db damaged.db
    """
    from league.model.errors import SetupError
    from league.store.engine import path_of
    from league.store.recovery import recover

    path = path_of(db)
    if path is None or not path.is_file():
        raise SetupError(f"{db!r} is not a file: only a database file can be recovered")
    found = recover(path, file)
    note(
        f"{file}: {found.bots} bots, {found.tournaments} tournaments, {found.matches} matches; "
        f"'league db verify --db {file}' checks them"
    )
