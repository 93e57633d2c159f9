"""`league host reinstate`."""

import click

from league.cli.options import db_option


@click.command("reinstate")
@click.argument("team")
@click.option("--reason", default="", help="The reason that the team is given.")
@db_option
def command(team: str, reason: str, db: str) -> None:
    """Let a team play again, whatever took it out.

    The team gets a notice.

    \b
    Example:
      league host reinstate rooks --reason "a mistake of ours"
    """
    from league.api.host import Host
    from league.cli.console import note
    from league.store.store import open_store

    with open_store(db) as store:
        found = Host(store).reinstate(team, reason)
    note(f"team {found.name!r} is {found.standing}")
