"""Standings and crosstables as tables."""

from collections.abc import Mapping, Sequence

from league.analysis.standings import Cell, Standing, Standings
from league.render.text.score_parts import where
from league.render.text.table import Block, Table

HEAD = ("rank", "bot", "rating", "±95%", "score", "+W =D -L", "matches", "LOS")

NO_MATCHES = "no matches yet: 'league run --game GAME --bots all' plays some"

SELF = "·"
"""Stands where a bot meets itself, or where two never met."""

Cells = Mapping[tuple[int, int], Cell]
"""What each version scored against each other one."""


def standings_blocks(table: Standings) -> list[Block]:
    """Return a table for each pool, and sentences about what the tables do not show."""
    head = [*HEAD]
    if any(row.forfeits for row in table.rows):
        head.append("forfeits")
    points = ["points", *(each.short for each in table.outlook.tiebreaks)]
    points = points if table.has_points else []
    pools = range(1, table.pools + 1 if table.is_by_rating else 2)
    title = where(table.game, table.tournament)
    title = title if table.system.name == "fitted" else f"{title}, {table.system.title}"
    tables = [
        Table(
            [*head[:2], *points, *head[2:]],
            [
                _row(row, table.system.digits, len(points))[: len(points) + len(head)]
                for row in table.rows
                if row.rank and (row.pool == pool or not table.is_by_rating)
            ],
            right=("rank", *points, "rating", "±95%", "score", "matches", "LOS"),
            title=title if len(pools) == 1 else f"{title}, pool {pool}",
        )
        for pool in pools
        if table.pools
    ]
    return [*tables, *table.sentences()]


def matrix_blocks(table: Standings) -> list[Block]:
    """Return how likely the bot of each row is stronger than that of each column."""
    rows = [row for row in table.rows if row.rank]
    names = [f"{row.pool}:{row.rank}" if table.pools > 1 else str(row.rank) for row in rows]
    matrix = Table(
        ("", "bot", *names),
        [
            (name, row.bot, *("–" if each != each else f"{100 * each:.0f}" for each in line))
            for name, row, line in zip(names, rows, table.los.tolist(), strict=True)
        ],
        right=("", *names),
        title=f"{table.game}: likelihood of superiority, %",
    )
    return [matrix]


def crosstable_table(title: str, rows: Sequence[Standing], cells: Cells) -> Table:
    """Tabulate the points of each bot of each match against each other bot."""
    columns = [str(row.rank) for row in rows]
    return Table(
        ("", "bot", *columns, "points"),
        [
            (row.rank, row.bot, *(points(cells, row, other) for other in rows), f"{row.points:g}")
            for row in rows
        ],
        right=("", *columns, "points"),
        title=title,
    )


def points(cells: Cells, row: Standing, other: Standing) -> str:
    """Write what a bot scored against another: points / matches."""
    cell = cells.get((row.version, other.version))
    return SELF if cell is None else f"{cell.points:g}/{cell.matches}"


def percent(likelihood: float) -> str:
    """Write a likelihood; an almost certain one is not written as certain."""
    return f"{min(max(likelihood, 0.001), 0.999):.1%}"


def _row(row: Standing, digits: int, points: int) -> tuple[object, ...]:
    """Return the cells under `HEAD`, with so many for points, and the forfeits."""
    return (
        row.rank,
        row.bot,
        *row.points_told[:points],
        f"{row.rating:.{digits}f}",
        "–" if row.error is None else f"±{row.error:.{digits}f}",
        f"{row.score:.1%}",
        f"+{row.wins} ={row.draws} -{row.losses}",
        row.matches,
        "–" if row.los is None else percent(row.los),
        ", ".join(f"{count} {kind}" for kind, count in sorted(row.forfeits.items())) or "–",
    )
