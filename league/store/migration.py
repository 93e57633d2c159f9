"""Schema revisions: reading a database's revision and upgrading it to the newest."""

import sqlite3
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Column, Connection, MetaData, String, Table, insert, inspect, text

from league.model.errors import DatabaseError
from league.store.engine import make_engine, path_of, shown, translated
from league.store.tables import METADATA
from league.store.views import create_views

if TYPE_CHECKING:
    from alembic.config import Config

HEAD = "0009"
"""The newest revision in `migrations`; a test compares it with the scripts."""

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
            "'league upgrade' brings it up to date, with a backup",
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
    engine = make_engine(target, create=True)
    with (
        translated(target),
        engine.connect() as connection,
        connection.execution_options(is_write=True).begin(),
    ):
        # Another process may have created it meanwhile.
        if current_revision(connection) == "":
            METADATA.create_all(connection, checkfirst=False)
            create_views(connection)
            _VERSION.create(connection)
            connection.execute(insert(_VERSION).values(version_num=HEAD))


def migrate(target: str, scripts: Path | None = None) -> None:
    """Run all migrations in one transaction; create a missing file."""
    from alembic import command  # noqa: PLC0415 (slow, and only for schema changes)

    engine = make_engine(target, create=True)
    with translated(target), engine.connect() as connection:
        command.upgrade(alembic_config(connection, scripts), "head")


def upgrade_database(target: str) -> Upgrade:
    """Upgrade a database to the newest revision, after a backup beside it.

    Servers are not backed up; that is up to the user. Raises `DatabaseError` if there is no league,
    or one of a newer botleague.
    """
    with translated(target), make_engine(target).connect() as connection:
        before = current_revision(connection)
    if before == HEAD:
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
    migrate(target)
    return Upgrade(before, HEAD, backup)


def _back_up(path: Path, revision: str) -> Path:
    stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime())
    backup = path.with_name(f"{path.name}.backup-{revision}-{stamp}")
    with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(backup)) as copy:
        source.backup(copy)
    return backup
