"""The memory of a bot with all its processes: what it uses now, and what a match may take."""

import resource
import time

from league.platform import memory_watch, reserved_bytes
from league.seats.process.rlimits import ProcessLimits

LONGER = 4
"""A match may take so many times as much memory as the last one."""

LOOK_NS = 20_000_000
"""Interval between readings of the memory of a bot that has no control group."""


class BotMemory:
    """The memory that a bot uses and has reserved, with its bounds.

    `leader` is its first process, `pid` that of the bot itself. A control group bounds it better,
    and then nobody looks.
    """

    def __init__(self, leader: int, limits: ProcessLimits, *, is_nested: bool) -> None:
        self._reserved_max = limits.limits.get(resource.RLIMIT_DATA)
        self._used_max = (limits.memory_mb or 0) << 20
        watched_mb = None if limits.group else limits.memory_mb
        self._look = memory_watch(leader, watched_mb, is_nested=is_nested)
        self._reserved = self._used = 0
        self._looked_ns = 0

    @property
    def is_watched(self) -> bool:
        """Whether somebody has to look, because the kernel does not bound it."""
        return self._look is not None

    def is_exceeded(self) -> bool:
        """Whether the bot uses more than it may; between two looks, it is said not to."""
        now = time.monotonic_ns()
        if self._look is None or now < self._looked_ns + LOOK_NS:
            return False
        self._looked_ns = now
        return self._look() > self._used_max

    def begin_match(self, pid: int) -> bool:
        """Note what it has before a match; return whether the match may exhaust it.

        Some engines leave the stack of a thread behind at each search.
        """
        used, reserved = self._used, self._reserved
        is_near = False
        if self._look is not None:
            self._used = self._look()
            is_near = _is_near(used, self._used, self._used_max)
        if self._reserved_max is not None:
            self._reserved = reserved_bytes(pid)
            is_near = is_near or _is_near(reserved, self._reserved, self._reserved_max)
        return is_near


def _is_near(before: int, now: int, most: int) -> bool:
    return now + LONGER * (now - before) > most
