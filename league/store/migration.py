"""Schema revisions: reading a database's revision and upgrading it to the newest."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Column, Connection, MetaData, String, Table, insert, inspect, text

from games.support.counts import counted
from league.model.errors import DatabaseError
from league.store.all_tables import add_missing, all_tables
from league.store.engine import WRITES, make_engine, path_of, shown, translated
from league.store.revision import HEAD as HEAD
from league.store.runner_lock import SCHEMA, lock_key
from league.store.soundness import back_up_file
from league.store.views import create_views

if TYPE_CHECKING:
    from alembic.config import Config

_VERSION = Table("alembic_version", MetaData(), Column("version_num", String(32), primary_key=True))
"""Alembic's own table, in which it stores the current revision."""


@dataclass(frozen=True, slots=True)
class Upgrade:
    """The revisions before and after an upgrade, and the backup if one was made."""

    before: str
    after: str
    backup: Path | None


def scripts_folder() -> Path:
    """Return the folder of the Alembic scripts, in the wheel or the checkout."""
    package = Path(__file__).parents[1] / "migrations"
    return package if package.is_dir() else Path(__file__).parents[2] / "migrations"


def alembic_config(connection: Connection | None, scripts: Path | None = None) -> "Config":
    """Return an Alembic configuration for one connection."""
    from alembic.config import Config  # noqa: PLC0415 (slow, and only for schema changes)

    config = Config()
    config.set_main_option("script_location", str(scripts or scripts_folder()).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def current_revision(connection: Connection) -> str:
    """Return the revision of a database; '' if it holds no league."""
    if not inspect(connection).has_table("alembic_version"):
        return ""
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar() or ""


def check_revision(connection: Connection, target: str) -> None:
    """Raise `DatabaseError` unless the database has the newest revision."""
    revision = current_revision(connection)
    if revision == HEAD:
        return
    if revision == "":
        raise DatabaseError(f"{shown(target)} holds no league", target)
    if revision in known_revisions():
        raise DatabaseError(
            f"{shown(target)} was made by an older botleague (revision {revision}, now {HEAD}): "
            "'league db upgrade' brings it up to date, with a backup",
            target,
        )
    raise DatabaseError(
        f"{shown(target)} was made by a newer botleague (revision {revision}, known {HEAD}): "
        "install the newer botleague",
        target,
    )


def known_revisions() -> frozenset[str]:
    """List the revisions in `migrations`."""
    from alembic.script import ScriptDirectory  # noqa: PLC0415 (slow, and only for an error)

    scripts = ScriptDirectory.from_config(alembic_config(None))
    return frozenset(script.revision for script in scripts.walk_revisions())


def create(target: str) -> None:
    """Create a league in an empty database directly at the newest revision, without migrations."""
    with changing_schema(target) as connection:
        if current_revision(connection):
            # Another process has created it meanwhile.
            check_revision(connection, target)
            return
        all_tables().create_all(connection, checkfirst=False)
        create_views(connection)
        _VERSION.create(connection)
        connection.execute(insert(_VERSION).values(version_num=HEAD))


@contextmanager
def changing_schema(target: str) -> Iterator[Connection]:
    """Change a schema in one transaction, alone; create a missing file.

    Raises `DatabaseError` and changes nothing if rows without parents are found or would be left.
    SQLite's foreign keys are switched off before the transaction begins (inside it that has no
    effect): a batch migration copies a table and drops the old one, and with ON DELETE CASCADE that
    drop would silently empty every table that refers to it.
    """
    with translated(target), make_engine(target, create=True).connect() as connection:
        is_sqlite = connection.dialect.name == "sqlite"
        raw = connection.connection.dbapi_connection
        if is_sqlite and raw is not None:
            raw.execute("PRAGMA foreign_keys=OFF").close()
        with connection.execution_options(**WRITES).begin():
            if is_sqlite:
                yield connection
                _check_parents(connection, target)
            else:
                key = {"key": lock_key(SCHEMA)}
                # An upgrade of another process may take long.
                connection.execute(text("SET LOCAL lock_timeout = 0"))
                connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), key)
                yield connection


def _check_parents(connection: Connection, target: str) -> None:
    orphans = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
    if orphans:
        rows = counted(len(orphans), "row")
        tables = ", ".join(sorted({repr(row[0]) for row in orphans}))
        raise DatabaseError(
            f"{shown(target)} has {rows} without parents in {tables}: nothing was changed; "
            "'league db recover' saves the sound rows in a new file",
            target,
        )


def migrate(target: str, scripts: Path | None = None, revision: str = "head") -> None:
    """Run the migrations up to a revision in one transaction; create a missing file."""
    with changing_schema(target) as connection:
        _run_scripts(connection, scripts, revision)


def upgrade_database(target: str) -> Upgrade:
    """Upgrade a database to the newest revision, after a backup beside it.

    Servers are not backed up; that is up to the user. If two processes upgrade at once, one waits
    for the other and then has nothing to do. Raises `DatabaseError` if there is no league, or one
    of a newer botleague.
    """
    with translated(target), make_engine(target).connect() as connection:
        # Raise for a missing file, which `changing_schema` would create.
        current_revision(connection)
    with changing_schema(target) as connection:
        before = current_revision(connection)
        if before == HEAD:
            add_missing(connection)
            return Upgrade(before, HEAD, None)
        if before == "":
            raise DatabaseError(f"{shown(target)} holds no league", target)
        if before not in known_revisions():
            raise DatabaseError(
                f"{shown(target)} has revision {before}, newer than {HEAD}: "
                "install the newer botleague",
                target,
            )
        path = path_of(target)
        backup = _back_up(path, before) if path else None
        _run_scripts(connection)
        add_missing(connection)
    return Upgrade(before, HEAD, backup)


def _run_scripts(
    connection: Connection, scripts: Path | None = None, revision: str = "head"
) -> None:
    from alembic import command  # noqa: PLC0415 (slow, and only for schema changes)

    command.upgrade(alembic_config(connection, scripts), revision)


def _back_up(path: Path, revision: str) -> Path:
    stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime())
    backup = path.with_name(f"{path.name}.backup-{revision}-{stamp}")
    back_up_file(path, backup)
    return backup
