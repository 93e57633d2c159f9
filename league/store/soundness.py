"""Checks of a database as a whole, and backups of SQLite files."""

import os
import sqlite3
import time
from contextlib import closing
from pathlib import Path

from sqlalchemy import inspect

from league.model.errors import DatabaseError, SetupError
from league.store.all_tables import added_tables, all_tables
from league.store.database import Database
from league.store.engine import damaged, shown, translated

CHECK_S = 5.0
"""Longest time for a check of a file; SQLite checks about a gigabyte in it."""

STEPS = 10_000
"""Number of steps of SQLite's virtual machine between two looks at the clock."""


def check_sound(db: Database) -> None:
    """Raise `DatabaseError` if a table is missing or a file is damaged.

    A large file is checked for about `CHECK_S`. Damage inside a stored text or record is for
    `league db verify` to find.
    """
    with db.reading() as connection:
        known = set(inspect(connection).get_table_names())
    missing = set(all_tables().tables) - known
    if added := sorted(missing.intersection(each.name for each in added_tables())):
        raise DatabaseError(
            f"{shown(db.target)} has no table {', '.join(added)} of an installed package: "
            "'league db upgrade' adds it",
            db.target,
        )
    if missing:
        reason = f"no table {', '.join(sorted(missing))}"
    elif db.path is None:
        return
    else:
        with translated(db.target):
            reason = found_damage(db.path)
    if reason:
        raise DatabaseError(damaged(shown(db.target), reason), db.target)


def back_up(db: Database, copy: Path, *, replaces: bool = False) -> None:
    """Write a consistent copy of a database file, also while others write to it.

    `copy` appears only when it is whole and sound; an existing file is refused unless the copy
    `replaces` it. Raises `SetupError` for a server's database.
    """
    if db.path is None:
        raise SetupError(
            f"{shown(db.target)} is on a server: back it up there with 'pg_dump "
            "--format=custom --file=league.dump NAME'"
        )
    if copy.exists() and not replaces:
        raise SetupError(f"{str(copy)!r} exists: give the backup another name")
    with translated(db.target):
        back_up_file(db.path, copy)


def found_damage(path: Path, budget_s: float = CHECK_S) -> str:
    """Return the first damage in an SQLite file; '' if none is found in that time."""
    end_s = time.monotonic() + budget_s
    with closing(sqlite3.connect(path)) as connection:
        connection.set_progress_handler(lambda: time.monotonic() > end_s, STEPS)
        try:
            (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        except sqlite3.OperationalError as error:
            if "interrupted" not in str(error):
                raise
            return ""
    return "" if found == "ok" else " ".join(str(found).split())


def back_up_file(path: Path, copy: Path) -> None:
    """Write a consistent copy of an SQLite file, for those who may read the file.

    Raises `DatabaseError` if it is damaged.
    """
    if not copy.parent.is_dir():
        raise SetupError(f"no folder {str(copy.parent)!r} for the backup")
    part = copy.with_name(f"{copy.name}.part-{os.getpid()}")
    try:
        part.touch(path.stat().st_mode)
        with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(part)) as target:
            source.backup(target)
        if reason := found_damage(part):
            raise DatabaseError(damaged(shown(str(path)), reason), str(path))
        part.replace(copy)
    finally:
        part.unlink(missing_ok=True)
