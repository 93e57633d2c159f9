"""`league host reopen`."""

import click

from league.cli.options import db_option


@click.command("reopen")
@click.option("--yes", is_flag=True, help="Do not ask before a final is cancelled.")
@db_option
def command(yes: bool, db: str) -> None:
    """Take submissions again, until the results are published.

    Set another closing time first, if it is over: 'league host settings closes=…'. A final that has
    begun is cancelled and counts for nothing. The next one begins again from the start.

    \b
    Example:
      league host reopen
    """
    from league.api.host import Host
    from league.cli.console import confirm
    from league.render.text.host import season_line
    from league.store.store import open_store

    with open_store(db) as store:
        host = Host(store)
        if host.season.final is not None and not yes:
            confirm("The final has begun. Take submissions again, and cancel it?")
        click.echo(season_line(host.open()))
