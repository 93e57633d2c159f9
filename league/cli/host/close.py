"""`league host close`."""

import click

from league.cli.options import db_option


@click.command("close")
@db_option
def command(db: str) -> None:
    """Close submissions now and play the final.

    Submissions already received are still checked, and play in the final if they are accepted.

    \b
    Example:
      league host close
    """
    from league.api.host import Host
    from league.render.text.host import season_line
    from league.store.store import open_store

    with open_store(db) as store:
        click.echo(season_line(Host(store).close()))
