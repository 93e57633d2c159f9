"""`league tournament watch`."""

import time
from typing import TYPE_CHECKING

import click

from games.support.printable import printable
from league.cli.console import is_interactive, note, print_answer
from league.cli.option_types import TOURNAMENT
from league.cli.options import db_option
from league.store.rows import TournamentRow

if TYPE_CHECKING:
    from league.api.tournament import Tournament
    from league.store.store import Store

LOOK_S = 1.0


@click.command("watch")
@click.argument("tournament", type=TOURNAMENT, required=False)
@db_option
def command(tournament: int | None, db: str) -> None:
    """Watch a running tournament from another terminal.

    Without a number: the newest tournament.

    On a terminal, choose a match with the arrow keys and press Enter to replay it. Press ? for all
    keys. Press q or Ctrl-C to stop watching; the tournament continues.

    \b
    Example:
      league tournament watch 3
    """
    from league.api.league import League

    with League(db, read_only=True) as league:
        watched = league.tournament(tournament)
        try:
            if is_interactive():
                from league.cli.textual_app import run
                from league.cli.tournament.watch_screen import WatchApp

                run(WatchApp(league.store, watched.row, LOOK_S))
            else:
                _print_lines(league.store, watched)
        except KeyboardInterrupt:
            return
        print_answer(watched.standings(), as_json=False)
        note(_ending(watched.row, watched.is_in_play))


def _print_lines(store: "Store", watched: "Tournament") -> None:
    from league.analysis.outlook import outlook

    while True:
        says = outlook(store, watched.row).says
        told = f"tournament {watched.number}: {watched.row.progress} matches"
        click.echo(f"{told}; {printable(says)}" if says else told)
        if not watched.is_in_play:
            return
        time.sleep(LOOK_S)


def _ending(row: TournamentRow, is_in_play: bool) -> str:
    if row.state != "open":
        return f"tournament {row.id} is {row.state}: {row.progress} matches"
    if is_in_play:
        return f"tournament {row.id} is in play, and continues: {row.progress} matches so far"
    why = f" ({row.stop_reason})" if row.stop_reason else ""
    return f"tournament {row.id} is not in play{why}: 'league resume {row.id}' continues"
