"""Timed backups of the database: made beside the league's work, checked, and rotated."""

import re
import shutil
import threading
import time
from collections.abc import Callable
from pathlib import Path

from league.hosting.store.host_store import HostStore
from league.hosting.supervisor.events import Tell
from league.model.errors import LeagueError, SetupError
from league.model.number_format import short_bytes
from league.store.soundness import back_up

RETRY_S = 600.0
"""The longest wait after a backup that failed."""

_STAMP = "%Y%m%d-%H%M%S"
_STAMPED = r"-[0-9]{8}-[0-9]{6}\.db"


class Backups:
    """Backups of a database file in a folder; call `look` now and then.

    Each has the time (UTC) in its name and is made in a thread. The newest `keep` of them stay;
    other files in the folder are left alone.
    """

    def __init__(
        self,
        store: HostStore,
        folder: Path,
        tell: Tell,
        *,
        every_s: float,
        keep: int,
        clock: Callable[[], float] = time.time,
    ) -> None:
        if store.path is None:
            raise SetupError(
                "--backups copies a database file: back up a PostgreSQL server with pg_dump"
            )
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SetupError(f"no folder {str(folder)!r}: {error.strerror}") from None
        self._store, self._path = store, store.path
        self._folder = folder
        self._tell = tell
        self._every_s, self._keep = every_s, keep
        self._clock = clock
        made = self.made()
        self._due_s = made[-1].stat().st_mtime + every_s if made else 0.0
        self._thread: threading.Thread | None = None
        self.last_at: int | None = int(made[-1].stat().st_mtime) if made else None

    def made(self) -> list[Path]:
        """List the backups in the folder, the newest last."""
        pattern = re.compile(re.escape(self._path.stem) + _STAMPED)
        return sorted(each for each in self._folder.iterdir() if pattern.fullmatch(each.name))

    def look(self) -> None:
        """Begin a backup if one is due."""
        if self._clock() < self._due_s or (self._thread is not None and self._thread.is_alive()):
            return
        self._thread = threading.Thread(target=self.make, name="backup", daemon=True)
        self._thread.start()

    def make(self) -> bool:
        """Make a backup and delete the oldest; return whether that worked."""
        at_s = self._clock()
        path = self._folder / f"{self._path.stem}-{time.strftime(_STAMP, time.gmtime(at_s))}.db"
        try:
            self._check_room()
            back_up(self._store, path)
            self._rotate()
        except (LeagueError, OSError) as error:
            self._due_s = at_s + min(self._every_s, RETRY_S)
            self._tell("warning", f"no backup was made: {error}")
            return False
        self._due_s = at_s + self._every_s
        self.last_at = int(at_s)
        self._tell("backup", f"backup {path} ({short_bytes(path.stat().st_size)})")
        return True

    def finish(self) -> None:
        """Wait for a backup that is being made."""
        if self._thread is not None:
            self._thread.join()

    def _check_room(self) -> None:
        """Raise `SetupError` if a backup does not fit on its disk."""
        needed, free = self._path.stat().st_size, shutil.disk_usage(self._folder).free
        if free < needed:
            told = f"{short_bytes(free)} free, and {short_bytes(needed)} are needed"
            raise SetupError(f"{str(self._folder)!r} has {told}")

    def _rotate(self) -> None:
        for old in self.made()[: -self._keep]:
            old.unlink(missing_ok=True)
