"""`league host disqualify`."""

import click

from league.cli.options import db_option


@click.command("disqualify")
@click.argument("team")
@click.option("--reason", required=True, help="The reason that the team is given.")
@db_option
def command(team: str, reason: str, db: str) -> None:
    """Exclude a team.

    Its results stay, and it can submit nothing. 'league host reinstate' undoes it.

    \b
    Example:
      league host disqualify rooks --reason "it copies bishops"
    """
    from league.api.host import Host
    from league.cli.console import note
    from league.store.store import open_store

    with open_store(db) as store:
        found = Host(store).disqualify(team, reason)
    note(f"team {found.name!r} is {found.standing}")
