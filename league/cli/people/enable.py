"""`league people enable`."""

import click

from league.cli.options import db_option, json_option


@click.command("enable")
@click.argument("login")
@db_option
@json_option
def command(login: str, db: str, as_json: bool) -> None:
    """Let a disabled person sign in again.

    The earlier password and personal tokens work again.

    \b
    Example:
      league people enable ada
    """
    from league.api.people import People
    from league.cli.console import note, print_answer
    from league.store.store import open_store

    with open_store(db) as store:
        people = People(store)
        person = people.enable(login)
        if as_json:
            print_answer(people.show(person.login), as_json)
    note(f"{person.login} is enabled")
