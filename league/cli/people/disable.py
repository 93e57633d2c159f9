"""`league people disable`."""

import click

from league.cli.options import db_option, json_option


@click.command("disable")
@click.argument("login")
@db_option
@json_option
def command(login: str, db: str, as_json: bool) -> None:
    """Keep a person from signing in; nothing is deleted.

    The person is signed out everywhere, and their personal tokens stop working.

    \b
    Example:
      league people disable ada
    """
    from league.api.people import People
    from league.cli.console import note, print_answer
    from league.store.store import open_store

    with open_store(db) as store:
        people = People(store)
        person = people.disable(login)
        if as_json:
            print_answer(people.show(person.login), as_json)
    note(f"{person.login} is disabled")
