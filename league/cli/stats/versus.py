"""`league stats versus`."""

from typing import Any

import click

from league.cli.console import print_answer
from league.cli.options import db_option, json_option, pool_options, versions_option
from league.model.errors import SetupError


@click.command("versus")
@click.argument("one", metavar="BOT")
@click.argument("other", metavar="OTHER")
@pool_options
@versions_option("Which versions of the two count.")
@db_option
@json_option
def command(one: str, other: str, versions: str, db: str, as_json: bool, **pool: Any) -> None:
    """Compare two bots: score by seat, ending and opening.

    Elo, its error and the likelihood of superiority (LOS) are computed from encounters of two
    matches where they exist, as in `league sprt`. Scores in tables count single matches.

    \b
    Examples:
      league stats versus deep plain --game connectfour
      league stats versus mine@2 mine@1
    """
    from league.api.league import League

    with League(db, read_only=True) as league:
        found = league.versus(one, other, all_versions=versions == "all", **pool)
    if not as_json and not found.value:
        raise SetupError(str(found))
    print_answer(found, as_json)
