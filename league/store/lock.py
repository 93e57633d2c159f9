"""One runner for each tournament."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Engine, text

from league.errors import SetupError

_SPACE = 0x1EA6  # keeps our numbers apart from other users of the server's advisory locks


@contextmanager
def file_lock(database: Path, tournament: int) -> Iterator[None]:
    """Hold a tournament of a database file; the kernel lets it go however this process ends.

    A POSIX record lock: unlike flock it does not pass to forked workers, so that an orphan of a
    killed runner can't keep the tournament. Raises `SetupError` when another process holds it.
    """
    path = database.with_name(f"{database.name}.run-{tournament}")
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        try:
            fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):
            holder = os.read(descriptor, 20).decode("ascii", "replace").strip()
            raise _held(tournament, f" (process {holder})" if holder else "") from None
        os.ftruncate(descriptor, 0)
        os.write(descriptor, str(os.getpid()).encode())
        yield
        path.unlink(missing_ok=True)
    finally:
        os.close(descriptor)


@contextmanager
def server_lock(engine: Engine, tournament: int) -> Iterator[None]:
    """Hold a tournament of a PostgreSQL database for as long as its session lives."""
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        numbers = {"space": _SPACE, "tournament": tournament}
        taken = connection.execute(
            text("SELECT pg_try_advisory_lock(:space, :tournament)"), numbers
        ).scalar()
        if not taken:
            raise _held(tournament, "")
        try:
            yield
        finally:
            connection.execute(text("SELECT pg_advisory_unlock(:space, :tournament)"), numbers)


def _held(tournament: int, holder: str) -> SetupError:
    return SetupError(
        f"tournament {tournament} is being run by another process{holder}: wait for it, or stop it"
    )
