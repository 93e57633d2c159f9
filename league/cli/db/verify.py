"""`league db verify`."""

import click

from league.cli.console import counting, print_answer
from league.cli.options import db_option, json_option


@click.command("verify")
@click.option("--tournament", type=int, help="One tournament only.")
@db_option
@json_option
def command(tournament: int | None, db: str, as_json: bool) -> int:
    """Replay every stored match by the rules, and list every fault.

    The exit code is 1 if there is a fault.

    \b
    Example:
      league db verify --tournament 1
    """
    from league.api.league import League

    with League(db, read_only=True) as league, counting("replaying") as on_match:
        found = league.verify(tournament, on_match=on_match)
    print_answer(found, as_json)
    return 1 if found.value else 0
