"""`league standings`."""

import csv
import sys
from collections import Counter
from typing import TYPE_CHECKING

import click

from league.cli.options import db_option, json_option

if TYPE_CHECKING:
    from league.records import Termination
    from league.standings import Standing
    from league.store import Store

HEAD = ("rank", "bot", "elo", "score", "W", "D", "L", "matches", "forfeits")


@click.command("standings")
@click.option("--game", help="One game only.")
@click.option("--tournament", type=int, help="One tournament only.")
@db_option
@json_option
@click.option("--csv", "is_csv", is_flag=True, help="Print CSV.")
def command(game: str | None, tournament: int | None, db: str, as_json: bool, is_csv: bool) -> None:
    """Show who stands where, game by game.

    A league is ranked by live Elo over all its matches, a tournament by score.

    \b
    Example:
      league standings --game connectfour
    """
    from games import catalogue
    from league.store import open_store

    with open_store(db, read_only=True) as store:
        chosen = catalogue.find(game).spec if game else None
        if tournament is not None:
            chosen = store.tournament(tournament).config.game
        show_standings(store, chosen, tournament, as_json, is_csv)


def show_standings(
    store: "Store", game: str | None, tournament: int | None, as_json: bool, is_csv: bool
) -> None:
    """Print the standings of one game, or of every game that was played."""
    from league.cli.console import print_json, print_table
    from league.standings import standings

    games = [game] if game else list(store.games_played())
    tables = {each: standings(store, each, tournament) for each in games}
    if as_json:
        print_json(
            [
                {
                    "game": each,
                    "tournament": tournament,
                    "standings": [row.as_json() for row in rows],
                }
                for each, rows in tables.items()
            ]
        )
    elif is_csv:
        writer = csv.writer(sys.stdout)
        writer.writerow(("game", *HEAD))
        for each, rows in tables.items():
            for row in rows:
                writer.writerow((each, *_row(row, sum(row.forfeits.values()), digits=4)))
    elif not any(tables.values()):
        click.echo("no matches yet: 'league run --game GAME --bots all' plays some")
    else:
        for each, rows in tables.items():
            print_table(
                HEAD,
                [_row(row, _forfeits(row.forfeits), digits=None) for row in rows],
                right=("rank", "elo", "score", "W", "D", "L", "matches"),
                title=each if tournament is None else f"{each}, tournament {tournament}",
            )


def _row(row: "Standing", forfeits: object, digits: int | None) -> tuple[object, ...]:
    """Return the cells under `HEAD`; a score with `digits` for machines, in percent for people."""
    return (
        row.rank,
        row.bot if digits is None else _cell(row.bot),
        f"{row.elo:.0f}" if digits is None else f"{row.elo:.1f}",
        f"{row.score:.1%}" if digits is None else f"{row.score:.{digits}f}",
        row.wins,
        row.draws,
        row.losses,
        row.matches,
        forfeits,
    )


def _forfeits(counts: "Counter[Termination]") -> str:
    return ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())) or "–"


def _cell(text: str) -> str:
    # A spreadsheet would take such a text for a formula.
    return f"'{text}" if text[:1] in "=+-@" else text
