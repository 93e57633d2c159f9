"""`league people remove`."""

import sys

import click

from league.cli.options import db_option, json_option


@click.command("remove")
@click.argument("login")
@click.option("--yes", is_flag=True, help="Do not ask first.")
@db_option
@json_option
def command(login: str, yes: bool, db: str, as_json: bool) -> None:
    """Delete a person and what is stored about them.

    Deletes login, name, email address, password, sessions and tokens. The team and its bot stay.
    The audit log keeps the actions without the person's name.

    \b
    Example:
      league people remove ada
    """
    from league.api.people import People
    from league.cli.console import note, print_json
    from league.render.text.printable import clean
    from league.store.store import open_store

    with open_store(db) as store:
        people = People(store)
        found = people.show(people.find(login).login)
        if not yes:
            try:
                click.confirm(clean(f"Delete {login!r} for good?"), abort=True, err=True)
            except click.Abort:
                if sys.stdin.isatty():
                    raise
                raise click.UsageError("no answer: give --yes to confirm") from None
        people.remove(login)
    if as_json:
        print_json(found.to_dict())
    note(f"{login} is deleted")
