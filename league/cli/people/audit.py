"""`league people audit`."""

import click

from league.cli.options import db_option, json_option


@click.command("audit")
@click.argument("login", required=False)
@click.option(
    "--limit",
    type=click.IntRange(1, 100_000),
    default=50,
    show_default=True,
    help="Entries to show, the newest ones.",
)
@db_option
@json_option
def command(login: str | None, limit: int, db: str, as_json: bool) -> None:
    """List the audit log: who did what, and when.

    The newest entry comes first. With LOGIN, the list has only what that person did and what was
    done to them.

    \b
    Examples:
      league people audit
      league people audit ada --json
    """
    from league.api.people import People
    from league.cli.console import print_answer
    from league.store.store import open_store

    with open_store(db, read_only=True) as store:
        print_answer(People(store).audit(limit, login=login), as_json)
