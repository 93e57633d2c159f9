"""The schema's revisions."""

import multiprocessing
import sqlite3
from contextlib import closing
from multiprocessing.queues import SimpleQueue
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect

from league.hosting.store.host_store import open_host_store
from league.model.errors import DatabaseError
from league.model.records import MatchKey
from league.store.engine import make_engine, path_of
from league.store.migration import (
    HEAD,
    Upgrade,
    alembic_config,
    migrate,
    upgrade_database,
)
from league.store.tables import METADATA
from tests.league.matches import add_bots, add_tournament, won_match
from tests.league.postgres import emptied
from tests.league.store.next_revision import NEXT, SCRIPT, scripts_with_next, use_scripts


@pytest.mark.slow
def test_migrations_make_what_the_models_say(target: str) -> None:
    migrate(target)
    with make_engine(target).connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, METADATA) == []


CATALOGUE = {
    "sqlite": ("SELECT type, name, sql FROM sqlite_master",),
    "postgresql": (
        """
        SELECT table_name, column_name, ordinal_position, data_type, character_maximum_length,
            is_nullable, column_default
        FROM information_schema.columns WHERE table_schema = 'public'
        """,
        """
        SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid)
        FROM pg_constraint WHERE connamespace = 'public'::regnamespace
        """,
        "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'",
        "SELECT viewname, definition FROM pg_views WHERE schemaname = 'public'",
    ),
}
"""All that a database knows of its tables, indexes and views."""


def made(target: str) -> set[tuple[object, ...]]:
    """Return what a database knows of all but Alembic's own table."""
    with make_engine(target).connect() as connection:
        rows = [
            tuple(row)
            for query in CATALOGUE[connection.dialect.name]
            for row in connection.exec_driver_sql(query)
        ]
    return {row for row in rows if not any("alembic" in str(each) for each in row)}


@pytest.mark.slow
def test_a_new_database_is_what_migrations_make(target: str) -> None:
    migrate(target)
    migrated = made(target)
    path = path_of(target)
    if path is None:
        emptied(target)
    else:
        path.unlink()
    open_host_store(target, create=True)
    assert made(target) == migrated
    assert len(migrated) > len(METADATA.tables)
    assert upgrade_database(target).before == HEAD


def test_head_is_the_newest_script() -> None:
    assert ScriptDirectory.from_config(alembic_config(None)).get_current_head() == HEAD


def test_a_migration_of_a_parent_keeps_its_children(tmp_path: Path) -> None:
    """SQLite drops the old table of a batch migration: CASCADE must not follow."""
    target = str(tmp_path / "league.db")
    with open_host_store(target, create=True) as store:
        one, two = add_bots(store, "one", "two")
        tournament = add_tournament(store, one, two)
        batch = [(MatchKey(number, 0), won_match(one, two)) for number in range(7)]
        store.matches.save(tournament, batch)
    migrate(target, scripts=scripts_with_next(tmp_path, recreate="always"))
    with make_engine(target).connect() as connection:
        counts = [
            connection.exec_driver_sql(f'SELECT count(*) FROM "{table}"').scalar()  # noqa: S608 (names of our own)
            for table in ("match", "record", "lineup_seat", "version")
        ]
    assert counts == [7, 7, 2, 2]


def test_a_migration_that_fails_leaves_the_database_as_it_was(target: str, tmp_path: Path) -> None:
    open_host_store(target, create=True)
    scripts = scripts_with_next(tmp_path, revision="9998")
    failing = 'def upgrade() -> None:\n    """Fail."""\n    raise RuntimeError("no")\n'
    begun = SCRIPT.format(revision=NEXT, before="9998", recreate="").partition("def upgrade")[0]
    (scripts / "versions" / "9999_failing.py").write_text(begun + failing)
    with pytest.raises(RuntimeError, match="no"):
        migrate(target, scripts=scripts)
    with open_host_store(target) as store:
        assert store.bots.all() == ()
    with make_engine(target).connect() as connection:
        assert "extra" not in {each["name"] for each in inspect(connection).get_columns("bot")}
        assert set(inspect(connection).get_view_names()) == {"match_moves", "bot_results"}


def _set_revision(path: Path, revision: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = ?", (revision,))


def test_a_newer_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "league.db"
    open_host_store(str(path), create=True)
    _set_revision(path, "9999")
    with pytest.raises(DatabaseError, match="newer botleague"):
        open_host_store(str(path))
    with pytest.raises(DatabaseError, match="newer"):
        upgrade_database(str(path))


def test_an_older_database_is_upgraded_on_request_with_a_backup(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "league.db"
    with open_host_store(str(path), create=True) as store:
        add_bots(store, "one")
    use_scripts(scripts_with_next(tmp_path), monkeypatch)
    with pytest.raises(DatabaseError, match=r"older botleague.*'league db upgrade'"):
        open_host_store(str(path))
    done = upgrade_database(str(path))
    assert (done.before, done.after) == (HEAD, NEXT)
    assert done.backup is not None
    with closing(sqlite3.connect(done.backup)) as connection:
        assert connection.execute("SELECT name FROM bot").fetchall() == [("one",)]
        assert connection.execute("SELECT * FROM alembic_version").fetchall() == [(HEAD,)]
    with open_host_store(str(path)) as store:
        assert store.settings.get("k", "none") == "none"
    assert upgrade_database(str(path)).backup is None


def test_an_upgrade_that_finds_rows_without_parents_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "league.db"
    open_host_store(str(path), create=True)
    use_scripts(scripts_with_next(tmp_path), monkeypatch)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("INSERT INTO record VALUES (7, x'00', '')")
        before = list(connection.iterdump())
    with pytest.raises(DatabaseError, match=r"1 row .*'record'.*'league db recover'"):
        upgrade_database(str(path))
    with closing(sqlite3.connect(path)) as connection:
        assert list(connection.iterdump()) == before


def _upgrade(target: str, scripts: Path, begin: Barrier, found: "SimpleQueue[Upgrade]") -> None:
    with pytest.MonkeyPatch.context() as patch:
        use_scripts(scripts, patch)
        begin.wait()
        found.put(upgrade_database(target))


@pytest.mark.slow
def test_two_processes_upgrade_once(
    target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_host_store(target, create=True) as store:
        one, two = add_bots(store, "one", "two")
        store.matches.save(add_tournament(store, one, two), [(MatchKey(0, 0), won_match(one, two))])
    scripts = scripts_with_next(tmp_path)
    others = multiprocessing.get_context("forkserver")
    begin, found = others.Barrier(3), others.SimpleQueue()
    upgrades = [
        others.Process(target=_upgrade, args=(target, scripts, begin, found)) for _ in range(3)
    ]
    for each in upgrades:
        each.start()
    for each in upgrades:
        each.join()
    assert [each.exitcode for each in upgrades] == [0] * 3
    done = [found.get() for _ in upgrades]
    assert sorted(each.before == NEXT for each in done) == [False, True, True]
    assert sum(each.backup is not None for each in done) == len(list(tmp_path.glob("*backup*")))
    use_scripts(scripts, monkeypatch)
    with open_host_store(target) as store:
        assert len(store.matches.numbers()) == 1


def _create(target: str, begin: Barrier) -> None:
    begin.wait()
    open_host_store(target, create=True).close()


@pytest.mark.slow
def test_two_processes_create_one_league(target: str) -> None:
    others = multiprocessing.get_context("forkserver")
    begin = others.Barrier(3)
    creators = [others.Process(target=_create, args=(target, begin)) for _ in range(3)]
    for each in creators:
        each.start()
    for each in creators:
        each.join()
    assert [each.exitcode for each in creators] == [0] * 3
