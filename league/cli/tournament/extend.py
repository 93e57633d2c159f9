"""`league tournament extend`."""

import click

from league.cli.console import note
from league.cli.option_types import TOURNAMENT, WordType
from league.cli.options import db_option
from league.cli.play_tournament import how_it_goes_on
from league.tournament.settings import probability


@click.command("extend")
@click.argument("tournament", type=TOURNAMENT)
@click.option("--rounds", type=click.IntRange(1), help="Number of rounds to add.")
@click.option(
    "--until-error",
    type=click.FloatRange(0, min_open=True),
    metavar="ELO",
    help="Continue until every 95% error bar is within ELO.",
)
@click.option(
    "--until-best",
    type=WordType("probability", probability, float),
    metavar="PERCENT",
    help="Continue until the best bot is known with this probability.",
)
@db_option
def command(
    tournament: int,
    rounds: int | None,
    until_error: float | None,
    until_best: float | None,
    db: str,
) -> None:
    """Make a tournament longer, even a finished one.

    \b
    Example:
      league tournament extend 3 --rounds 10
    """
    from league.api.league import League

    if rounds is None and until_error is None and until_best is None:
        raise click.UsageError("give --rounds, --until-error or --until-best")
    with League(db, create=False) as league:
        longer = league.extend(
            tournament, rounds or 0, until_error=until_error, until_best=until_best
        )
        row, went_on = longer.row, how_it_goes_on(longer)
    added = f", --rounds is now {row.config.rounds}" if rounds else ""
    note(f"tournament {tournament}: {row.progress} matches played{added}; {went_on}")
