"""The list of watched matches: a file beside the database, from the dashboard to the runner.

The dashboard can't write the database, and a message need not outlive either process. The runner
removes a mark that is old, and a dashboard that starts removes all of them that a killed process
has left. A league on a server has no such file: its matches are shown as if nobody watched them.
"""

import os
import re
import time
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

from league.model.records import MatchKey

LASTS_S = 3.0
"""A mark holds for so long after it was written."""

WATCHED_MAX = 8
"""Maximum number of matches of a tournament that are watched at once."""


class WatchMark:
    """The matches of a tournament that somebody watches; nothing without a database file."""

    def __init__(self, database: Path | None, tournament: int) -> None:
        self._path = database and database.with_name(f"{database.name}-watched-{tournament}")
        self._read_ns = 0
        self._until: dict[MatchKey, float] = {}

    def write(self, keys: Collection[MatchKey]) -> None:
        """Mark matches; without any, remove the file. It does nothing in a folder of others."""
        if self._path is None:
            return
        with suppress(OSError):
            if not keys:
                self._path.unlink(missing_ok=True)
                return
            text = "".join(f"{key.encounter} {key.rotation}\n" for key in keys)
            # Whole or not at all: the runner may be reading.
            fresh = self._path.with_name(f"{self._path.name}.{os.getpid()}")
            fresh.write_text(text, "ascii")
            fresh.replace(self._path)

    def read(self) -> frozenset[MatchKey]:
        """Return the matches that were marked in the last seconds."""
        if self._path is None:
            return frozenset()
        now_s = time.monotonic()
        # A number that is no number, or a mark of yesterday's, is nobody who watches.
        with suppress(OSError, ValueError):
            written_ns = self._path.stat().st_mtime_ns
            if _is_old(written_ns):
                self._path.unlink()
            elif written_ns != self._read_ns:
                for line in self._path.read_text("ascii").splitlines()[:WATCHED_MAX]:
                    encounter, rotation = map(int, line.split())
                    # Of two dashboards, one overwrites what the other has written.
                    self._until[MatchKey(encounter, rotation)] = now_s + LASTS_S
                self._read_ns = written_ns
        self._until = {key: end_s for key, end_s in self._until.items() if end_s > now_s}
        return frozenset(self._until)


def remove_old_marks(database: Path | None) -> None:
    """Remove the old marks of all tournaments, and what a killed process has left of one."""
    if database is None:
        return
    name = re.compile(rf"{re.escape(database.name)}-watched-[0-9]+(\.[0-9]+)?")
    with suppress(OSError):
        for path in database.parent.iterdir():
            if name.fullmatch(path.name) and _is_old(path.stat().st_mtime_ns):
                path.unlink(missing_ok=True)


def _is_old(written_ns: int) -> bool:
    return time.time() - written_ns / 1e9 >= LASTS_S
