"""`league why`."""

import shlex

import click

from league.cli.console import print_answer
from league.cli.option_types import MATCH
from league.cli.options import db_option, json_option


@click.command("why")
@click.argument("match", type=MATCH, required=False)
@db_option
@json_option
def command(match: int | None, db: str, as_json: bool) -> None:
    """Explain why a match ended, and how to see it again.

    Without a number: the newest match.

    \b
    Example:
      league why 17
    """
    from league.api.league import League

    options = "" if db == "league.db" else f" --db {shlex.quote(db)}"
    with League(db, read_only=True) as league:
        print_answer(league.match(match).why(options=options), as_json)
