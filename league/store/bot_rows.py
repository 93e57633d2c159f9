"""Reading the bots of a database, also without SQLAlchemy."""

import json

from league.store.file_rows import Execute, read_file
from league.store.rows import BotRow, VersionRow

_VERSIONS = """
    SELECT bot_id, id, number, spec, options, digest, created_at
    FROM version ORDER BY bot_id, number
"""

_BOTS = "SELECT id, name, is_retired, games, created_at FROM bot ORDER BY name_folded"


def read_bots(execute: Execute, include_retired: bool) -> tuple[BotRow, ...]:
    """Return the bots by name, with their versions."""
    versions: dict[int, list[VersionRow]] = {}
    for bot, number_of_row, number, spec, options, digest, created_at in execute(_VERSIONS):
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
        for bot, name, is_retired, games, created_at in execute(_BOTS)
        if include_retired or not is_retired
    )


def bots_in_file(target: str, *, include_retired: bool) -> tuple[BotRow, ...] | None:
    """Return the bots in a sound database file of this revision; None for anything else."""
    return read_file(target, lambda execute: read_bots(execute, include_retired))
