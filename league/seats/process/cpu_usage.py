"""The processor time that processes got, and how long they waited for it."""

import os
import time
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

_CPUCLOCK_SCHED = 2
_JIFFY_NS = 1_000_000_000 // os.sysconf("SC_CLK_TCK")
_REAPED_FIELDS = slice(13, 15)
"""`cutime` and `cstime` in /proc/PID/stat, counted from the field after the name (proc(5))."""


@dataclass(frozen=True, slots=True)
class ThreadUsage:
    """The processor time that a thread got, how long it waited for more, and if it is ready now.

    The kernel adds a wait to `waited_ns` when it ends, so that the present one is not in it.
    """

    used_ns: int
    waited_ns: int
    is_ready: bool


@dataclass(frozen=True, slots=True)
class CpuUsage:
    """The CPU time of some processes at `at_ns` (`time.monotonic_ns`).

    `used_ns` is the processor time of their threads and of the children they have waited for.
    """

    at_ns: int
    used_ns: int
    threads: dict[int, ThreadUsage]

    @property
    def waited_ns(self) -> int:
        """How long all threads together have waited for a processor."""
        return sum(thread.waited_ns for thread in self.threads.values())

    def used_since(self, before: "CpuUsage") -> int:
        """Return the processor time since `before`."""
        return self.used_ns - before.used_ns

    def waited_since(self, before: "CpuUsage") -> int:
        """Return how long all threads together were ready since `before` without a processor."""
        waited = 0
        for tid, now in self.threads.items():
            then = before.threads.get(tid, _NONE)
            ended = now.waited_ns - then.waited_ns
            present = self.at_ns - before.at_ns - (now.used_ns - then.used_ns)
            waited += max(0, present if now.is_ready else ended)
        return waited


_NONE = ThreadUsage(0, 0, is_ready=False)


def usage_of(pids: Collection[int]) -> CpuUsage:
    """Return the CPU time of the processes; those that are gone count nothing.

    Where the kernel keeps no statistics of its scheduler, nothing ever waits.
    """
    used, threads = 0, dict[int, ThreadUsage]()
    for pid in pids:
        clock = cpu_clock(pid)
        try:
            used += (time.clock_gettime_ns(clock) if clock is not None else 0) + _reaped_ns(pid)
            for tid in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208 (names, a third of the time)
                task = f"{pid}/task/{tid}"
                ran, waited, _ = Path(f"/proc/{task}/schedstat").read_bytes().split()
                is_ready = _stat(task)[0] == b"R"
                threads[int(tid)] = ThreadUsage(int(ran), int(waited), is_ready)
        except (OSError, IndexError, ValueError):
            continue
    return CpuUsage(time.monotonic_ns(), used, threads)


def cpu_clock(pid: int) -> int | None:
    """Return a process's CPU clock for `time.clock_gettime_ns`; None if it is gone.

    Linux's encoding of clock_getcpuclockid(3), which Python does not expose. Reading it takes a
    microsecond; /proc takes twenty and counts in jiffies.
    """
    clock = (~pid << 3) | _CPUCLOCK_SCHED
    try:
        time.clock_gettime_ns(clock)
    except OSError:
        return None
    return clock


def _reaped_ns(pid: int) -> int:
    return sum(map(int, _stat(str(pid))[_REAPED_FIELDS])) * _JIFFY_NS


def _stat(task: str) -> list[bytes]:
    return Path(f"/proc/{task}/stat").read_bytes().rpartition(b") ")[2].split()
