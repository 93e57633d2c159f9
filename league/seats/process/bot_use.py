"""What a bot takes with all its processes: how much now, and how much a match may take."""

import resource
import time
from enum import Enum

from league.platform import reserved_bytes
from league.platform.family import CROWD, Family
from league.seats.process.rlimits import ProcessLimits

LONGER = 4
"""A match may take so many times as much memory as the last one."""

LOOK_NS = 20_000_000
"""Interval between readings of the use of a bot that has no control group."""

STEADY = 1 << 20
"""A bot that has taken no more bytes than so since the last match is not looked at before each."""

NEVER_NS = 1 << 62


class Excess(Enum):
    """What a bot may take more of than it may have, in words."""

    MEMORY = "used too much memory with its children"
    PROCESSES = f"had more than {CROWD} processes"


class BotUse:
    """The memory that a bot uses and has reserved, and its processes, with their bounds.

    A control group bounds it better, and then nobody looks.
    """

    def __init__(self, family: Family, limits: ProcessLimits) -> None:
        self._family = family
        self._reserved_max = limits.limits.get(resource.RLIMIT_DATA)
        self._used_max = 0 if limits.group else (limits.memory_mb or 0) << 20
        self.due_ns = 0 if self._used_max else NEVER_NS
        """When somebody has to look, as the kernel does not bound it."""
        self._reserved = self._used = 0
        self._steady_until_ns = 0

    def excess(self, now_ns: int) -> Excess | None:
        """Look what the bot has too much of, at the time `now_ns`, and say when to look again."""
        use = self._family.use(self._used_max)
        self.due_ns = now_ns + LOOK_NS
        if use.processes > CROWD:
            return Excess.PROCESSES
        return Excess.MEMORY if use.memory > self._used_max else None

    def begin_match(self, pid: int) -> bool:
        """Note what the bot, `pid`, has before a match; return whether that may exhaust its memory.

        Some engines leave the stack of a thread behind at each search.
        """
        if (now_ns := time.monotonic_ns()) < self._steady_until_ns:
            return False
        used, reserved = self._used, self._reserved
        is_near = False
        if self._used_max:
            self._used = self._family.use(self._used_max).memory
            is_near = _is_near(used, self._used, self._used_max)
        if self._reserved_max is not None:
            self._reserved = reserved_bytes(pid)
            is_near = is_near or _is_near(reserved, self._reserved, self._reserved_max)
        if max(self._used - used, self._reserved - reserved) <= STEADY:
            self._steady_until_ns = now_ns + LOOK_NS
        return is_near


def _is_near(before: int, now: int, most: int) -> bool:
    return now + LONGER * (now - before) > most
