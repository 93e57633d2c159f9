"""The process functions of Linux; `portable` has the same names for other systems."""

import ctypes
import fcntl
import os
import re
import signal
import socket
import struct
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from termios import FIONREAD

from league.platform.cpu_usage import CpuUsage, ThreadUsage
from league.platform.family import CROWD, NO_FAMILY, FamilyUse, ProcessFamily

WEAKER = ""
"""The promises that are weaker here than on Linux, as one line; '' if there are none."""

HAS_SANDBOX = True
"""Whether there may be a sandbox, namespaces and control groups."""

FORKS = True
"""Whether a process may fork, and compute between fork and exec, if it has no other threads."""

BOUNDS_MEMORY = True
"""Whether the kernel bounds the memory that a process reserves."""

BOUNDS_PIDS = tuple(map(int, re.findall(r"\d+", os.uname().release)[:2])) >= (6, 14)
"""Whether `kernel.pid_max` is that of the namespace (Linux 6.14), and not the whole machine's."""

ACKNOWLEDGES_DESCRIPTORS = False
"""Whether a descriptor must stay open with its sender until the receiver has it."""

_PR_SET_PDEATHSIG = 1
_PR_SET_DUMPABLE = 4
_PR_SET_CHILD_SUBREAPER = 36

_CPUCLOCK_SCHED = 2
_JIFFY_NS = 1_000_000_000 // os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")
_REAPED_FIELDS = slice(13, 15)
"""`cutime` and `cstime` in /proc/PID/stat, counted from the field after the name (proc(5))."""

_FLOCK = "hhqqi"
"""struct flock of fcntl(2): type, whence, start, length, process."""

STRAYS_S = 2.0
"""Longest time for processes that a bot left behind to end."""

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


def die_with(parent: int) -> None:
    """Make the kernel kill this process when its parent dies.

    `parent` is the parent's ID at the start; it may be gone already.
    """
    if _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL) and os.getppid() != parent:
        os._exit(1)


def forbid_tracing() -> None:
    """Keep processes of the same user from tracing this one and reading its memory and variables.

    It leaves no core file either. Its children inherit this until they run a program.
    """
    _prctl(_PR_SET_DUMPABLE, 0)


def allow_tracing() -> None:
    """Undo `forbid_tracing`: a process that has it can't write to its own files in /proc."""
    _prctl(_PR_SET_DUMPABLE, 1)


def _prctl(option: int, value: int) -> bool:
    try:
        return bool(_LIBC.prctl(option, value) == 0)
    except AttributeError:
        return False


# Loaded here because use may be between fork and exec, where loading is unsafe.
_LIBC = ctypes.CDLL(None)


class _Subreaper:
    """The children from before this process became a subreaper; global, like the kernel's flag."""

    own_children: frozenset[int] | None = None


def sacrifice() -> None:
    """Make this process the first to be killed if the machine runs out of memory."""
    allow_tracing()
    try:
        Path("/proc/self/oom_score_adj").write_text("1000")
    except OSError:
        return


def become_subreaper() -> None:
    """Become the parent of all orphaned descendants of this process (prctl(2)).

    From now on `end_strays` ends all children except those that this process already has.
    """
    if _prctl(_PR_SET_CHILD_SUBREAPER, 1):
        _Subreaper.own_children = frozenset(children(os.getpid()))


def watch_descendants() -> None:
    """Remember the processes below this one, so that `end_strays` finds them: no need to here."""


def end_strays(living: Collection[int]) -> None:
    """Kill all children except `living` and those from before this became a subreaper.

    Does nothing in other processes. Only this finds processes that left their bot's group and
    session: once orphaned, they become children of the subreaper.
    """
    deadline = time.monotonic() + STRAYS_S
    while strays := _strays(living):
        # Stop all before killing any, since their children become ours while we count.
        for number in (signal.SIGSTOP, signal.SIGKILL):
            for pid in strays | _below(strays):
                _signal(pid, number)
        for pid in strays:
            _take_off_table(pid)
        if time.monotonic() > deadline:
            return


def _strays(living: Collection[int]) -> set[int]:
    """Return orphans that have become children of this process; none if it is no subreaper."""
    if _Subreaper.own_children is None:
        return set()
    # The kernel gives orphans to the first thread.
    try:
        found = _reread(_children_file(os.getpid())).split()
    except OSError:
        return set()
    return set(map(int, found)).difference(_Subreaper.own_children, living)


@cache
def _children_file(pid: int) -> int:
    return os.open(f"/proc/{pid}/task/{pid}/children", os.O_RDONLY)


def freeze(leader: int, known: ProcessFamily = NO_FAMILY) -> ProcessFamily:
    """Suspend a process and its descendants, also in other sessions; return them all.

    `known` are those of the last time: they are still all if nothing was born since.
    """
    newest = _newest_pid()
    frozen = known.pids if newest is not None and newest == known.newest else frozenset[int]()
    _suspend(frozen)
    if not frozen or _newest_pid() != newest:
        frozen, newest = _freeze_all(leader, frozen)
    return ProcessFamily(frozen, newest, {pid: _cpu_ns(pid) for pid in frozen})


def _freeze_all(leader: int, frozen: frozenset[int]) -> tuple[frozenset[int], int | None]:
    """Suspend a family until no list of it has a process that is not in `frozen`.

    Return all of it, and the newest process ID before the last list.
    """
    newest, unchanged = _newest_pid(), 0
    deadline = time.monotonic() + STAND_S
    while unchanged < LISTS and time.monotonic() < deadline:
        newest = _newest_pid()
        fresh = family(leader) - frozen
        frozen |= fresh
        # A process that was forking when it was told to stop still has that child.
        _suspend(frozen)
        unchanged = 0 if fresh else unchanged + 1
    return frozen, newest


def _suspend(pids: Collection[int]) -> None:
    """Suspend processes; wait for those with children, which may resume each other until then."""
    for pid in pids:
        _signal(pid, signal.SIGSTOP)
    if len(pids) > ALONE:
        _stand_still(pids)


def _stand_still(pids: Collection[int]) -> None:
    """Wait until processes stand still, and stop those again that another one has resumed."""
    looks, deadline = 0, time.monotonic() + STAND_S
    # The last one to stop may have resumed one that was looked at before.
    while looks < LISTS and time.monotonic() < deadline:
        moving = [pid for pid in pids if not _is_still(pid)]
        for pid in moving:
            _signal(pid, signal.SIGSTOP)
        if moving:
            time.sleep(0.0001)
        looks = 0 if moving else looks + 1


def thaw(frozen: ProcessFamily) -> int:
    """Resume what `freeze` suspended; return the CPU time in ns that it has used meanwhile.

    A timer may kill a suspended process, and the kernel resumes the group of one whose parent dies.
    """
    used = sum(max(0, _cpu_ns(pid) - before) for pid, before in frozen.cpu_ns.items())
    for pid in frozen.pids:
        _signal(pid, signal.SIGCONT)
    return max(0, used - STOP_NS)


def freeze_strays(living: Collection[int]) -> None:
    """Suspend what `end_strays` would kill."""
    for stray in _strays(living):
        freeze(stray)


def _newest_pid() -> int | None:
    """Return the ID that was given last to a process or thread; None if the system hides it.

    If it stays the same while all members of a family stand still, none has a new child. A fork
    under way has its ID before its child is listed. It is the last word of /proc/loadavg (proc(5)).
    """
    file = _load_average()
    return None if file is None else int(_reread(file).rpartition(b" ")[2])


@cache
def _load_average() -> int | None:
    try:
        return os.open("/proc/loadavg", os.O_RDONLY)
    except OSError:
        return None


def _is_still(pid: int) -> bool:
    try:
        return _stat(str(pid))[0] in b"TtZX"
    except (OSError, IndexError):
        return True


def family(leader: int) -> frozenset[int]:
    """Return a process and all its descendants."""
    return frozenset({leader} | _below({leader}))


def _family_or_crowd(leader: int) -> set[int]:
    """Return a process and all its descendants; of a crowd, more than `CROWD` of them."""
    return {leader} | _below({leader}, CROWD)


def _signal(pid: int, number: int) -> None:
    try:
        os.kill(pid, number)
    except OSError:
        return


def _take_off_table(pid: int) -> None:
    for _ in range(20):
        try:
            if os.waitpid(pid, os.WNOHANG)[0]:
                return
        except OSError:
            return
        time.sleep(0.001)


def _below(pids: Collection[int], most: int | None = None) -> set[int]:
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
        for task in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208 (names, a third of the time)
            found.update(map(int, _read(f"/proc/{pid}/task/{task}/children").split()))
    except OSError:
        return found
    return found


def _reread(descriptor: int) -> bytes:
    """Return what is now in an open file of /proc, in half of the time of `_read`."""
    data = os.pread(descriptor, _PAGE, 0)
    while more := os.pread(descriptor, _PAGE, len(data)):
        data += more
    return data


def _read(path: str) -> bytes:
    """Return what is in a file of /proc, in a quarter of the time of `Path.read_bytes`."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        data = os.read(descriptor, _PAGE)
        while more := os.read(descriptor, _PAGE):
            data += more
        return data
    finally:
        os.close(descriptor)


def usage_of(leader: int) -> CpuUsage:
    """Return the CPU time of a process and its descendants; those that are gone count nothing.

    Of a crowd it counts a part. Where the kernel keeps no statistics of its scheduler, nothing ever
    waits.
    """
    used, threads = 0, dict[int, ThreadUsage]()
    for pid in _family_or_crowd(leader):
        clock = cpu_clock(pid)
        try:
            used += (clock() if clock is not None else 0) + _reaped_ns(pid)
            for tid in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208 (names, a third of the time)
                task = f"{pid}/task/{tid}"
                ran, waited, _ = _read(f"/proc/{task}/schedstat").split()
                is_ready = _stat(task)[0] == b"R"
                threads[int(tid)] = ThreadUsage(int(ran), int(waited), is_ready)
        except (OSError, IndexError, ValueError):
            continue
    return CpuUsage(time.monotonic_ns(), used, threads)


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


def _reaped_ns(pid: int) -> int:
    return sum(map(int, _stat(str(pid))[_REAPED_FIELDS])) * _JIFFY_NS


def _stat(task: str) -> list[bytes]:
    return _read(f"/proc/{task}/stat").rpartition(b") ")[2].split()


def family_watch(
    leader: int, memory_mb: int | None, *, is_nested: bool = False
) -> Callable[[], FamilyUse] | None:
    """Return a function that tells what a bot uses with all its processes.

    None without a bound. Near the bound, pages that several processes share count once. The
    `leader` of a bot that `is_nested` is ours, and does not count. Of a crowd it counts a part: a
    tree that grows without bound would never be counted to its end.
    """
    if memory_mb is None:
        return None
    bound = memory_mb << 20
    ours = {leader} if is_nested else set()

    def look() -> FamilyUse:
        pids = _family_or_crowd(leader) - ours
        used = sum(map(_resident, pids))
        # It takes long to share out the pages, and there are never more than without.
        return FamilyUse(_shared_out(pids, bound) if used > bound else used, len(pids))

    return look


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


def _resident(pid: int) -> int:
    """Return the bytes of a process's pages; 0 if it is gone."""
    try:
        return int(_read(f"/proc/{pid}/statm").split()[1]) * _PAGE
    except (OSError, IndexError):
        return 0


def _proportional(pid: int) -> int:
    """Return the bytes of a process's pages, each divided by the number of its processes."""
    try:
        lines = _read(f"/proc/{pid}/smaps_rollup").splitlines()
        return next(int(line.split()[1]) << 10 for line in lines if line.startswith(b"Pss:"))
    except (OSError, StopIteration, ValueError):
        # It runs as another user: what it shares is not told.
        return _resident(pid)


def reserved_bytes(pid: int) -> int:
    """Return what a process has reserved, as RLIMIT_DATA counts it; 0 if it is gone."""
    try:
        lines = _read(f"/proc/{pid}/status").splitlines()
        return next(int(line.split()[1]) << 10 for line in lines if line.startswith(b"VmData:"))
    except (OSError, StopIteration, ValueError):
        return 0


def memory_kills() -> int:
    """Count the processes that the kernel has killed because the machine's memory ran out."""
    try:
        words = Path("/proc/vmstat").read_bytes().split()
        return int(words[words.index(b"oom_kill") + 1])
    except (OSError, ValueError):
        return 0


def threads_of_user(user: int) -> int:
    """Count a user's threads; cached, because it takes milliseconds."""
    return _threads_of(user)


@cache
def _threads_of(user: int) -> int:
    count = 0
    for entry in Path("/proc").glob("[0-9]*/task"):
        try:
            status = entry.stat()
        except OSError:
            continue
        # A folder's link count is its subfolders plus two.
        count += status.st_nlink - 2 if status.st_uid == user else 0
    return count


def may_fork() -> bool:
    """Whether this process has one thread; those of a library count too, such as numpy's."""
    return len(os.listdir("/proc/self/task")) == 1  # noqa: PTH208 (a count)


def core_numbers() -> frozenset[int]:
    """Return the cores that this process may use."""
    return frozenset(os.sched_getaffinity(0))


def pin(cores: Collection[int]) -> None:
    """Tie this process to some cores."""
    os.sched_setaffinity(0, cores)


def shared_memory(size: int) -> int:
    """Return the descriptor of new memory that processes can share."""
    made = os.memfd_create("botleague")
    os.ftruncate(made, size)
    return made


def datagrams() -> tuple[socket.socket, socket.socket]:
    """Return a connected pair of sockets for datagrams, which arrive whole or not at all."""
    return socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)


def send_datagram(writer: socket.socket, data: bytes) -> None:
    """Send a datagram, waiting for room up to the socket's timeout; raise `OSError`."""
    writer.send(data)


def has_unread(descriptor: int) -> bool:
    """Whether a part of what was written to a pipe is still in it."""
    return any(fcntl.ioctl(descriptor, FIONREAD, bytes(4)))


def hold_more(descriptor: int, size: int) -> None:
    """Let a pipe hold so many bytes, if the system allows it."""
    with suppress(OSError):
        fcntl.fcntl(descriptor, fcntl.F_SETPIPE_SZ, size)


def is_locked(descriptor: int) -> bool:
    """Whether another process holds a POSIX lock on an open file; does not take the lock."""
    wanted = struct.pack(_FLOCK, fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0)
    kind, *_ = struct.unpack(_FLOCK, fcntl.fcntl(descriptor, fcntl.F_GETLK, wanted))
    return bool(kind != fcntl.F_UNLCK)
