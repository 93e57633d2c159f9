"""`league people show`."""

import click

from league.cli.options import db_option, json_option


@click.command("show")
@click.argument("login")
@db_option
@json_option
def command(login: str, db: str, as_json: bool) -> None:
    """Show what is stored about a person.

    \b
    Example:
      league people show ada
    """
    from league.api.people import People
    from league.cli.console import print_answer
    from league.store.store import open_store

    with open_store(db, read_only=True) as store:
        print_answer(People(store).show(login), as_json)
