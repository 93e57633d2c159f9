"""`league matches`."""

from typing import Any

import click

from games.support.errors import UnknownNameError
from games.support.specs import find_game
from league.cli.console import print_answer
from league.cli.options import db_option, json_option
from league.cli.pool_options import pool_options
from league.model.records import Termination


@click.command("matches")
@pool_options
@click.option("--bot", help="Matches of this bot.")
@click.option("--termination", help="Ended so: 'rules', 'time forfeit', 'crash', …")
@click.option("--faults", is_flag=True, help="Ended by a bot's fault.")
@click.option("--limit", type=click.IntRange(1), default=20, show_default=True)
@click.option("--offset", type=click.IntRange(0), default=0)
@db_option
@json_option
def command(
    game: str | None,
    bot: str | None,
    termination: str | None,
    faults: bool,
    db: str,
    as_json: bool,
    **wanted: Any,
) -> None:
    """List matches, newest first; their numbers are what replay and why take.

    \b
    Example:
      league matches --bot mine --faults
    """
    from league.api.league import League

    kinds = [str(kind) for kind in Termination]
    if termination and termination not in kinds:
        raise UnknownNameError("termination", termination, kinds)
    with League(db, read_only=True) as league:
        found = league.matches(
            game=find_game(game).spec if game else None,
            bot=league.store.bot(bot).name if bot else None,
            termination=Termination(termination) if termination else None,
            faults_only=faults,
            **wanted,
        )
        print_answer(found, as_json)
