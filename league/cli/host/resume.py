"""`league host resume`."""

import click

from league.cli.options import db_option


@click.command("resume")
@db_option
def command(db: str) -> None:
    """Start matches again after a pause.

    The season continues where it was paused.

    \b
    Example:
      league host resume
    """
    from league.api.host import Host
    from league.render.text.host import season_line
    from league.store.store import open_store

    with open_store(db) as store:
        click.echo(season_line(Host(store).resume()))
