"""`league resume`."""

from typing import Any

import click

from bots.support.specs import is_built_in
from league.cli.console import note
from league.cli.option_types import TOURNAMENT, WordType
from league.cli.options import db_option, json_option
from league.cli.play_tournament import (
    RunFlags,
    play_out,
    refuse_unattended,
    run_options,
)
from league.tournament.model_budgets import read_budget


@click.command("resume")
@click.argument("tournament", type=TOURNAMENT, required=False)
@click.option(
    "--bot-budget",
    "budgets",
    type=WordType("budget", read_budget, tuple),
    multiple=True,
    metavar="NAME=MONEY",
    help="Let a language model cost so much in the tournament (repeat).",
)
@run_options
@db_option
@json_option
def command(
    tournament: int | None,
    budgets: tuple[tuple[str, float], ...],
    db: str,
    as_json: bool,
    **playing: Any,
) -> None:
    """Play the remaining matches of a stopped tournament.

    Without a number, it resumes the newest unfinished tournament.

    \b
    Examples:
      league resume 3
      league resume 3 --bot-budget gpt=10
    """
    from league.api.league import League

    options = RunFlags(**playing)
    with League(db, create=False) as league:
        unfinished = league.unfinished(tournament)
        if options.unattended and not all(map(is_built_in, unfinished.bot_specs())):
            refuse_unattended(unfinished.row.config.limits.isolation)
        if budgets:
            unfinished.set_budgets(dict(budgets))
        if not options.quiet:
            row = unfinished.row
            note(f"tournament {row.id}: {row.progress} matches are played")
        play_out(unfinished, db, options, as_json=as_json)
