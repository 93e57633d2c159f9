"""What Linux tells of a process."""

import os
from pathlib import Path

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
