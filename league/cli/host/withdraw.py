"""`league host withdraw`."""

import click

from league.cli.options import db_option


@click.command("withdraw")
@click.argument("team")
@click.option("--reason", required=True, help="The reason that the team is given.")
@db_option
def command(team: str, reason: str, db: str) -> None:
    """Take a team out of the season at its own request.

    Its results stay. 'league host reinstate' undoes it.

    \b
    Example:
      league host withdraw rooks --reason "you asked for it"
    """
    from league.api.host import Host
    from league.cli.console import note
    from league.store.store import open_store

    with open_store(db) as store:
        found = Host(store).withdraw(team, reason)
    note(f"team {found.name!r} is {found.standing}")
