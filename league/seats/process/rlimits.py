"""Resource limits of a process, set between fork and exec."""

import os
import resource
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from league.seats.process.cgroup import BotGroup
from league.seats.process.namespace import enter_namespace
from league.seats.process.subreaper import allow_tracing, die_with

CPU_S = 24 * 3600
"""CPU time of a bot's process; it is restarted between matches long before."""

FILE_BYTES = 256 << 20
"""Maximum size of a file that a bot writes."""

FILES = 1024
"""Maximum open files of a bot."""

PROCESSES = 256
"""Maximum processes and threads of a bot, if they can be counted."""

PROCESSES_OF_USER = 4096
"""Allowed growth of a user's processes and threads, if only these can be counted.

Generous, because the user's own later programs also count and must not starve a bot.
"""


@dataclass(frozen=True, slots=True)
class ProcessLimits:
    """Resource limits, keyed by their numbers in `resource`; `enter` applies them.

    `processes` limits a whole sandbox once that is set up; None if `limits` has it or there is
    none. A process that `is_apart` enters a PID namespace first; `group` bounds it with its
    children.
    """

    limits: Mapping[int, int] = field(default_factory=dict)
    processes: int | None = None
    is_sacrificed: bool = False
    is_apart: bool = False
    group: BotGroup | None = None
    core: int | None = None

    @classmethod
    def none(cls) -> "ProcessLimits":
        """Return no limits: the process may do what the user may."""
        return cls()

    @classmethod
    def within(cls, data_mb: int | None, processes_of_user: int | None) -> "ProcessLimits":
        """Return the limits of a bot; `processes_of_user` is None in a sandbox.

        `data_mb` bounds allocations, not address space: JavaScript, Java and Go reserve many
        gigabytes that they never touch.
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
        """Apply the limits to this process, a child of `parent`, before it runs a program."""
        die_with(parent)
        if self.core is not None:
            os.sched_setaffinity(0, {self.core})
        if self.group:
            self.group.enter()
        if self.is_apart:
            enter_namespace()
        for kind, most in self.limits.items():
            hard = resource.getrlimit(kind)[1]
            bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(kind, (bound, bound))
        if self.is_sacrificed:
            _go_first()


def process_room() -> int:
    """Return a limit on this user's processes that contains fork bombs."""
    return _processes_of(os.geteuid()) + PROCESSES_OF_USER


@cache
def _processes_of(user: int) -> int:
    """Count a user's threads; cached, because it takes milliseconds."""
    count = 0
    for entry in Path("/proc").glob("[0-9]*/task"):
        try:
            status = entry.stat()
        except OSError:
            continue
        # A folder's link count is its subfolders plus two.
        count += status.st_nlink - 2 if status.st_uid == user else 0
    return count


def _go_first() -> None:
    """Make this process the first to be killed if the machine runs out of memory."""
    allow_tracing()
    try:
        Path("/proc/self/oom_score_adj").write_text("1000")
    except OSError:
        return
