"""Saving what can be read of a damaged SQLite file in a new one."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from league.model.errors import DatabaseError, SetupError
from league.store.engine import damaged, shown, translated
from league.store.migration import HEAD, create, known_revisions, migrate
from league.store.sound_rows import keep_sound_rows
from league.store.store import open_store

CHUNK = 512
"""Number of row numbers to read at once; a damaged chunk is halved until the damage is isolated."""

BYTES_MIN = 8
"""The least bytes a row takes, which bounds the row numbers of a table whose end is unreadable."""

DERIVED = {"alembic_version", "lineup_total", "lineup_seat", "rating_snapshot", "in_play"}
"""Tables that are computed from the others."""


@dataclass(frozen=True, slots=True)
class Recovered:
    """The numbers of saved rows of each kind."""

    bots: int
    tournaments: int
    matches: int


def recover(path: Path, copy: Path) -> Recovered:
    """Save the sound rows of a league's file in the new file `copy`, at the newest revision.

    Matches are saved if their record is sound, with their encounters: `league resume` plays the
    others again, but those of an import are lost. Versions that are lost are saved as bots with
    results alone. Raises `SetupError` if `copy` exists, `DatabaseError` if nothing can be read.
    """
    if copy.exists() or not copy.parent.is_dir():
        reason = "exists" if copy.exists() else "is in a folder that does not exist"
        raise SetupError(f"{str(copy)!r} {reason}: give the new file another name")
    part = copy.with_name(f"{copy.name}.part")
    part.unlink(missing_ok=True)
    try:
        _copy_rows(path, part)
        with open_store(str(part)) as store:
            store.totals.recount()
            bots = len(store.bots.all(include_retired=True))
            found = Recovered(bots, len(store.tournaments.all()), len(store.matches.numbers()))
        part.replace(copy)
    finally:
        for left in part.parent.glob(f"{part.name}*"):
            left.unlink()
    return found


def _copy_rows(path: Path, part: Path) -> None:
    target = str(part)
    with (
        translated(str(path)),
        closing(sqlite3.connect(f"file:{quote(str(path.resolve()))}?mode=ro", uri=True)) as source,
    ):
        # Read the tables that the rest of a damaged schema describes.
        source.execute("PRAGMA writable_schema=ON").close()
        revision = _revision(source, path)
        if revision == HEAD:
            create(target)
        else:
            migrate(target, revision=revision)
        with closing(sqlite3.connect(part)) as copy:
            for table, key in _tables(copy):
                _copy_table(source, copy, table, key)
            copy.commit()
            if revision != HEAD:
                # A migration refuses them.
                _drop_orphans(copy)
    if revision != HEAD:
        migrate(target)
    with translated(target), closing(sqlite3.connect(part)) as copy:
        keep_sound_rows(copy)
        _drop_orphans(copy)


def _revision(source: sqlite3.Connection, path: Path) -> str:
    """Return the revision of a file: the newest if it can't be read."""
    try:
        source.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except (sqlite3.Error, UnicodeDecodeError) as error:
        text = damaged(shown(str(path)), f"{error}; nothing can be read")
        raise DatabaseError(text, str(path)) from None
    with suppress(sqlite3.Error, UnicodeDecodeError, TypeError):
        (revision,) = source.execute("SELECT version_num FROM alembic_version").fetchone()
        if revision in known_revisions():
            return str(revision)
    return HEAD


def _tables(copy: sqlite3.Connection) -> list[tuple[str, str]]:
    """List the tables to copy, parents first, each with its key."""
    query = "SELECT name, sql FROM sqlite_master WHERE type = 'table' ORDER BY rowid"
    return [
        (name, "number" if "WITHOUT ROWID" in made else "rowid")
        for name, made in copy.execute(query)
        if name not in DERIVED
    ]


def _copy_table(source: sqlite3.Connection, copy: sqlite3.Connection, table: str, key: str) -> None:
    names = [row[1] for row in copy.execute(f"PRAGMA table_info({table!r})")]
    columns = ", ".join(names)
    places = ", ".join("?" * len(names))
    added = f'INSERT OR IGNORE INTO "{table}" ({columns}) VALUES ({places})'  # noqa: S608 (our own names)
    if key == "rowid":
        copy.executemany(added, _rows(source, f'{columns} FROM "{table}" WHERE', key))
        return
    # The other kind of table has rows for each tournament, numbered from 0.
    for (tournament,) in copy.execute("SELECT id FROM tournament").fetchall():
        wanted = f'{columns} FROM "{table}" WHERE tournament_id = {tournament:d} AND'
        copy.executemany(added, _rows(source, wanted, key))


def _rows(source: sqlite3.Connection, wanted: str, key: str) -> Iterator[tuple[Any, ...]]:
    """Yield all rows that can be read."""
    query = f"SELECT {wanted} {key} >= ? AND {key} < ?"
    for begin in range(0, _end(source, wanted, key), CHUNK):
        spans = [(begin, begin + CHUNK)]
        while spans:
            first, end = spans.pop()
            try:
                yield from source.execute(query, (first, end)).fetchall()
            except (sqlite3.Error, UnicodeDecodeError):
                if end - first > 1:
                    middle = (first + end) // 2
                    spans += [(middle, end), (first, middle)]


def _end(source: sqlite3.Connection, wanted: str, key: str) -> int:
    """Return a number above those of all rows."""
    table = wanted.partition("FROM ")[2]
    try:
        query = f"SELECT max({key}) FROM {table} {key} >= 0"  # noqa: S608 (names of our own)
        (last,) = source.execute(query).fetchone()
        return 0 if last is None else int(last) + 1
    except (sqlite3.Error, UnicodeDecodeError):
        (pages,) = source.execute("PRAGMA page_count").fetchone()
        (size,) = source.execute("PRAGMA page_size").fetchone()
        return int(pages * size) // BYTES_MIN


def _drop_orphans(copy: sqlite3.Connection) -> None:
    """Delete rows without parents, and then theirs."""
    while orphans := copy.execute("PRAGMA foreign_key_check").fetchall():
        for table, row, *_ in orphans:
            if row is None:
                parents = "SELECT id FROM tournament"
                copy.execute(f'DELETE FROM "{table}" WHERE tournament_id NOT IN ({parents})')  # noqa: S608
            else:
                copy.execute(f'DELETE FROM "{table}" WHERE rowid = ?', (row,))  # noqa: S608
    copy.commit()
