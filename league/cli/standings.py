"""`league standings`."""

import csv
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from league.cli.console import print_answer, show
from league.cli.options import OWN_PROCESS, db_option, json_option, versions_option
from league.model.errors import DatabaseError

if TYPE_CHECKING:
    from league.analysis.standings import Standings

LAST = ("share", "total")
"""In CSV these columns come last, before those of places and of a tournament's tie-breaks."""


@click.command("standings")
@click.option("--game", help="One game only.")
@click.option(
    "--tournament", "tournaments", metavar="N,N", default="", help="These tournaments only: 3,4."
)
@click.option("--since", metavar="DATE", help="Matches since a date, 2026-03-31, or a span, 7d.")
@click.option("--time", metavar="TIME", help="Matches with this --time or --move-time.")
@versions_option("Versions to list.")
@click.option("--include-retired", is_flag=True, help="List retired bots too.")
@click.option("--system", default="fitted", show_default=True, help="Or elo:k=20, glicko2, nash, …")
@click.option(
    "--anchor", metavar="BOT=1500", help="Fix a bot's rating; a number alone fixes the mean."
)
@click.option("--matrix", is_flag=True, help="Show the likelihood of superiority of every pair.")
@db_option
@json_option
@click.option("--csv", "is_csv", is_flag=True, help="Print CSV.")
def command(
    game: str | None,
    tournaments: str,
    db: str,
    as_json: bool,
    is_csv: bool,
    **how: Any,
) -> None:
    """Show the standings of each game.

    Bots are ranked by rating. By default one model is fitted to all results, with 95% error bars.
    LOS is the likelihood that a bot is stronger than the next one. With --tournament you get the
    table of its format: points and tie-breaks, or places in a knockout or a ladder. Older versions
    and retired bots count as opponents but have no row of their own, except in the table of one
    tournament.

    \b
    Examples:
      league standings --game connectfour --anchor random=1000
      league standings --system elo:k=20
      league standings --since 7d --time 10+0.1
    """
    import gc

    context = click.get_current_context()
    if _is_usual(context):
        # A run keeps these: SQLAlchemy and NumPy alone take longer to import than all of this.
        from league.api.kept_standings import kept_standings

        if (kept := kept_standings(db)) is not None:
            show(kept)
            return
    if context.find_root().obj == OWN_PROCESS:
        # A million matches are some 100,000 small tuples, looked through again and again.
        gc.disable()

    from league.api.league import League

    with League(db, read_only=True) as league:
        if tournaments.isdigit() and not (how["since"] or how["time"]):
            league.game_of(int(tournaments), game)
            rank: Any = {word: how[word] for word in ("system", "anchor", "matrix")}
            found = league.tournament(int(tournaments)).standings(**rank)
        else:
            found = league.standings(game, tournaments=tournaments, **how)
    if is_csv:
        _print_csv(found.value, how["matrix"])
    else:
        print_answer(found, as_json)
    _keep_far(db, found.value)


def _is_usual(context: click.Context) -> bool:
    """Whether no option is given that changes what is shown."""
    names = {str(option.name) for option in context.command.params} - {"db"}
    default = click.core.ParameterSource.DEFAULT
    return all(context.get_parameter_source(name) is default for name in names)


def _keep_far(db: str, tables: "Sequence[Standings]") -> None:
    """Keep what took long to compute, where the database may be written."""
    from league.analysis.rating_history import FAR
    from league.store.store import open_store

    trends = [table.trend for table in tables if table.trend and table.trend.taken >= FAR]
    if not trends:
        return
    try:
        with open_store(db) as store:
            for each in trends:
                each.save(store)
    except DatabaseError:
        return


def _print_csv(tables: "Sequence[Standings]", matrix: bool) -> None:
    from league.analysis.standing_columns import COLUMNS
    from league.interchange.exports.csv import cell
    from league.model.number_format import ordinal

    writer = csv.writer(sys.stdout)
    if matrix:
        writer.writerow(("game", "bot", "against", "los"))
        for table in tables:
            names = [cell(row.bot) for row in table.rows if row.rank]
            for name, line in zip(names, table.los.tolist(), strict=True):
                for other, each in zip(names, line, strict=True):
                    if each == each:
                        writer.writerow((table.game, name, other, f"{each:.6f}"))
        return
    tiebreaks = dict.fromkeys(each for table in tables for each in table.outlook.tiebreaks)
    sides = max((len(row.places) for table in tables for row in table.rows), default=0)
    by_place = [ordinal(place + 1) for place in range(sides)]
    names = [each.key for each in COLUMNS if each.value and each.key not in LAST] + [*LAST]
    writer.writerow(("game", "tournament", "system", *names, *by_place, *tiebreaks))
    for table in tables:
        for row in table.rows:
            broken = dict(zip(table.outlook.tiebreaks, row.tiebreaks, strict=False))
            data = {each.key: cell(each.value(row)) for each in COLUMNS if each.value}
            cells = (table.game, table.tournament, table.system.name, *map(data.get, names))
            placed = [*row.places, *[None] * (sides - len(row.places))]
            writer.writerow((*cells, *placed, *(broken.get(each) for each in tiebreaks)))
