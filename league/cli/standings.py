"""`league standings`."""

import csv
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from games.support.specs import find_game
from league.cli.console import clean, print_json, print_table
from league.cli.options import OWN_PROCESS, db_option, json_option
from league.cli.pool_options import pool_options, where
from league.model.errors import DatabaseError

if TYPE_CHECKING:
    from league.analysis.standings import Anchor, Standing, Standings
    from league.store.store import Store

HEAD = ("rank", "bot", "rating", "±95%", "score", "+W =D -L", "matches", "LOS")
CSV_HEAD = (
    *("game", "tournament", "system", "pool", "rank", "bot", "version", "rating", "error"),
    *("score", "points", "W", "D", "L", "matches", "los_next", "forfeits"),
)


@click.command("standings")
@pool_options
@click.option("--system", default="fitted", show_default=True, help="Or elo:k=20, glicko2, …")
@click.option("--anchor", metavar="BOT=1500", help="Hold a bot there; 1500 holds the mean.")
@click.option("--matrix", is_flag=True, help="Who is likely stronger than whom.")
@db_option
@json_option
@click.option("--csv", "is_csv", is_flag=True, help="Print CSV.")
def command(
    game: str | None,
    tournament: int | None,
    system: str,
    anchor: str | None,
    matrix: bool,
    db: str,
    as_json: bool,
    is_csv: bool,
) -> None:
    """Show who stands where, game by game.

    Bots are ranked by their ratings, in a tournament too: by default those under which all results
    are likeliest, with bars of 95%. LOS is the likelihood that a bot is stronger than the next one.

    \b
    Examples:
      league standings --game connectfour --anchor random=1000
      league standings --system elo:k=20
    """
    import gc

    if click.get_current_context().find_root().obj == OWN_PROCESS:
        # A million matches are some 100,000 small tuples, looked through again and again.
        gc.disable()

    from league.analysis.standings import Anchor
    from league.store.store import open_store

    with open_store(db, read_only=True) as store:
        chosen = find_game(game).spec if game else None
        if tournament is not None:
            chosen = store.tournament(tournament).config.game
        held = Anchor.read(anchor) if anchor else None
        found = show_standings(
            store,
            game=chosen,
            tournament=tournament,
            as_json=as_json,
            is_csv=is_csv,
            system=system,
            anchor=held,
            matrix=matrix,
        )
    _keep_far(db, found)


def show_standings(
    store: "Store",
    *,
    game: str | None,
    tournament: int | None,
    as_json: bool = False,
    is_csv: bool = False,
    system: str = "fitted",
    anchor: "Anchor | None" = None,
    matrix: bool = False,
) -> "list[Standings]":
    """Print the standings of one game, or of every game that was played, and return them.

    Where the store may be written, the snapshots of the ratings are brought up to date too.
    """
    from league.analysis.rating_history import keep
    from league.analysis.standings import standings

    games = [game] if game else list(store.games_played())
    tables = [standings(store, each, tournament, system, anchor) for each in games]
    if as_json:
        from league.interchange.documents.tournaments import standings_document

        print_json([standings_document(table, matrix) for table in tables])
    elif is_csv:
        _print_csv(tables, matrix)
    elif not any(table.rows for table in tables):
        click.echo("no matches yet: 'league run --game GAME --bots all' plays some")
    else:
        for table in tables:
            _print_matrix(table) if matrix else _print(table)
    if not store.is_read_only:
        for each in games:
            keep(store, each)
    return tables


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


def _print(table: "Standings") -> None:
    """Print a table for each pool, and in words what it does not show."""
    head = [*HEAD]
    if any(row.forfeits for row in table.rows):
        head.append("forfeits")
    title = where(table.game, table.tournament)
    title = title if table.system.name == "fitted" else f"{title}, {table.system.title}"
    for pool in range(1, table.pools + 1):
        rows = [row for row in table.rows if row.pool == pool]
        print_table(
            head,
            [_row(row, table.system.digits)[: len(head)] for row in rows],
            right=("rank", "rating", "±95%", "score", "matches", "LOS"),
            title=title if table.pools == 1 else f"{title}, pool {pool}",
        )
    for line in table.sentences():
        click.echo(clean(line))


def _row(row: "Standing", digits: int) -> tuple[object, ...]:
    """Return the cells under `HEAD`, and the forfeits."""
    return (
        row.rank,
        row.bot,
        f"{row.rating:.{digits}f}",
        "–" if row.error is None else f"±{row.error:.{digits}f}",
        f"{row.score:.1%}",
        f"+{row.wins} ={row.draws} -{row.losses}",
        row.matches,
        "–" if row.los is None else percent(row.los),
        ", ".join(f"{count} {kind}" for kind, count in sorted(row.forfeits.items())) or "–",
    )


def percent(likelihood: float) -> str:
    """Write a likelihood; what is nearly certain is not written as certain."""
    return f"{min(max(likelihood, 0.001), 0.999):.1%}"


def _print_matrix(table: "Standings") -> None:
    """Print how likely the bot of each row is to be stronger than that of each column."""
    rows = [row for row in table.rows if row.rank]
    names = [f"{row.pool}:{row.rank}" if table.pools > 1 else str(row.rank) for row in rows]
    print_table(
        ("", "bot", *names),
        [
            (name, row.bot, *("–" if each != each else f"{100 * each:.0f}" for each in line))
            for name, row, line in zip(names, rows, table.los.tolist(), strict=True)
        ],
        right=("", *names),
        title=f"{table.game}: likelihood of superiority, %",
    )


def _print_csv(tables: "Sequence[Standings]", matrix: bool) -> None:
    from league.interchange.documents.document import to_dict
    from league.interchange.documents.tournaments import Standing as StandingDocument
    from league.interchange.exports.csv import cell

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
    writer.writerow(CSV_HEAD)
    for table in tables:
        for row in table.rows:
            data = to_dict(StandingDocument.of(row)) | {
                "game": table.game,
                "tournament": table.tournament,
                "system": table.system.name,
                "bot": cell(row.bot),
                "W": row.wins,
                "D": row.draws,
                "L": row.losses,
                "forfeits": sum(row.forfeits.values()),
            }
            writer.writerow(data[name] for name in CSV_HEAD)
