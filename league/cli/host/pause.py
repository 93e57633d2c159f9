"""`league host pause`."""

import click

from league.cli.options import db_option


@click.command("pause")
@db_option
def command(db: str) -> None:
    """Start no more matches; submissions are still received and checked.

    Matches in play end first. 'league host resume' continues the season.

    \b
    Example:
      league host pause
    """
    from league.api.host import Host
    from league.render.text.host import season_line
    from league.store.store import open_store

    with open_store(db) as store:
        click.echo(season_line(Host(store).pause()))
