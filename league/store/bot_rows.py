"""Reading the bots of a database, also without SQLAlchemy."""

import json

from league.model.names import natural_order
from league.store.file_rows import Execute, read_file
from league.store.rows import BotRow, VersionRow

_VERSIONS = """
    SELECT bot_id, id, number, spec, options, digest, created_at
    FROM version WHERE bot_id IN ({bots}) ORDER BY bot_id, number
"""

_BOTS = "SELECT id, name, is_retired, games, created_at FROM bot {chosen} ORDER BY name_folded"


def read_bots(
    execute: Execute, include_retired: bool, limit: int | None = None, offset: int = 0
) -> tuple[BotRow, ...]:
    """Return the bots by name, with their versions: all, or a page of them."""
    chosen = _BOTS.format(chosen="" if include_retired else "WHERE is_retired = 0")
    wanted = "SELECT id FROM bot"
    # No SQL puts numbers in names in their order, and a league has few bots.
    bots = sorted(execute(chosen), key=lambda row: natural_order(row[1]))
    if limit is not None:
        bots = bots[offset : offset + limit]
        wanted = ", ".join(str(int(bot[0])) for bot in bots) or "NULL"
    versions: dict[int, list[VersionRow]] = {}
    of_bots = execute(_VERSIONS.format(bots=wanted))
    for bot, number_of_row, number, spec, options, digest, created_at in of_bots:
        row = VersionRow(
            id=number_of_row,
            number=number,
            spec=spec,
            options=json.loads(options),
            digest=digest,
            created_at=created_at,
        )
        versions.setdefault(bot, []).append(row)
    return tuple(
        BotRow(
            id=bot,
            name=name,
            is_retired=bool(is_retired),
            games=tuple(json.loads(games)),
            created_at=created_at,
            versions=tuple(versions[bot]),
        )
        for bot, name, is_retired, games, created_at in bots
    )


def bots_in_file(target: str, *, include_retired: bool) -> tuple[BotRow, ...] | None:
    """Return the bots in a sound database file of this revision; None for anything else."""
    return read_file(target, lambda execute: read_bots(execute, include_retired))
