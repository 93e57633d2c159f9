"""Standings and crosstables as tables."""

from collections.abc import Callable, Mapping, Sequence

from league.analysis.crosstable import Cell
from league.analysis.standing_columns import columns_of
from league.analysis.standing_rows import Standing
from league.analysis.standings import Standings
from league.analysis.tuning_table import TUNING_HEAD, tuning_rows
from league.render.text.score_parts import where
from league.render.text.table import Block, Table

LEFT_OUT = ("interval", "faults")

WIDE = ("score", "matches", "los_next")
"""Left out of a table with tie-breaks or payoffs too: it is to fit eighty columns."""

NO_MATCHES = "no matches yet: 'league run --game GAME --bots all' plays some"

SELF = "·"
"""Stands where a bot meets itself, or where two never met."""

Cells = Mapping[tuple[int, int], Cell]
"""The score of each version against each other one."""


def standings_blocks(table: Standings) -> list[Block]:
    """Return a table for each pool, or for a tournament, and what the tables do not show."""
    if table.outlook.tuning:
        tuned = Table(
            TUNING_HEAD,
            tuning_rows(table.outlook.tuning),
            right=TUNING_HEAD[1:],
            title=where(table.game, table.tournament),
        )
        return [tuned, *table.sentences()]
    is_wide = table.has_points or any(row.payoff for row in table.rows)
    without = (*LEFT_OUT, *WIDE) if is_wide else LEFT_OUT
    columns = columns_of(table.rows, without, table.outlook)
    title = where(table.game, table.tournament)
    title = title if table.system.name == "fitted" else f"{title}, {table.system.title}"
    pools = range(1, table.pools + 1) if table.is_by_rating else [0] if table.pools else []
    tables = []
    for pool in pools:
        rows = [row for row in table.rows if row.rank and pool in (0, row.pool)]
        tables.append(
            Table(
                [each.head for each in columns],
                [[each.text(row, table.system.digits) for each in columns] for row in rows],
                right=[each.head for each in columns if each.key not in ("bot", "record")],
                title=title if len(pools) == 1 else f"{title}, pool {pool}",
            )
        )
    faults = [f"{row.bot} {row.forfeits_told}" for row in table.rows if row.forfeits]
    told = [f"forfeits: {'; '.join(faults)}"] if faults else []
    return [*tables, *table.sentences(), *told]


def blocks_of_all(
    tables: Sequence[Standings], write: Callable[[Standings], list[Block]] = standings_blocks
) -> list[Block]:
    """Return what the standings of several games show."""
    blocks = [block for table in tables for block in write(table)]
    return blocks if any(table.rows or table.outlook.tuning for table in tables) else [NO_MATCHES]


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
        keys=2,
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
        keys=2,
    )


def points(cells: Cells, row: Standing, other: Standing) -> str:
    """Write what a bot scored against another: points / matches."""
    cell = cells.get((row.version, other.version))
    return SELF if cell is None else f"{cell.points:g}/{cell.matches}"
