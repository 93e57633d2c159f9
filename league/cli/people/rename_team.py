"""`league people rename-team`."""

import click

from league.cli.options import db_option, json_option


@click.command("rename-team")
@click.argument("old")
@click.argument("new")
@db_option
@json_option
def command(old: str, new: str, db: str, as_json: bool) -> None:
    """Give a team and its bot another name.

    \b
    Example:
      league people rename-team rooks knights
    """
    from league.api.people import People
    from league.cli.console import note, print_json
    from league.interchange.documents.people import RenamedTeam
    from league.store.store import open_store

    with open_store(db) as store:
        people = People(store)
        before, team = store.team(old).name, people.rename_team(old, new)
    if as_json:
        print_json(RenamedTeam(team=team.name, before=before))
    note(f"{before} is {team.name} now")
