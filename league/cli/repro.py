"""`league repro`."""

import click

from league.cli.console import print_answer
from league.cli.option_types import MATCH, MOVE_TIME
from league.cli.options import db_option, json_option
from league.cli.play_tournament import end_strays_at_last


@click.command("repro")
@click.argument("match", type=MATCH)
@click.option(
    "--ply",
    type=click.IntRange(1),
    help="Ply to play again, from 1 [the one that ended the match].",
)
@click.option("--move-time", type=MOVE_TIME, help="Override the tournament's time per move.")
@click.option(
    "--isolation", type=click.Choice(["none", "limits", "sandbox"]), help="[the tournament's]"
)
@db_option
@json_option
def command(
    match: int,
    ply: int | None,
    move_time: float | None,
    isolation: str | None,
    db: str,
    as_json: bool,
) -> None:
    """Play one move of a match again: same bot, history and seed.

    \b
    Example:
      league repro 17 --ply 12
    """
    from league.api.league import League

    end_strays_at_last()
    with League(db, read_only=True) as league:
        found = league.match(match).repro(ply, move_time=move_time, isolation=isolation)
    print_answer(found, as_json)
