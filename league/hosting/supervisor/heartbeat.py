"""The heartbeat of a process of the host."""

import logging
import os
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any, Self

from league.hosting.store.host_store import HostStore
from league.model.errors import DatabaseError

BEAT_S = 1.0
"""Interval between the heartbeats of a process."""

FRESH_S = 10.0
"""A process whose own work has beaten within that time is alive."""

_log = logging.getLogger("league.hosting.supervisor")


class ServiceHeartbeat:
    """Writes the heartbeat of a process in a thread, as long as its own work goes on.

    The work calls `beat` often, which only notes the time, so that a slow database holds nothing
    up. If these calls stop, the heartbeat does too, and the supervisor starts the process again.
    """

    def __init__(
        self,
        store: HostStore,
        name: str,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._name = name
        self._clock = clock
        self._state: Mapping[str, Any] | None = None
        self._beaten_s = clock()
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._write, name="heartbeat", daemon=True)

    def beat(self, state: Mapping[str, Any] | None = None) -> None:
        """Note that the work goes on, and its measures."""
        self._beaten_s = self._clock()
        if state is not None:
            self._state = state

    def write(self) -> bool:
        """Write the heartbeat if the work goes on; return whether it was written."""
        if self._clock() - self._beaten_s > FRESH_S:
            return False
        try:
            self._store.services.beat(self._name, os.getpid(), self._state)
        except DatabaseError as error:
            _log.warning("no heartbeat: %s", error)
            return False
        return True

    def __enter__(self) -> Self:
        self.write()
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._end.set()
        self._thread.join()

    def _write(self) -> None:
        while not self._end.wait(BEAT_S):
            self.write()
