"""The processor time that processes got, and how long they waited for it."""

from dataclasses import dataclass


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
        """Return the time that all threads together have waited for a processor."""
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
