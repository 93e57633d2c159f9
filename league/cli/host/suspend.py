"""`league host suspend`."""

import click

from league.cli.options import db_option


@click.command("suspend")
@click.argument("team")
@click.option("--reason", required=True, help="The reason that the team is given.")
@db_option
def command(team: str, reason: str, db: str) -> None:
    """Take a team's bot out until its next submission.

    The team gets a notice with the reason. 'league host reinstate' undoes it.

    \b
    Example:
      league host suspend rooks --reason "it floods its log"
    """
    from league.api.host import Host
    from league.cli.console import note
    from league.store.store import open_store

    with open_store(db) as store:
        found = Host(store).suspend(team, reason)
    note(f"team {found.name!r} is {found.standing}")
