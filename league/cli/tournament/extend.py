"""`league tournament extend`."""

import click

from league.cli.console import note
from league.cli.options import db_option
from league.cli.play_tournament import how_it_goes_on


@click.command("extend")
@click.argument("tournament", type=int)
@click.option("--rounds", type=click.IntRange(1), help="So many rounds more.")
@click.option(
    "--until-error",
    type=click.FloatRange(0, min_open=True),
    metavar="ELO",
    help="On until every 95% bar is within this.",
)
@db_option
def command(tournament: int, rounds: int | None, until_error: float | None, db: str) -> None:
    """Make a tournament longer, even a finished one.

    \b
    Example:
      league tournament extend 3 --rounds 10
    """
    from league.api.league import League

    if rounds is None and until_error is None:
        raise click.UsageError("give --rounds, or --until-error")
    with League(db, create=False) as league:
        longer = league.extend(tournament, rounds or 0, until_error=until_error)
        done, went_on = longer.row.progress, how_it_goes_on(longer)
    note(f"tournament {tournament}: {done} matches played; {went_on}")
