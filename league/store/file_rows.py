"""Reading rows of a database file without SQLAlchemy, whose import takes longer than that."""

import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

from league.store.revision import HEAD

Execute = Callable[[str], Iterable[Any]]
"""Executes a statement without parameters and returns its rows."""

Found = TypeVar("Found")


def read_file(target: str, read: Callable[[Execute], Found]) -> Found | None:
    """Return what `read` finds in a sound database file of this revision; None for anything else.

    `open_store` then says what is wrong, or opens a server.
    """
    if "://" in target:
        return None
    uri = f"file:{quote(str(Path(target).resolve()))}?mode=ro"
    try:
        with closing(sqlite3.connect(uri, uri=True)) as connection:
            # One transaction, as in the store: all statements see the same state.
            connection.execute("BEGIN")
            if connection.execute("SELECT version_num FROM alembic_version").fetchone() != (HEAD,):
                return None
            return read(connection.execute)
    except (sqlite3.Error, KeyError, TypeError, ValueError):
        return None
