"""A copied new league is what the real statements make."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from league.model.errors import DatabaseError
from league.store.migration import create
from league.store.settings import SALT
from league.store.store import open_store
from tests.league.new_league import TEST_SALT

PRAGMAS = ("journal_mode", "page_size", "auto_vacuum", "user_version", "encoding")


def told(path: Path) -> list[object]:
    """Return all that is in a database, and how it is kept."""
    with closing(sqlite3.connect(path)) as connection:
        kept = [connection.execute(f"PRAGMA {name}").fetchall() for name in PRAGMAS]
        return [*kept, *connection.iterdump()]


def test_a_copy_is_what_is_made_but_for_its_salt(tmp_path: Path) -> None:
    create(str(tmp_path / "made.db"))
    with open_store(str(tmp_path / "made.db")) as store:
        store.settings.set(SALT, TEST_SALT)
    open_store(str(tmp_path / "copied.db"), create=True).close()
    assert told(tmp_path / "copied.db") == told(tmp_path / "made.db")


def test_a_league_that_can_not_be_made_is_told_as_ever(tmp_path: Path) -> None:
    with pytest.raises(DatabaseError, match="nowhere"):
        open_store(str(tmp_path / "nowhere" / "league.db"), create=True)
