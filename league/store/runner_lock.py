"""Locks that allow one runner per tournament, and one change of the schema."""

import fcntl
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sqlalchemy import Connection, Engine, exc, text

from league.model.errors import SetupError
from league.platform import is_locked
from league.store.engine import translated

_SPACE = 0x1EA6 << 48  # separates our numbers from other users of the server's advisory locks

CheckLock = Callable[[], None]
"""Raises `SetupError` if another process has taken the lock meanwhile."""

SCHEMA = 0
"""The number of the lock for changes of the schema; tournaments have the others."""

HOST = (1 << 32) - 1
"""The number of the lock of `league host`; no tournament comes near it."""

_File = tuple[int, int]

_HELD: dict[_File, int] = {}
"""The process that holds each lock file: this one, or the one that it was forked from.

Files are known by device and inode: on macOS, `cup.db` and `Cup.db` are the same file.

POSIX locks belong to the whole process: they never conflict within it, and closing any descriptor
of the file releases the lock. So a process does not reopen a file that it holds.
"""

_HELD_TURN = threading.Lock()


@contextmanager
def file_lock(database: Path, tournament: int) -> Iterator[CheckLock]:
    """Lock a tournament of a database file; the kernel releases it however this process ends.

    This is a POSIX record lock: unlike flock, forked workers do not inherit it, so an orphan of a
    killed runner can't keep it. Raises `SetupError` if another process or thread holds it.
    """
    path = _lock_path(database, tournament)
    with _HELD_TURN:
        if _is_own(path):
            raise _held(tournament, f" (process {os.getpid()})")
        descriptor = _locked(path, tournament)
        file = _file_of(os.fstat(descriptor))
        _HELD[file] = os.getpid()
    try:
        os.ftruncate(descriptor, 0)
        os.write(descriptor, str(os.getpid()).encode())
        # Only this process can release it.
        yield lambda: None
    finally:
        with _HELD_TURN:
            # Remove while locked: a process that has just opened the file then sees it is gone.
            path.unlink(missing_ok=True)
            os.close(descriptor)
            _HELD.pop(file, None)


def _locked(path: Path, tournament: int) -> int:
    """Return a locked descriptor of the lock file; raise `SetupError` if it is taken."""
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _is_file_of(descriptor, path):
                return descriptor
        except (BlockingIOError, PermissionError):
            holder = os.read(descriptor, 20).decode("ascii", "replace").strip()
            os.close(descriptor)
            raise _held(tournament, f" (process {holder})" if holder else "") from None
        # The holder removed the file after we opened it and before we locked it.
        os.close(descriptor)


def _is_own(path: Path) -> bool:
    """Whether this process holds a lock file."""
    try:
        return _HELD.get(_file_of(path.stat())) == os.getpid()
    except FileNotFoundError:
        return False


def _file_of(status: os.stat_result) -> _File:
    return status.st_dev, status.st_ino


def _is_file_of(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False


def is_file_locked(database: Path, tournament: int) -> bool:
    """Whether a process holds a tournament of a database file; does not take the lock."""
    path = _lock_path(database, tournament)
    with _HELD_TURN:
        if _is_own(path):
            return True
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC)
        except FileNotFoundError:
            return False
        try:
            return is_locked(descriptor)
        finally:
            os.close(descriptor)


def lock_key(number: int) -> int:
    """Return the key of one of our advisory locks."""
    return _SPACE | number


class ServerLock:
    """The lock of a tournament on a PostgreSQL server, which lasts as long as its session."""

    def __init__(self, engine: Engine, target: str, tournament: int) -> None:
        self._engine = engine
        self._target = target
        self._tournament = tournament
        self._session: Connection | None = None

    def take(self) -> None:
        """Take the lock in a new session; raise `SetupError` if another session holds it."""
        self.let_go()
        with translated(self._target):
            session = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
            self._session = session
            key = {"key": lock_key(self._tournament)}
            if not session.execute(text("SELECT pg_try_advisory_lock(:key)"), key).scalar():
                self.let_go()
                raise _held(self._tournament, "")

    def check(self) -> None:
        """Take the lock again if the server has ended its session; raises what `take` does.

        Called now and then, it also keeps the session from being idle.
        """
        try:
            if self._session is not None:
                self._session.execute(text("SELECT 1"))
                return
        except exc.SQLAlchemyError:
            pass
        self.take()

    def let_go(self) -> None:
        """End the session, which may have ended already."""
        if self._session is not None:
            with suppress(exc.SQLAlchemyError):
                # The server may notice the end of the session a while later.
                self._session.execute(text("SELECT pg_advisory_unlock_all()"))
            with suppress(exc.SQLAlchemyError):
                self._session.close()
            self._session = None


@contextmanager
def server_lock(engine: Engine, target: str, tournament: int) -> Iterator[CheckLock]:
    """Lock a tournament of a PostgreSQL database, and yield the function that keeps it locked."""
    lock = ServerLock(engine, target, tournament)
    lock.take()
    try:
        yield lock.check
    finally:
        lock.let_go()


def is_server_locked(connection: Connection, tournament: int) -> bool:
    """Whether a session holds a tournament of a PostgreSQL database."""
    query = text(
        "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND granted "
        "AND classid = :high AND objid = :low AND objsubid = 1 "
        "AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
    )
    high, low = divmod(lock_key(tournament), 1 << 32)
    return bool(connection.execute(query, {"high": high, "low": low}).scalar())


def _lock_path(database: Path, tournament: int) -> Path:
    ending = "host" if tournament == HOST else f"run-{tournament}"
    return database.resolve().with_name(f"{database.name}.{ending}")


def _held(tournament: int, holder: str) -> SetupError:
    if tournament == HOST:
        return SetupError(
            f"another process hosts this league{holder}: stop it first, or give another --db"
        )
    return SetupError(
        f"tournament {tournament} is being run by another process{holder}: wait for it, or stop it"
    )
