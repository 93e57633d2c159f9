"""`league watch`."""

import time
from typing import TYPE_CHECKING

import click

from league.cli.console import is_interactive, note, show
from league.cli.options import db_option
from league.store.rows import TournamentRow

if TYPE_CHECKING:
    from league.store.store import Store

LOOK_S = 1.0


@click.command("watch")
@click.argument("tournament", type=int, required=False)
@db_option
def command(tournament: int | None, db: str) -> None:
    """Watch TOURNAMENT (or the newest) from another terminal, until it ends.

    On a terminal, Enter replays the match that the arrow keys chose, ? tells the keys, and q ends
    the watching, as Ctrl-C does; neither ends the tournament.

    \b
    Example:
      league watch 3
    """
    from league.analysis.standings import standings
    from league.render.text.standings import standings_blocks
    from league.store.store import open_store
    from league.tournament.create import newest

    with open_store(db, read_only=True) as store:
        row = newest(store, tournament)
        try:
            if is_interactive():
                from league.cli.textual_app import run
                from league.cli.watch_screen import WatchApp

                run(WatchApp(store, row, LOOK_S))
            else:
                _print_lines(store, row)
        except KeyboardInterrupt:
            return
        row = store.tournament(row.id)
        show(standings_blocks(standings(store, row.config.game, row.id)))
        note(_ending(row))


def _print_lines(store: "Store", row: TournamentRow) -> None:
    from league.tournament.lifecycle import is_running

    while True:
        click.echo(f"tournament {row.id}: {row.progress} matches")
        if not is_running(store, row):
            return
        time.sleep(LOOK_S)
        row = store.tournament(row.id)


def _ending(row: TournamentRow) -> str:
    if row.state != "open":
        return f"tournament {row.id} is {row.state}: {row.progress} matches"
    why = f" ({row.stop_reason})" if row.stop_reason else ""
    return f"tournament {row.id} is not in play{why}: 'league resume {row.id}' goes on"
