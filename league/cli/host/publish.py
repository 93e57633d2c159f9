"""`league host publish`."""

import click

from league.cli.options import db_option


@click.command("publish")
@db_option
def command(db: str) -> None:
    """Publish the results of the final.

    Before that, only organisers see them, unless the setting publish-at-once is on.

    \b
    Example:
      league host publish
    """
    from league.api.host import Host
    from league.render.text.host import season_line
    from league.store.store import open_store

    with open_store(db) as store:
        click.echo(season_line(Host(store).publish()))
