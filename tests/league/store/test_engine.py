"""Databases that can't be used, and the settings of those that can."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from league.model.errors import DatabaseError, UnavailableError, UnknownRowError
from league.store.soundness import check_sound
from league.store.store import open_store
from tests.league.disturbances import fill, small_disk
from tests.league.matches import add_bots
from tests.league.postgres import emptied

VIEWS = "SELECT name FROM sqlite_master WHERE type = 'view'"


def test_a_missing_database_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(DatabaseError, match="'league register NAME SPEC' makes one"):
        open_store(str(tmp_path / "league.db"))
    assert list(tmp_path.iterdir()) == []


def test_other_files_are_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("not a database, but somebody's notes" * 100)
    before = path.read_bytes()
    with pytest.raises(DatabaseError, match="not a league's database"):
        open_store(str(path), create=True)
    assert path.read_bytes() == before


def test_a_database_of_something_else_holds_no_league(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE cake (flavour TEXT)")
    with pytest.raises(DatabaseError, match="holds no league"):
        open_store(str(path))


@pytest.mark.parametrize(
    "change", ["ALTER TABLE bot DROP COLUMN name", "DROP TABLE bot"], ids=["column", "table"]
)
def test_a_database_with_other_tables_is_told_so(tmp_path: Path, change: str) -> None:
    path = tmp_path / "league.db"
    open_store(str(path), create=True).close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA legacy_alter_table=ON")
        connection.execute("PRAGMA foreign_keys=OFF")
        for name in [row[0] for row in connection.execute(VIEWS)]:
            connection.execute(f'DROP VIEW "{name}"')
        connection.execute(change)
    with (
        open_store(str(path)) as store,
        pytest.raises(DatabaseError, match="has other tables than this botleague makes"),
    ):
        store.bots.all()


@pytest.mark.parametrize(
    ("target", "text"),
    [
        (".", "is a folder"),
        ("no/such/folder/league.db", "no folder"),
        ("mysql://host/db", "can't use 'mysql'"),
        ("://", "not a database URL"),
    ],
)
def test_bad_targets_are_named(target: str, text: str) -> None:
    with pytest.raises(DatabaseError, match=text):
        open_store(target, create=True)


@pytest.mark.extra
def test_a_server_that_is_away_is_said() -> None:
    pytest.importorskip("psycopg", reason="the PostgreSQL driver is not installed")
    with pytest.raises(DatabaseError, match=r"league:\*\*\*@"):
        open_store("postgresql://league:secret@127.0.0.1:1/none")


def test_a_locked_database_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("league.store.engine.BUSY_S", 0.05)
    path = tmp_path / "league.db"
    with open_store(str(path), create=True) as store:
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(DatabaseError, match="locked by another process"):
                add_bots(store, "one")
        add_bots(store, "one")


def test_a_locked_table_of_a_server_is_said(postgres: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import psycopg  # noqa: PLC0415 (an extra that need not be installed)

    monkeypatch.setattr("league.store.engine.BUSY_S", 0.05)
    with open_store(emptied(postgres), create=True) as store:
        with psycopg.connect(postgres) as other:
            other.execute("LOCK TABLE bot")
            # A test that waits for ever says nothing.
            other.execute("SET idle_in_transaction_session_timeout = '20s'")
            with pytest.raises(UnavailableError, match="locked by another process"):
                store.bots.all()
        add_bots(store, "one")


def test_a_text_that_no_row_can_have_is_no_damage(postgres: str) -> None:
    with open_store(emptied(postgres), create=True) as store:
        add_bots(store, "one")
        with pytest.raises(UnknownRowError):
            store.matches.count(search="a\0")
        with pytest.raises(UnknownRowError):
            store.bots.get("a\0")
        assert [each.name for each in store.bots.all()] == ["one"]


def test_a_full_disk_is_said_by_the_first_connection_too(tmp_path: Path) -> None:
    """It fails otherwise than a later one: there is no room for the index of its log."""
    with small_disk(tmp_path, 4) as reason:
        if reason:
            pytest.skip(reason)
        with open_store(str(tmp_path / "league.db"), create=True) as store:
            fill(tmp_path / "filler")
            with pytest.raises(UnavailableError, match="no room on the disk"):
                store.bots.all()
            with pytest.raises(UnavailableError, match="no room on the disk"):
                check_sound(store)


def test_sqlite_runs_under_the_settings_that_hold(tmp_path: Path) -> None:
    target = str(tmp_path / "league.db")
    with open_store(target, create=True) as store, store.reading() as connection:
        found = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        }
    assert found == {"journal_mode": "wal", "synchronous": 1, "foreign_keys": 1}


@pytest.mark.slow
def test_an_interrupt_as_a_database_closes_is_no_traceback(tmp_path: Path) -> None:
    """SQLAlchemy logs it before it goes on its way, and a log without a handler is printed."""
    code = (
        "from league.store.engine import make_engine\n"
        f"engine = make_engine({str(tmp_path / 'league.db')!r}, create=True)\n"
        "def interrupt(connection): raise KeyboardInterrupt\n"
        "engine.dialect.do_close = interrupt\n"
        "try:\n"
        "    engine.connect().close()\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted')"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (found.stdout, found.stderr) == ("interrupted\n", "")
