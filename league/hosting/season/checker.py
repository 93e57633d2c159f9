"""The process of a checker: `python -m league.hosting.season.checker`, started by the intake.

It gets its settings as a JSON object on its input.
"""

import json
import logging
import resource
import signal
import sys
import time
from typing import Any

from league.hosting.season.intake import work_once
from league.hosting.season.practice import play_next
from league.hosting.store.host_store import HostStore, open_host_store
from league.model.errors import UnavailableError
from league.model.records import Isolation
from league.platform import BOUNDS_MEMORY, become_subreaper, die_with, forbid_tracing
from league.seats.source_folder import empty_cache

LOOK_S = 0.3
"""Interval between looks for a waiting submission."""

MEMORY_BYTES = 1 << 30
"""The most memory of a checker, apart from the processes that it starts."""


def main() -> None:
    """Check submissions, and play challenges between them, until this process is ended."""
    told: dict[str, Any] = json.loads(sys.stdin.buffer.read())
    # The intake hears Ctrl-C, and ends its checkers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    die_with(told["parent"])
    become_subreaper()
    forbid_tracing()
    _bound_memory()
    empty_cache()
    logging.basicConfig(level=logging.WARNING, format="%(name)s: %(message)s")
    with open_host_store(told["target"]) as store:
        while True:
            try:
                is_idle = not _work(store, told["worker"], Isolation(told["isolation"]))
            except UnavailableError as error:
                logging.getLogger(__name__).warning("%s", error)
                is_idle = True
            if is_idle:
                time.sleep(LOOK_S)


def _bound_memory() -> None:
    """Bound the memory of this process; a bot's own bounds take the place of this one."""
    if BOUNDS_MEMORY:
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        most = MEMORY_BYTES if hard == resource.RLIM_INFINITY else min(MEMORY_BYTES, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (most, hard))


def _work(store: HostStore, worker: str, isolation: Isolation) -> bool:
    season = store.seasons.get()
    if season is None:
        return False
    if work_once(store, season, worker=worker, isolation=isolation):
        return True
    return play_next(store, season, worker=worker, isolation=isolation) is not None


if __name__ == "__main__":
    main()
