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
    help="Read this many of each bot's newest matches; 0 counts all, without reading moves.",
)
@versions_option("Versions to list.")
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

    Slack is the time left when a bot answered, on its clock or of its time per move. CPU is the
    share of that time in which the bot computed. A late move with little CPU was starved by the
    machine. Principal variations are counted if they have an illegal move, or go on after the end
    of the match.

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
