"""`league watch`."""

import time
from typing import TYPE_CHECKING, Any

import click

from league.cli.options import db_option

if TYPE_CHECKING:
    from league.store import Store, TournamentRow

LOOK_S = 1.0
LATEST = 5
"""How many of the newest matches are shown."""

BEST = 12
"""How many rows of the standings are shown."""


@click.command("watch")
@click.argument("tournament", type=int, required=False)
@db_option
def command(tournament: int | None, db: str) -> None:
    """Watch TOURNAMENT (or the newest) from another terminal, until it ends.

    Ctrl-C ends the watching, and not the tournament.

    \b
    Example:
      league watch 3
    """
    import sys

    from league.cli.console import note
    from league.cli.standings import show_standings
    from league.store import open_store
    from league.tournaments import newest

    with open_store(db, read_only=True) as store:
        row = newest(store, tournament)
        try:
            follow = _live if sys.stdout.isatty() else _lines
            follow(store, row)
        except KeyboardInterrupt:
            return
        row = store.tournament(row.id)
        show_standings(store, row.config.game, row.id, as_json=False, is_csv=False)
        note(_ending(row))


def _lines(store: "Store", row: "TournamentRow") -> None:
    while True:
        click.echo(f"tournament {row.id}: {row.progress} matches")
        if not _goes_on(store, row):
            return
        time.sleep(LOOK_S)
        row = store.tournament(row.id)


def _live(store: "Store", row: "TournamentRow") -> None:
    from rich.console import Console
    from rich.live import Live

    with Live(console=Console(), auto_refresh=False, transient=True) as live:
        while True:
            live.update(_drawn(store, row), refresh=True)
            if not _goes_on(store, row):
                return
            time.sleep(LOOK_S)
            row = store.tournament(row.id)


def _drawn(store: "Store", row: "TournamentRow") -> Any:
    from rich.console import Group
    from rich.progress_bar import ProgressBar
    from rich.text import Text

    from league.cli.console import clean
    from league.planner import Planner
    from league.standings import standings

    planner = Planner(store, row.id)
    expected = planner.schedule.expected()
    lines: list[Any] = [
        Text(clean(f"tournament {row.id}: {row.config.game}, {row.config.format}"), style="bold")
    ]
    if expected:
        lines += [ProgressBar(total=expected, completed=row.played, width=60), Text("")]
    of = "" if expected is None or row.total is not None else f" of about {expected}"
    lines.append(Text(f"{row.progress}{of} matches"))
    if said := planner.says():
        lines.append(Text(clean(said)))
    lines.append(Text(""))
    for each in standings(store, row.config.game, row.id).rows[:BEST]:
        counts = f"+{each.wins} ={each.draws} -{each.losses}"
        lines.append(
            Text(f"{each.rank or '–':>3} {clean(each.bot):<24} {each.score:>6.1%}  {counts}")
        )
    lines.append(Text(""))
    for match in store.matches(tournament=row.id, limit=LATEST):
        names = " – ".join(clean(str(version)) for version in match.versions)
        scores = " – ".join(f"{score:g}" for score in match.scores)
        lines.append(Text(f"match {match.id}: {names}  {scores}  {match.termination}", "dim"))
    return Group(*lines)


def _goes_on(store: "Store", row: "TournamentRow") -> bool:
    return row.state == "open" and store.is_in_play(row.id)


def _ending(row: "TournamentRow") -> str:
    if row.state != "open":
        return f"tournament {row.id} is {row.state}: {row.progress} matches"
    why = f" ({row.stop_reason})" if row.stop_reason else ""
    return f"tournament {row.id} is not in play{why}: 'league resume {row.id}' goes on"
