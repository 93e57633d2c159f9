"""`league host reopen`."""

import click

from league.cli.options import db_option


@click.command("reopen")
@db_option
def command(db: str) -> None:
    """Take submissions again, before the final.

    Set another closing time first, if it is over: 'league host settings closes=…'.

    \b
    Example:
      league host reopen
    """
    from league.api.host import Host
    from league.render.text.host import season_line
    from league.store.store import open_store

    with open_store(db) as store:
        click.echo(season_line(Host(store).open()))
