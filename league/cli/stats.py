"""`league stats`."""

import click

from league.cli.console import print_some
from league.cli.options import db_option, json_option, pool_options


@click.command("stats")
@pool_options
@db_option
@json_option
def command(game: str | None, tournament: int | None, db: str, as_json: bool) -> None:
    """Show how matches went: draws, the first seat, lengths, endings, openings, cycles.

    In a cycle each bot beats the next and the last beats the first, each in so many encounters more
    than it loses that two equal bots would hardly ever differ so: a sign test at 95%.

    \b
    Example:
      league stats --game connectfour
    """
    from league.api.league import League

    with League(db, read_only=True) as league:
        found = league.stats(game, tournament=tournament)
    print_some(found, as_json)
