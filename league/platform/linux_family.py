"""A process with all its descendants on Linux: their time and memory, and how they stand still."""

import os
import signal
import time
from collections.abc import Callable, Collection
from functools import cache, partial

from league.platform.cpu_usage import CpuUsage, ThreadUsage
from league.platform.family import CROWD, FEW, Family, FamilyUse

_CPUCLOCK_SCHED = 2
_JIFFY_NS = 1_000_000_000 // os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")
_REAPED_FIELDS = slice(13, 15)
"""`cutime` and `cstime` in /proc/PID/stat, counted from the field after the name (proc(5))."""

STAND_S = 0.25
"""Longest time for suspended processes to stand still; they need a processor for that."""

STOP_NS = 200_000
"""The CPU time that a bot may take to stop; `freeze` does not wait for one without children."""

SHARE_S = 0.02
"""Longest time to find out which pages processes share."""

LISTS = 2
"""So many lists of processes in a row must agree: one that ends meanwhile hides its children."""

ALONE = 2
"""A bot without children, with the first process of its namespace: nobody can resume it."""


class LinuxFamily:
    """A process and its descendants, whatever their session.

    They are listed again only if a process or a thread was born on this machine since, and of a few
    the files in /proc stay open: a look takes some ten microseconds. Of a crowd, more than `CROWD`
    processes, it counts a part: a tree that grows without bound would never be counted to its end.
    The `leader` of a bot that `is_nested` is ours, and its memory does not count.
    """

    def __init__(self, leader: int, *, is_nested: bool = False) -> None:
        self._leader = leader
        self._ours = frozenset({leader} if is_nested else ())
        self._pids: frozenset[int] = frozenset()
        self._threads: tuple[tuple[int, str], ...] | None = None
        """The number of each thread, and its folder in /proc; None if nobody has asked."""
        self._newest: int | None = None
        """The process ID that was given last when they were listed; None if that is unknown."""
        self._files: dict[str, int] = {}
        self._rested: dict[int, int] | None = None
        """The CPU time of each at the first look since `rest`."""
        self._stopped: dict[int, int] = {}
        """The CPU time of each of those that are suspended, or were the last time."""
        self._stopped_newest: int | None = None
        self.is_large = False
        """Whether it had more than a few processes when somebody last looked."""

    def rest(self) -> None:
        """Note that it should stand still from now on."""
        self._rested = None

    def used_at_rest_ns(self) -> int:
        """Return the CPU time in ns since the first such question after `rest`."""
        now = {pid: _cpu_ns(pid) for pid in self._members()}
        if self._rested is None:
            self._rested = now
        before = self._rested
        return sum(max(0, used - before.get(pid, 0)) for pid, used in now.items())

    def usage(self) -> CpuUsage:
        """Return what all its threads have used and waited for; those that are gone count nothing.

        Where the kernel keeps no statistics of its scheduler, nothing ever waits.
        """
        pids = self._members()
        if self._threads is None:
            self._threads = tuple(
                (int(tid), f"/proc/{pid}/task/{tid}") for pid in pids for tid in _tasks(pid)
            )
        used, threads = sum(map(_cpu_ns, pids)), dict[int, ThreadUsage]()
        for tid, folder in self._threads:
            try:
                ran, waited, _ = self._text(f"{folder}/schedstat").split()
                stat = _stat_words(self._text(f"{folder}/stat"))
                threads[tid] = ThreadUsage(int(ran), int(waited), stat[0] == b"R")
                if folder.startswith(f"/proc/{tid}/"):
                    # Each thread tells the same of the children that its process has waited for.
                    used += sum(map(int, stat[_REAPED_FIELDS])) * _JIFFY_NS
            except (OSError, IndexError, ValueError):
                continue
        return CpuUsage(time.monotonic_ns(), used, threads)

    def use(self, bound: int) -> FamilyUse:
        """Return its memory in bytes and its processes.

        Near the `bound`, pages that several processes share count once.
        """
        pids = self._members() - self._ours
        memory = sum(_resident(pid, self._text) for pid in pids)
        # It takes long to share out the pages, and there are never more than without.
        return FamilyUse(_shared_out(pids, bound) if memory > bound else memory, len(pids))

    def freeze(self) -> None:
        """Suspend it until `thaw`."""
        newest = newest_pid()
        is_known = newest is not None and newest == self._stopped_newest
        frozen = frozenset(self._stopped) if is_known else frozenset[int]()
        _suspend(frozen)
        if not frozen or newest_pid() != newest:
            frozen, newest = _suspend_all(self._leader, frozen)
        self._stopped = {pid: _cpu_ns(pid) for pid in frozen}
        self._stopped_newest = newest
        self.is_large = len(frozen) > FEW

    def thaw(self) -> int:
        """Resume what `freeze` suspended; return the CPU time in ns that it has used meanwhile.

        A timer may kill a suspended process, and the kernel resumes the group of one whose parent
        dies.
        """
        used = sum(max(0, _cpu_ns(pid) - before) for pid, before in self._stopped.items())
        for pid in self._stopped:
            send_signal(pid, signal.SIGCONT)
        return max(0, used - STOP_NS)

    def close(self) -> None:
        """Close its files."""
        for descriptor in self._files.values():
            os.close(descriptor)
        self._files.clear()

    def _members(self) -> frozenset[int]:
        """Return its processes; list them if there may be new ones."""
        newest = newest_pid()
        if newest is None or newest != self._newest:
            self._pids = frozenset({self._leader} | below({self._leader}, CROWD))
            # What was born meanwhile may be missing.
            self._newest = newest if newest == newest_pid() else None
            self._threads = None
            self.is_large = len(self._pids) > FEW
            self.close()
        return self._pids

    def _text(self, path: str) -> bytes:
        """Return what is in a file of /proc of less than a page."""
        if self.is_large:
            return read_proc(path)
        descriptor = self._files.get(path)
        if descriptor is None:
            descriptor = self._files[path] = os.open(path, os.O_RDONLY)
        return os.pread(descriptor, PAGE, 0)


def family_of(leader: int, *, is_nested: bool = False) -> Family:
    """Return the family of a process; the `leader` of a bot that `is_nested` is ours."""
    return LinuxFamily(leader, is_nested=is_nested)


def _suspend_all(leader: int, frozen: frozenset[int]) -> tuple[frozenset[int], int | None]:
    """Suspend a family until no list of it has a process that is not in `frozen`.

    Return all of it, and the newest process ID before the last list.
    """
    newest, unchanged = newest_pid(), 0
    deadline = time.monotonic() + STAND_S
    while unchanged < LISTS and time.monotonic() < deadline:
        newest = newest_pid()
        fresh = family(leader) - frozen
        frozen |= fresh
        # A process that was forking when it was told to stop still has that child.
        _suspend(frozen)
        unchanged = 0 if fresh else unchanged + 1
    return frozen, newest


def _suspend(pids: Collection[int]) -> None:
    """Suspend processes; wait for those with children, which may resume each other until then."""
    for pid in pids:
        send_signal(pid, signal.SIGSTOP)
    if len(pids) > ALONE:
        _stand_still(pids)


def _stand_still(pids: Collection[int]) -> None:
    """Wait until processes stand still, and stop those again that another one has resumed."""
    looks, deadline = 0, time.monotonic() + STAND_S
    # The last one to stop may have resumed one that was looked at before.
    while looks < LISTS and time.monotonic() < deadline:
        moving = [pid for pid in pids if not _is_still(pid)]
        for pid in moving:
            send_signal(pid, signal.SIGSTOP)
        if moving:
            time.sleep(0.0001)
        looks = 0 if moving else looks + 1


def newest_pid() -> int | None:
    """Return the ID that was given last to a process or thread; None if the system hides it.

    If it stays the same while all members of a family stand still, none has a new child. A fork
    under way has its ID before its child is listed. It is the last word of /proc/loadavg (proc(5)).
    """
    file = _load_average()
    return None if file is None else int(os.pread(file, PAGE, 0).rpartition(b" ")[2])


@cache
def _load_average() -> int | None:
    try:
        return os.open("/proc/loadavg", os.O_RDONLY)
    except OSError:
        return None


def _is_still(pid: int) -> bool:
    try:
        return _stat_words(read_proc(f"/proc/{pid}/stat"))[0] in b"TtZX"
    except (OSError, IndexError):
        return True


def family(leader: int) -> frozenset[int]:
    """Return a process and all its descendants."""
    return frozenset({leader} | below({leader}))


def below(pids: Collection[int], most: int | None = None) -> set[int]:
    """Return all descendants of the processes, or more than `most` of them."""
    found: set[int] = set()
    edge = list(pids)
    while edge and (most is None or len(found) <= most):
        fresh = children(edge.pop()) - found
        found |= fresh
        edge += fresh
    return found


def children(pid: int) -> set[int]:
    """Return the children of a process; none if it is gone."""
    found: set[int] = set()
    try:
        for tid in _tasks(pid):
            found.update(map(int, read_proc(f"/proc/{pid}/task/{tid}/children").split()))
    except OSError:
        return found
    return found


def _tasks(pid: int) -> list[str]:
    """Return the numbers of a process's threads; none if it is gone."""
    try:
        return os.listdir(f"/proc/{pid}/task")  # noqa: PTH208 (names, a third of the time)
    except OSError:
        return []


def send_signal(pid: int, number: int) -> None:
    """Send a signal to a process unless it is gone."""
    try:
        os.kill(pid, number)
    except OSError:
        return


def read_proc(path: str) -> bytes:
    """Return what is in a file of /proc, in a quarter of the time of `Path.read_bytes`."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        data = os.read(descriptor, PAGE)
        while more := os.read(descriptor, PAGE):
            data += more
        return data
    finally:
        os.close(descriptor)


def cpu_clock(pid: int) -> Callable[[], int] | None:
    """Return a function that reads a process's CPU time in ns, raising `OSError` once it is gone.

    None if it is gone already. Linux's encoding of clock_getcpuclockid(3), which Python does not
    expose: reading it takes a microsecond; /proc takes twenty and counts in jiffies.
    """
    clock = partial(time.clock_gettime_ns, _clock_of(pid))
    try:
        clock()
    except OSError:
        return None
    return clock


def _cpu_ns(pid: int) -> int:
    """Return a process's CPU time in ns; 0 if it is gone."""
    try:
        return time.clock_gettime_ns(_clock_of(pid))
    except OSError:
        return 0


def _clock_of(pid: int) -> int:
    return (~pid << 3) | _CPUCLOCK_SCHED


def _stat_words(text: bytes) -> list[bytes]:
    """Return the words of a /proc/…/stat from the state on."""
    return text.rpartition(b") ")[2].split()


def _shared_out(pids: Collection[int], bound: int) -> int:
    """Return the bytes of the pages of processes, of which shared ones count once.

    At least as many, once they pass the bound or the time: a process that forks can't be read
    meanwhile.
    """
    used, deadline = 0, time.monotonic() + SHARE_S
    for pid in pids:
        used += _proportional(pid)
        if used > bound or time.monotonic() > deadline:
            break
    return used


def _proportional(pid: int) -> int:
    """Return the bytes of a process's pages, each divided by the number of its processes."""
    try:
        lines = read_proc(f"/proc/{pid}/smaps_rollup").splitlines()
        return next(int(line.split()[1]) << 10 for line in lines if line.startswith(b"Pss:"))
    except (OSError, StopIteration, ValueError):
        # It runs as another user: what it shares is not told.
        return _resident(pid, read_proc)


def _resident(pid: int, read: Callable[[str], bytes]) -> int:
    """Return the bytes of a process's pages; 0 if it is gone."""
    try:
        return int(read(f"/proc/{pid}/statm").split()[1]) * PAGE
    except (OSError, IndexError):
        return 0
