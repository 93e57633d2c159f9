"""What Linux tells of a process."""

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PR_SET_CHILD_SUBREAPER = 36

STATE, PARENT, SESSION, USER_TICKS, SYSTEM_TICKS = 0, 1, 3, 11, 12
"""Places in what `stat_of` returns."""


def stat_of(pid: int) -> list[str]:
    """Return the fields behind the name in /proc/PID/stat, none for a process that is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def computed_s(pid: int) -> float:
    """Return how long a process has computed: a busy machine does not make that longer."""
    stat = stat_of(pid)
    return (int(stat[USER_TICKS]) + int(stat[SYSTEM_TICKS])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def adopting() -> Iterator[None]:
    """Become the parent of all orphans among the descendants of this process (prctl(2)).

    Processes that nobody ends can then be found below this process.
    """
    libc = ctypes.CDLL(None)
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1)
    try:
        yield
    finally:
        libc.prctl(PR_SET_CHILD_SUBREAPER, 0)


def named(pid: int) -> str:
    """Return the command line of a process, '' for one that is gone."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode().strip()
    except OSError:
        return ""
