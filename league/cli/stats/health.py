"""`league stats health`."""

from typing import Any

import click

from league.cli.console import print_answer
from league.cli.options import db_option, json_option, pool_options, versions_option
from league.model.errors import SetupError


@click.command("health")
@click.argument("bot", required=False)
@pool_options
@click.option(
    "--matches",
    type=click.IntRange(0),
    default=200,
    show_default=True,
    help="Look at so many of each bot's newest matches; 0 counts all, and looks at no moves.",
)
@versions_option("Of each bot, the newest version that played, or all.")
@db_option
@json_option
def command(
    bot: str | None,
    versions: str,
    db: str,
    as_json: bool,
    **how: Any,
) -> None:
    """Show each bot's forfeits, time, speed and depth.

    Slack is what was left of the time for a move, on its clock or for the move alone. CPU is the
    share of the time in which the bot computed. A move late with little of it was starved.

    \b
    Examples:
      league stats health
      league stats health deep --game connectfour --matches 50
    """
    from league.api.league import League

    with League(db, read_only=True) as league:
        found = league.health(bot, all_versions=versions == "all", **how)
    if not as_json and not any(found.value.values()):
        raise SetupError(str(found))
    print_answer(found, as_json)
