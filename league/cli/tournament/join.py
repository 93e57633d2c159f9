"""`league tournament join`."""

import click

from league.cli.console import note
from league.cli.option_types import TOURNAMENT
from league.cli.options import db_option
from league.cli.play_tournament import how_it_goes_on


@click.command("join")
@click.argument("tournament", type=TOURNAMENT)
@click.argument("bots", nargs=-1, required=True)
@db_option
def command(tournament: int, bots: tuple[str, ...], db: str) -> None:
    """Add bots to a tournament, also while it runs.

    In a round robin or a gauntlet they also play the matches they missed. In a Swiss tournament, a
    ladder or an adaptive tournament they join at the next stage.

    \b
    Example:
      league tournament join 3 newcomer
    """
    from league.api.league import League

    with League(db, create=False) as league:
        joined = league.join(tournament, bots)
        done, went_on = joined.row.progress, how_it_goes_on(joined)
    note(f"tournament {tournament}: {', '.join(bots)} joined, {done} matches played; {went_on}")
