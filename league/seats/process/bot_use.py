"""What a bot takes with all its processes: how much now, and how much a match may take."""

import resource
import time
from enum import Enum

from league.platform import family_watch, reserved_bytes
from league.platform.family import CROWD
from league.seats.process.rlimits import ProcessLimits

LONGER = 4
"""A match may take so many times as much memory as the last one."""

LOOK_NS = 20_000_000
"""Interval between readings of the use of a bot that has no control group."""


class Excess(Enum):
    """What a bot may take more of than it may have, in words."""

    MEMORY = "used too much memory with its children"
    PROCESSES = f"had more than {CROWD} processes"


class BotUse:
    """The memory that a bot uses and has reserved, and its processes, with their bounds.

    `leader` is its first process, `pid` that of the bot itself. A control group bounds it better,
    and then nobody looks.
    """

    def __init__(self, leader: int, limits: ProcessLimits, *, is_nested: bool) -> None:
        self._reserved_max = limits.limits.get(resource.RLIMIT_DATA)
        self._used_max = (limits.memory_mb or 0) << 20
        watched_mb = None if limits.group else limits.memory_mb
        self._look = family_watch(leader, watched_mb, is_nested=is_nested)
        self._reserved = self._used = 0
        self._looked_ns = 0

    @property
    def is_watched(self) -> bool:
        """Whether somebody has to look, because the kernel does not bound it."""
        return self._look is not None

    def excess(self) -> Excess | None:
        """Return what the bot has too much of; between two looks it has nothing."""
        now = time.monotonic_ns()
        if self._look is None or now < self._looked_ns + LOOK_NS:
            return None
        self._looked_ns = now
        use = self._look()
        if use.processes > CROWD:
            return Excess.PROCESSES
        return Excess.MEMORY if use.memory > self._used_max else None

    def begin_match(self, pid: int) -> bool:
        """Note what it has before a match; return whether the match may exhaust its memory.

        Some engines leave the stack of a thread behind at each search.
        """
        used, reserved = self._used, self._reserved
        is_near = False
        if self._look is not None:
            self._used = self._look().memory
            is_near = _is_near(used, self._used, self._used_max)
        if self._reserved_max is not None:
            self._reserved = reserved_bytes(pid)
            is_near = is_near or _is_near(reserved, self._reserved, self._reserved_max)
        return is_near


def _is_near(before: int, now: int, most: int) -> bool:
    return now + LONGER * (now - before) > most
