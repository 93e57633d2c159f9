"""Database engines for files and servers, with their settings."""

import logging
import sqlite3
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import Connection, Engine, create_engine, event, exc
from sqlalchemy.engine import URL, make_url
from sqlalchemy.pool import NullPool

from games.support.errors import InputError
from league.model.errors import DatabaseError, UnavailableError, UnknownRowError

# SQLAlchemy also logs what it raises: users would see a traceback before our one line.
logging.getLogger("sqlalchemy").addHandler(logging.NullHandler())

BUSY_S = 10.0

PAGE = "page_size=8192"
"""A new file's pages: only four chess matches fit a page of 4 kB, and a sixth of it stays empty."""

WRITES = {"is_write": True}
"""Execution options for a connection whose transaction will write."""


def url_of(target: str) -> URL:
    """Return the URL of a file or URL; raise `DatabaseError` if it is neither."""
    if "://" not in target:
        return URL.create("sqlite", database=target)
    try:
        url = make_url(target)
    except exc.ArgumentError:
        raise DatabaseError(f"{target!r} is not a database URL", target) from None
    backend = url.get_backend_name()
    if backend == "sqlite":
        return URL.create("sqlite", database=url.database)
    if backend in ("postgresql", "postgres"):
        return url.set(drivername="postgresql+psycopg")
    raise DatabaseError(
        f"can't use {backend!r} as a league's database: give a file, or postgresql://…", target
    )


def path_of(target: str) -> Path | None:
    """Return the path of a database file; None for a server."""
    url = url_of(target)
    return Path(url.database or "") if url.get_backend_name() == "sqlite" else None


def shown(target: str) -> str:
    """Return the database's name for messages: quoted, without a password."""
    return repr(url_of(target).render_as_string() if "://" in target else target)


def make_engine(target: str, *, create: bool = False, read_only: bool = False) -> Engine:
    """Return an engine; raise `DatabaseError` if the database is missing or unreachable.

    Each transaction opens its own connection: the runner forks, and an open SQLite connection must
    not survive a fork.
    """
    url = url_of(target)
    if url.get_backend_name() == "sqlite":
        return _sqlite_engine(target, Path(url.database or ""), create, read_only)
    try:
        engine = create_engine(_bounded(url), poolclass=NullPool)
    except ImportError:
        raise DatabaseError(
            "PostgreSQL needs its driver: pip install 'botleague[postgres]'", target
        ) from None
    if read_only:
        return engine.execution_options(postgresql_readonly=True)
    return engine


def _bounded(url: URL) -> URL:
    """Return a server's URL whose sessions wait for the locks of others for `BUSY_S` at most."""
    own = url.query.get("options", "")
    given = own if isinstance(own, str) else " ".join(own)
    # First, so that the user's own settings override it.
    return url.update_query_dict({"options": f"-c lock_timeout={BUSY_S:g}s {given}".strip()})


def reading_engine(engine: Engine) -> Engine:
    """Return an engine with the same settings whose transactions see one state of the database."""
    if engine.dialect.name == "sqlite":
        return engine
    # Under the server's default, READ COMMITTED, each query sees what was committed before it.
    return engine.execution_options(isolation_level="REPEATABLE READ")


@contextmanager
def translated(target: str) -> Iterator[None]:
    """Translate database errors into a `DatabaseError` that says what to do.

    What may work later raises `UnavailableError`, and rows that can't be decoded are damage. A
    value that no row can have raises `UnknownRowError`: a number that is too large, or for
    PostgreSQL a text with a NUL.
    """
    try:
        yield
    except InputError:
        raise
    except exc.DataError:
        raise UnknownRowError("a value that no row can have", "row", None) from None
    except exc.DBAPIError as error:
        raise _explained(
            target, _text_of(error.orig), isinstance(error, exc.OperationalError)
        ) from error
    except sqlite3.Error as error:
        raise _explained(target, _text_of(error), False) from error
    except OverflowError:
        # SQLite's driver rejects numbers of more than 64 bits before the query runs.
        raise UnknownRowError("number out of range", "row", None) from None
    except (KeyError, TypeError, ValueError, zlib.error) as error:
        # SQLite's driver also fails so on messages about a damaged schema.
        text = f"can't decode {error}" if isinstance(error, KeyError) else str(error)
        raise DatabaseError(damaged(shown(target), text), target) from error


def damaged(name: str, reason: str) -> str:
    """Say that a database is damaged, and what to do."""
    return (
        f"{name} is not a league's database, or is damaged ({_first_line(reason)}): put a backup "
        "in its place, or let 'league db recover' save the sound rows in a new file"
    )


def _sqlite_engine(target: str, path: Path, create: bool, read_only: bool) -> Engine:
    if path.is_dir():
        raise DatabaseError(f"{str(path)!r} is a folder: give a file, {path}/league.db", target)
    if not path.exists() and not create:
        raise DatabaseError(
            f"no league at {str(path)!r}: 'league register NAME SPEC' makes one, 'league host init "
            "--game GAME' one to which people submit, and --db names another",
            target,
        )
    if not path.parent.is_dir():
        raise DatabaseError(f"no folder {str(path.parent)!r} for the league's database", target)
    mode = "ro" if read_only else "rwc" if create else "rw"
    uri = f"file:{quote(str(path.resolve()))}?mode={mode}"

    def connect() -> sqlite3.Connection:
        # Disable the driver's transactions: `_begin` starts them itself.
        return sqlite3.connect(uri, uri=True, timeout=BUSY_S, isolation_level=None)

    engine = create_engine("sqlite://", creator=connect, poolclass=NullPool)
    event.listen(engine, "connect", _set_up_reader if read_only else _set_up)
    event.listen(engine, "begin", _begin)
    return engine


def _set_up(connection: Any, record: object) -> None:
    for pragma in (PAGE, "journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON"):
        _insist(connection, f"PRAGMA {pragma}")


def _insist(connection: Any, statement: str) -> None:
    """Execute a statement that SQLite may refuse at once, without waiting for a lock.

    It does where several connections change the journal of a new file at the same time.
    """
    deadline_s = time.monotonic() + BUSY_S
    while True:
        try:
            connection.execute(statement).close()
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline_s:
                raise
        time.sleep(0.01)


def _set_up_reader(connection: Any, record: object) -> None:
    connection.execute("PRAGMA query_only=ON").close()


def _begin(connection: Connection) -> None:
    # A transaction that reads and then writes under plain BEGIN fails with "database is locked" if
    # another wrote in between; IMMEDIATE waits its turn.
    options = connection.get_execution_options()
    is_write = options.get("is_write", False)
    if options.get("is_durable", False):
        # Each transaction has a connection of its own, so this lasts for one alone.
        connection.exec_driver_sql("PRAGMA synchronous=FULL")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if is_write else "BEGIN")


def _explained(target: str, text: str, is_operational: bool) -> DatabaseError:
    lowered = text.lower()
    name = shown(target)
    is_server = path_of(target) is None
    if "not a database" in lowered or "malformed" in lowered:
        return DatabaseError(damaged(name, text), target)
    if any(word in lowered for word in ("locked", "busy", "lock timeout")):
        reason = f"is locked by another process for more than {BUSY_S:g} s"
        return UnavailableError(f"{name} {reason}", target)
    if "full" in lowered or "no space" in lowered:
        advice = "free some, then 'league resume'"
        return UnavailableError(f"no room on the disk of {name}", target, advice)
    if "readonly" in lowered or "unable to open" in lowered or "read-only" in lowered:
        reason = "can't be opened for this: check the rights of the file and its folder"
        return DatabaseError(f"{name} {reason}", target)
    if any(lack in lowered for lack in ("no column named", "no such column", "no such table")):
        reason = f"has other tables than this botleague makes ({_first_line(text)})"
        return DatabaseError(f"{name} {reason}: begin a new database", target)
    reason = f"{name}: {_first_line(text) or 'no answer'}"
    if is_server and is_operational:
        return UnavailableError(reason, target, "check the server and the URL")
    return DatabaseError(reason, target)


def _text_of(error: BaseException | None) -> str:
    # On a full disk the first connection fails so, because it can't make the index of its log.
    if getattr(error, "sqlite_errorname", "") == "SQLITE_IOERR_SHMSIZE":
        return "database or disk is full"
    return str(error)


def _first_line(text: str) -> str:
    return text.strip().partition("\n")[0]
