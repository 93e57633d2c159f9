"""The resource limits of a process, set between its fork and its first instruction."""

import os
import resource
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from league.seats.process.subreaper import die_with

CPU_S = 24 * 3600
"""The computing time of a bot's process; it is started afresh between matches long before."""

FILE_BYTES = 256 << 20
"""The size of any file that a bot writes."""

FILES = 1024
"""How many files a bot may have open."""

PROCESSES = 256
"""How many processes and threads a bot may have, where they can be counted."""

PROCESSES_OF_USER = 4096
"""How many processes and threads more than now a user may have, where only those count.

Generous, for the user's own later programs count too, and must not starve a bot.
"""


@dataclass(frozen=True, slots=True)
class ProcessLimits:
    """The resource limits of a process, by their numbers in `resource`.

    `processes` is for the sandbox, where they are counted by sandbox once it is made, None where
    the count is among `limits` or there is none. Calling it confines the process that it is in.
    """

    limits: Mapping[int, int] = field(default_factory=dict)
    processes: int | None = None
    is_sacrificed: bool = False

    @classmethod
    def none(cls) -> "ProcessLimits":
        """Return the limits of a process that may do what the user may."""
        return cls()

    @classmethod
    def within(cls, data_mb: int | None, processes_of_user: int | None) -> "ProcessLimits":
        """Return the limits of a bot.

        `data_mb` bounds what a command may allocate. Its address space is not what is bounded:
        JavaScript, Java and Go reserve many gigabytes of it that they never touch.
        `processes_of_user` is None in a sandbox.
        """
        limits = {
            resource.RLIMIT_CORE: 0,
            resource.RLIMIT_CPU: CPU_S,
            resource.RLIMIT_FSIZE: FILE_BYTES,
            resource.RLIMIT_NOFILE: FILES,
        }
        if data_mb is not None:
            limits[resource.RLIMIT_DATA] = data_mb << 20
        if processes_of_user is None:
            return cls(limits, PROCESSES, is_sacrificed=True)
        return cls({**limits, resource.RLIMIT_NPROC: processes_of_user}, is_sacrificed=True)

    def enter(self, parent: int) -> None:
        """Confine this process, a child of `parent`."""
        die_with(parent)
        for kind, most in self.limits.items():
            hard = resource.getrlimit(kind)[1]
            bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(kind, (bound, bound))
        if self.is_sacrificed:
            _go_first()


def process_room() -> int:
    """Return the bound on the number of this user's processes that keeps a bomb small."""
    return _processes_of(os.geteuid()) + PROCESSES_OF_USER


@cache
def _processes_of(user: int) -> int:
    """Count the threads of a user; once, for it takes milliseconds."""
    count = 0
    for entry in Path("/proc").glob("[0-9]*/task"):
        try:
            status = entry.stat()
        except OSError:
            continue
        # A folder has a link from each folder in it, and two of its own.
        count += status.st_nlink - 2 if status.st_uid == user else 0
    return count


def _go_first() -> None:
    """Let this be the process to end when the whole machine runs out of memory."""
    try:
        Path("/proc/self/oom_score_adj").write_text("1000")
    except OSError:
        return
