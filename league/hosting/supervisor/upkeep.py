"""Upkeep of a host beside its processes: room on the disk, and measures."""

import os
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from league.hosting.model.services import HOST
from league.hosting.season.room import free_wanted, set_shortage
from league.hosting.store.host_store import HostStore
from league.hosting.supervisor.events import Tell
from league.model.errors import DatabaseError
from league.model.number_format import short_bytes

MARGIN = 1.1
"""A disk has room again when this much more than the least is free, so that it does not flicker."""


class DiskWatch:
    """Tells the other processes when the disk has too little room, and when it has some again.

    The disk is that of the database file; for a server, that of the logs. `free` tells its free
    bytes.
    """

    def __init__(
        self, store: HostStore, logs: Path, tell: Tell, free: Callable[[], int] | None = None
    ) -> None:
        folder = logs if store.path is None else store.path.resolve().parent
        self._store = store
        self._tell = tell
        self._free = free or (lambda: shutil.disk_usage(folder).free)
        self._is_short: bool | None = None

    def look(self) -> int:
        """Look how much is free, act on it, and return the bytes; raise `DatabaseError`."""
        free, wanted = self._free(), free_wanted(self._store)
        was_short = self._is_short
        is_short = free < (wanted * MARGIN if was_short else wanted)
        if is_short is not was_short:
            set_shortage(self._store, is_short)
        self._is_short = is_short
        if is_short and not was_short:
            told = f"{short_bytes(free)} free, {short_bytes(wanted)} are needed"
            self._tell("low disk", f"the season pauses and no upload is taken: {told}")
        elif was_short and not is_short:
            self._tell(
                "room", f"{short_bytes(free)} free: the season goes on, and uploads are taken"
            )
        return free


class Upkeep:
    """Looks at the disk and writes the supervisor's own heartbeat with what it knows."""

    def __init__(
        self,
        store: HostStore,
        disk: DiskWatch,
        tell: Tell,
        known: Callable[[], Mapping[str, Any]],
    ) -> None:
        self._store = store
        self._disk = disk
        self._tell = tell
        self._known = known
        self._is_away = False

    def look(self) -> None:
        """Do what is due; tell once if the database can't be reached."""
        try:
            free = self._disk.look()
            state = {"disk_free": free, "load": _load(), **self._known()}
            self._store.services.beat(HOST, os.getpid(), state)
        except (DatabaseError, OSError) as error:
            if not self._is_away:
                self._tell("warning", f"the host waits for its database: {error}")
            self._is_away = True
            return
        if self._is_away:
            self._tell("back", "the database is back")
        self._is_away = False


def _load() -> float:
    return round(os.getloadavg()[0], 2)
