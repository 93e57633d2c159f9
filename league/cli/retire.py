"""`league retire`."""

import click

from league.cli.options import db_option


@click.command("retire")
@click.argument("name")
@click.option("--undo", is_flag=True, help="Bring a retired bot back.")
@db_option
def command(name: str, undo: bool, db: str) -> None:
    """Take a bot out of future tournaments; its results stay.

    \b
    Example:
      league retire mine
    """
    from league.api.league import League

    with League(db, create=False) as league:
        league.retire(name, undo=undo)
    click.echo(f"{name} is {'back' if undo else 'retired'}")
