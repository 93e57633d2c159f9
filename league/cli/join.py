"""`league join`."""

import click

from league.cli.console import note
from league.cli.options import db_option
from league.cli.play_tournament import how_it_goes_on


@click.command("join")
@click.argument("tournament", type=int)
@click.argument("bots", nargs=-1, required=True)
@db_option
def command(tournament: int, bots: tuple[str, ...], db: str) -> None:
    """Add BOTS to TOURNAMENT, also while it runs: what they lack is played.

    In a round robin and a gauntlet they play all that they missed; in a Swiss tournament, a ladder
    and an adaptive one they play from the next stage on.

    \b
    Example:
      league join 3 newcomer
    """
    from league.store.store import open_store
    from league.tournament.lifecycle import join

    with open_store(db) as store:
        row = join(store, tournament, bots)
        went_on = how_it_goes_on(store, row)
    note(f"tournament {row.id}: {', '.join(bots)} joined, {row.progress} matches played; {went_on}")
