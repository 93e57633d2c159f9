"""`league host close`."""

import click

from league.cli.options import db_option


@click.command("close")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@db_option
def command(yes: bool, db: str) -> None:
    """Close submissions now and play the final.

    Submissions already received are still checked, and play in the final if they are accepted.
    'league host reopen' undoes it until the results are published.

    \b
    Examples:
      league host close
      league host close --yes
    """
    from league.api.host import Host
    from league.cli.console import confirm, note
    from league.render.text.host import season_line
    from league.store.store import open_store

    with open_store(db) as store:
        host = Host(store)
        if not yes:
            name = host.season.settings.name
            confirm(f"Close submissions to {name!r} now, and then play the final?")
        click.echo(season_line(host.close()))
    note("'league host reopen' takes submissions again, until the results are published")
