"""The schema's revisions."""

import multiprocessing
import re
import shutil
import sqlite3
from contextlib import closing
from multiprocessing.queues import SimpleQueue
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, text

from league.hosting.store.host_store import open_host_store
from league.model.errors import DatabaseError
from league.model.records import MatchKey
from league.store.engine import make_engine
from league.store.migration import (
    HEAD,
    Upgrade,
    alembic_config,
    changing_schema,
    migrate,
    scripts_folder,
    upgrade_database,
)
from league.store.tables import METADATA
from tests.league.matches import add_bots, add_tournament, won_match

BATCH = '''"""A change of a parent table, as a later revision may make one."""

import sqlalchemy as sa
from alembic import op

revision = "9999"
down_revision = "{head}"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Copy the table into one with another column."""
    for table in ("tournament", "lineup", "match", "bot"):
        with op.batch_alter_table(table, recreate="always") as batch:
            batch.add_column(sa.Column("extra", sa.Integer, nullable=True))
'''


@pytest.mark.slow
def test_migrations_make_what_the_models_say(target: str) -> None:
    migrate(target)
    with make_engine(target).connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, METADATA) == []


def shape(path: Path) -> dict[str, object]:
    """Tell all that SQLite knows of a database's tables, whatever order they were made in."""
    found: dict[str, object] = {}
    with closing(sqlite3.connect(path)) as connection:
        for name, made in connection.execute(
            "SELECT name, sql FROM sqlite_master WHERE type IN ('table', 'view')"
        ):
            facts = [
                connection.execute(f"PRAGMA {what}({name!r})").fetchall()
                for what in ("table_info", "foreign_key_list", "index_list")
            ]
            columns = sorted(row[1:] for row in facts[0])
            keys = sorted(row[2:] for row in facts[1])
            indexes = sorted(
                (*row[2:], str(connection.execute(f"PRAGMA index_info({row[1]!r})").fetchall()))
                for row in facts[2]
            )
            checks = sorted(re.findall(r"CHECK \(.*?\)", made))
            text = made if made.startswith("CREATE VIEW") else ""
            found[name] = columns, keys, indexes, checks, text, "WITHOUT ROWID" in made
    return found


def test_a_new_database_is_what_migrations_make(tmp_path: Path) -> None:
    migrate(str(tmp_path / "old.db"))
    open_host_store(str(tmp_path / "new.db"), create=True)
    old, new = (shape(tmp_path / name) for name in ("old.db", "new.db"))
    assert {"match", "bot_results"} <= set(new)
    for table in old | new:
        assert new.get(table) == old.get(table), table
    assert upgrade_database(str(tmp_path / "new.db")).before == HEAD


def test_head_is_the_newest_script() -> None:
    assert ScriptDirectory.from_config(alembic_config(None)).get_current_head() == HEAD


def test_a_migration_of_a_parent_keeps_its_children(tmp_path: Path) -> None:
    """SQLite drops the old table of a batch migration: CASCADE must not follow."""
    target = str(tmp_path / "league.db")
    with open_host_store(target, create=True) as store:
        one, two = add_bots(store, "one", "two")
        tournament = add_tournament(store, one, two)
        batch = [(MatchKey(number, 0), won_match(one, two)) for number in range(7)]
        store.save_matches(tournament, batch)
    scripts = tmp_path / "migrations"
    shutil.copytree(scripts_folder(), scripts)
    (scripts / "versions" / "9999_batch.py").write_text(BATCH.format(head=HEAD))
    migrate(target, scripts=scripts)
    with make_engine(target).connect() as connection:
        counts = [
            connection.exec_driver_sql(f'SELECT count(*) FROM "{table}"').scalar()  # noqa: S608 (names of our own)
            for table in ("match", "record", "lineup_seat", "version")
        ]
    assert counts == [7, 7, 2, 2]


def test_a_migration_that_fails_leaves_the_database_as_it_was(target: str, tmp_path: Path) -> None:
    open_host_store(target, create=True)
    scripts = tmp_path / "migrations"
    shutil.copytree(scripts_folder(), scripts)
    adding = BATCH.replace("9999", "9998").replace("always", "auto").format(head=HEAD)
    (scripts / "versions" / "9998_adding.py").write_text(adding)
    failing = 'def upgrade() -> None:\n    """Fail."""\n    raise RuntimeError("no")\n'
    begun = BATCH.format(head="9998").partition("def upgrade")[0]
    (scripts / "versions" / "9999_failing.py").write_text(begun + failing)
    with pytest.raises(RuntimeError, match="no"):
        migrate(target, scripts=scripts)
    with open_host_store(target) as store:
        assert store.bots() == ()
    with make_engine(target).connect() as connection:
        assert "extra" not in {each["name"] for each in inspect(connection).get_columns("bot")}
        assert set(inspect(connection).get_view_names()) == {"match_moves", "bot_results"}


def test_totals_of_older_matches_are_counted(target: str) -> None:
    with open_host_store(target, create=True) as store:
        one, two = add_bots(store, "one", "two")
        batch = [(MatchKey(number, 0), won_match(one, two)) for number in range(7)]
        store.save_matches(add_tournament(store, one, two), batch)
        kept = store.totals()
    with changing_schema(target) as connection:
        command.downgrade(alembic_config(connection), "0004")
    migrate(target)
    with open_host_store(target) as store:
        assert store.totals() == kept
        assert [each.count for each in kept] == [7]


def test_a_file_that_was_imported_twice_goes_on_as_its_first_tournament(target: str) -> None:
    with changing_schema(target) as connection:
        command.upgrade(alembic_config(connection), "0008")
    config = '{"source": "%s"}'
    with make_engine(target).execution_options(is_write=True).begin() as connection:
        for number, source in enumerate(("a", "", "a", "b"), 1):
            values = {"number": number, "config": config % source}
            connection.execute(
                text(
                    "INSERT INTO tournament (id, game, config, created_at) "
                    "VALUES (:number, 'chess', :config, 0)"
                ),
                values,
            )
    migrate(target)
    with make_engine(target).connect() as connection:
        rows = connection.exec_driver_sql("SELECT id, source FROM tournament ORDER BY id").all()
    assert [tuple(row) for row in rows] == [(1, "a"), (2, None), (3, None), (4, "b")]


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
    scripts = tmp_path / "migrations"
    shutil.copytree(scripts_folder(), scripts)
    (scripts / "versions" / "9999_batch.py").write_text(BATCH.format(head=HEAD))
    monkeypatch.setattr("league.store.migration.scripts_folder", lambda: scripts)
    monkeypatch.setattr("league.store.migration.HEAD", "9999")
    with pytest.raises(DatabaseError, match=r"older botleague.*'league db upgrade'"):
        open_host_store(str(path))
    done = upgrade_database(str(path))
    assert (done.before, done.after) == (HEAD, "9999")
    assert done.backup is not None
    with closing(sqlite3.connect(done.backup)) as connection:
        assert connection.execute("SELECT name FROM bot").fetchall() == [("one",)]
        assert connection.execute("SELECT * FROM alembic_version").fetchall() == [(HEAD,)]
    with open_host_store(str(path)) as store:
        assert store.setting("k", "none") == "none"
    assert upgrade_database(str(path)).backup is None


def test_an_upgrade_that_finds_rows_without_parents_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "league.db"
    _older(str(path))
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("INSERT INTO record (match_id, data) VALUES (7, x'00')")
        before = list(connection.iterdump())
    with pytest.raises(DatabaseError, match=r"1 row .*'record'.*'league db recover'"):
        upgrade_database(str(path))
    with closing(sqlite3.connect(path)) as connection:
        assert list(connection.iterdump()) == before


def _older(target: str) -> None:
    """Make a league with a match, of the revision before the newest."""
    with open_host_store(target, create=True) as store:
        one, two = add_bots(store, "one", "two")
        batch = [(MatchKey(0, 0), won_match(one, two))]
        store.save_matches(add_tournament(store, one, two), batch)
    with changing_schema(target) as connection:
        command.downgrade(alembic_config(connection), "-1")


def _upgrade(target: str, begin: Barrier, found: "SimpleQueue[Upgrade]") -> None:
    begin.wait()
    found.put(upgrade_database(target))


@pytest.mark.slow
def test_two_processes_upgrade_once(target: str, tmp_path: Path) -> None:
    _older(target)
    others = multiprocessing.get_context("forkserver")
    begin, found = others.Barrier(3), others.SimpleQueue()
    upgrades = [others.Process(target=_upgrade, args=(target, begin, found)) for _ in range(3)]
    for each in upgrades:
        each.start()
    for each in upgrades:
        each.join()
    assert [each.exitcode for each in upgrades] == [0] * 3
    done = [found.get() for _ in upgrades]
    assert sorted(each.before == HEAD for each in done) == [False, True, True]
    assert sum(each.backup is not None for each in done) == len(list(tmp_path.glob("*backup*")))
    with open_host_store(target) as store:
        assert len(store.match_ids()) == 1


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
