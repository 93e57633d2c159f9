"""`league stats cost`."""

import click

from league.cli.console import print_answer
from league.cli.options import db_option, json_option, pool_options


@click.command("cost")
@pool_options
@db_option
@json_option
def command(game: str | None, tournament: int | None, db: str, as_json: bool) -> None:
    """Show the calls, tokens and cost of language models.

    All calls count that were made, also those of void and unfinished matches, but the matches and
    the mean cost of a match are those that count. The cost is by the prices among the options of a
    bot, in their money.

    \b
    Examples:
      league stats cost
      league stats cost --tournament 3
    """
    from league.api.league import League

    with League(db, read_only=True) as league:
        found = league.model_costs(game, tournament=tournament)
    print_answer(found, as_json)
