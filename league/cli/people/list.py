"""`league people list`."""

import click

from league.cli.options import db_option, json_option


@click.command("list")
@db_option
@json_option
def command(db: str, as_json: bool) -> None:
    """List the people with their teams.

    \b
    Examples:
      league people list
      league people list --json
    """
    from league.api.people import People
    from league.cli.console import print_answer
    from league.store.store import open_store

    with open_store(db, read_only=True) as store:
        print_answer(People(store).everybody(), as_json)
