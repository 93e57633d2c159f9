"""`league matches`."""

from typing import Any

import click

from league.cli.console import print_answer
from league.cli.options import db_option, json_option, pool_options


@click.command("matches")
@pool_options
@click.option("--search", metavar="TEXT", help="A part of a bot's name, or a match's number.")
@click.option("--bot", help="Matches of this bot only.")
@click.option("--opponent", metavar="BOT", help="Matches against this bot.")
@click.option("--result", help="Result for --bot: 'won', 'drawn' or 'lost'.")
@click.option("--termination", help="How it ended: 'rules', 'time forfeit', 'crash', …")
@click.option(
    "--machine", metavar="NAME", help="Matches that this machine of 'league work' played."
)
@click.option("--faults", is_flag=True, help="Matches that ended by a bot's fault.")
@click.option(
    "--since", metavar="DATE|SPAN", help="Matches that ended since 2026-03-31, or 7d, 12h ago."
)
@click.option("--until", metavar="DATE|SPAN", help="Matches that ended by then, that day included.")
@click.option(
    "--limit", type=click.IntRange(1), default=20, show_default=True, help="Matches to show."
)
@click.option("--offset", type=click.IntRange(0), default=0, help="Newest matches to skip.")
@db_option
@json_option
def command(
    faults: bool,
    db: str,
    as_json: bool,
    **wanted: Any,
) -> None:
    """List matches, newest first; replay and why take their numbers.

    \b
    Examples:
      league matches --bot mine --faults
      league matches --bot mine --opponent deep --result lost --since 7d
    """
    from league.api.league import League

    with League(db, read_only=True) as league:
        print_answer(league.matches(faults_only=faults, **wanted), as_json)
