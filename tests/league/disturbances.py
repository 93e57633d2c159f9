"""What befalls a league that nobody watches: each is a context that lasts as long as it is held."""

import errno
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from league.platform import core_numbers
from tests.league.command import below
from tests.league.postgres import restart, stop

RUNNER, PARENT, WORKER, BOT = range(4)
"""How far below the runner a process stands."""

CHUNK = 1 << 16


@dataclass(slots=True)
class Site:
    """A league in play: its folder, its server ('' for a file), and the process that runs it."""

    folder: Path
    source: random.Random
    url: str = ""
    runner: int = 0

    @property
    def target(self) -> str:
        """The file or URL of its database."""
        return self.url or str(self.folder / "league.db")

    def size(self) -> int:
        """Return the bytes of its database."""
        if not self.url:
            return Path(self.target).stat().st_size
        import psycopg  # noqa: PLC0415 (an extra that need not be installed)

        with psycopg.connect(self.url) as connection:
            found = connection.execute("SELECT pg_database_size(current_database())").fetchone()
        assert found is not None
        return int(found[0])

    def draw(self, *generations: int) -> int | None:
        """Return a process so far below the runner, None where there is none."""
        generation = self.source.choice(generations)
        targets = [*below(self.runner), (self.runner, RUNNER)]
        found = [pid for pid, at in targets if at == generation]
        return self.source.choice(found) if found else None


Disturbance = Callable[[Site], AbstractContextManager[bool]]
"""Yields whether it has come about; a process that was to be hit may be gone."""


def kills(*generations: int) -> Disturbance:
    """Return what kills a process of one of the generations."""

    @contextmanager
    def killed(site: Site) -> Iterator[bool]:
        yield send(signal.SIGKILL, site.draw(*generations))

    return killed


def stops(*generations: int) -> Disturbance:
    """Return what suspends a process of one of the generations."""

    @contextmanager
    def stopped(site: Site) -> Iterator[bool]:
        pid = site.draw(*generations)
        try:
            yield send(signal.SIGSTOP, pid)
        finally:
            send(signal.SIGCONT, pid)

    return stopped


def send(number: int, pid: int | None) -> bool:
    """Send a signal; say whether there was a process to take it."""
    if pid is None:
        return False
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return False
    return True


@contextmanager
def locked_file(site: Site) -> Iterator[bool]:
    """Hold the lock of the database file from another connection."""
    with closing(
        sqlite3.connect(site.folder / "league.db", timeout=60, isolation_level=None)
    ) as other:
        # Even a lock needs room, and the disk may be full.
        with suppress(sqlite3.OperationalError):
            other.execute("BEGIN EXCLUSIVE").close()
        yield other.in_transaction


@contextmanager
def locked_tables(site: Site) -> Iterator[bool]:
    """Lock the table of matches on the server; it can still be read."""
    import psycopg  # noqa: PLC0415 (an extra that need not be installed)

    with ExitStack() as stack:
        is_locked = False
        # The server may be away, now or before the end.
        with suppress(psycopg.OperationalError):
            other = psycopg.connect(site.url)
            stack.callback(other.close)
            other.execute("LOCK TABLE match IN EXCLUSIVE MODE")
            is_locked = True
        yield is_locked


@contextmanager
def restarted_server(site: Site) -> Iterator[bool]:
    """Stop the server at once, and start it again in the end."""
    stop(site.url)
    try:
        yield True
    finally:
        restart(site.url)


@contextmanager
def full_disk(site: Site) -> Iterator[bool]:
    """Fill the small disk of the league's folder."""
    path = site.folder / "filler"
    fill(path)
    try:
        yield True
    finally:
        path.unlink()


def fill(path: Path) -> None:
    """Write a file until its disk has no room left."""
    with path.open("wb", buffering=0) as file:
        for size in (CHUNK, 512, 1):
            try:
                while True:
                    file.write(bytes(size))
            except OSError as error:
                if error.errno != errno.ENOSPC:
                    raise


@contextmanager
def busy_machine(site: Site) -> Iterator[bool]:
    """Compute beside the league, once a core."""
    with ExitStack() as stack:
        for _ in range(len(core_numbers())):
            process = subprocess.Popen([sys.executable, "-c", "while True: pass"])
            stack.callback(process.wait)
            stack.callback(process.kill)
        yield True


@contextmanager
def small_disk(folder: Path, size_mb: int) -> Iterator[str]:
    """Mount a disk of that size there; yield '' or the reason why that does not work here."""
    mount = shutil.which("mount")
    if mount is None or os.geteuid() != 0:
        yield "only root can mount a tmpfs"
        return
    command = [mount, "-t", "tmpfs", "-o", f"size={size_mb}m", "tmpfs", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        yield done.stderr.strip() or "mount failed"
        return
    try:
        yield ""
    finally:
        subprocess.run([shutil.which("umount") or "umount", "-l", str(folder)], check=True)
