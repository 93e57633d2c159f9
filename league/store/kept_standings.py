"""The standings of a league, kept as they were shown, and read without SQLAlchemy.

They are derived: they hold while everything that they were computed from is the same, the code too.
"""

import hashlib
import json
import os
from functools import cache
from pathlib import Path
from typing import Any

from league.store.file_rows import Execute, read_file

KEY = "kept_standings"
"""The setting that holds them: the basis and the blocks."""

MOST = 1_000
"""In a league of more tournaments it takes too long to compare the basis."""

_SIZE = "SELECT count(*) FROM tournament"

_MANY = "SELECT 1 FROM lineup WHERE length(versions) - length(replace(versions, ',', '')) <> 1"

_KEPT = f"SELECT value FROM setting WHERE key = '{KEY}'"  # noqa: S608 (a constant)

_ROWS = (
    f"SELECT key, value FROM setting WHERE key <> '{KEY}' ORDER BY key",  # noqa: S608
    """
    SELECT version.id, number, bot_id, name, is_retired
    FROM version JOIN bot ON bot.id = bot_id
    WHERE version.id IN (SELECT version_id FROM lineup_seat) ORDER BY version.id
    """,
    "SELECT version_id, game, value FROM exploitability ORDER BY version_id, game",
    "SELECT id, game, config, total, state, revision, saves FROM tournament ORDER BY id",
)
"""The rows that standings follow from: of bots, those that have played.

Each transaction that changes matches or their totals raises `saves`.
"""


def read_basis(execute: Execute) -> str | None:
    """Return a digest of all that the standings of a league follow from; None for a large league.

    They follow from the game's file too where others than two seats meet, as it says whose seats
    belong together: `has_sides` tells, and such standings are not to be kept.
    """
    ((tournaments,),) = execute(_SIZE)
    if tournaments > MOST:
        return None
    found = [[list(row) for row in execute(query)] for query in _ROWS]
    return hashlib.sha256(json.dumps([_code(), found]).encode()).hexdigest()


def has_sides(execute: Execute) -> bool:
    """Whether there are matches of others than two seats."""
    return any(execute(_MANY))


def read_kept(execute: Execute) -> list[Any] | None:
    """Return the kept blocks if they still hold."""
    for (text,) in execute(_KEPT):
        kept = json.loads(text)
        if kept["basis"] == read_basis(execute):
            blocks: list[Any] = kept["blocks"]
            return blocks
    return None


def kept_in_file(target: str) -> list[Any] | None:
    """Return the blocks kept in a database file if they still hold; None for anything else."""
    return read_file(target, read_kept)


def kept_text(basis: str, blocks: list[Any]) -> str:
    """Return the value of the setting."""
    return json.dumps({"basis": basis, "blocks": blocks})


@cache
def _code() -> str:
    """Return a digest of the names, sizes and times of the league's modules."""
    digest = hashlib.sha256()
    for folder, folders, names in os.walk(Path(__file__).parents[1]):
        folders.sort()
        for name in sorted(names):
            if name.endswith(".py"):
                found = os.stat(os.path.join(folder, name))  # noqa: PTH116, PTH118 (faster)
                digest.update(f"{name} {found.st_size} {found.st_mtime_ns}\n".encode())
    return digest.hexdigest()
