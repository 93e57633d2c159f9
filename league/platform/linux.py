"""The process functions of Linux; `portable` has the same names for other systems."""

import ctypes
import fcntl
import os
import re
import signal
import socket
import struct
import time
from collections.abc import Collection
from contextlib import suppress
from functools import cache
from pathlib import Path
from termios import FIONREAD

from league.platform.linux_family import (
    PAGE,
    below,
    children,
    cpu_clock,
    family,
    family_of,
    read_proc,
    send_signal,
)

__all__ = ["children", "cpu_clock", "family", "family_of"]

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

_FLOCK = "hhqqi"
"""struct flock of fcntl(2): type, whence, start, length, process."""

STRAYS_S = 2.0
"""Longest time for processes that a bot left behind to end."""


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
            for pid in strays | below(strays):
                send_signal(pid, number)
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
        file = _children_file(os.getpid())
        data = os.pread(file, PAGE, 0)
        while more := os.pread(file, PAGE, len(data)):
            data += more
    except OSError:
        return set()
    return set(map(int, data.split())).difference(_Subreaper.own_children, living)


@cache
def _children_file(pid: int) -> int:
    return os.open(f"/proc/{pid}/task/{pid}/children", os.O_RDONLY)


def freeze_strays(living: Collection[int]) -> None:
    """Suspend what `end_strays` would kill."""
    for stray in _strays(living):
        family_of(stray).freeze()


def _take_off_table(pid: int) -> None:
    for _ in range(20):
        try:
            if os.waitpid(pid, os.WNOHANG)[0]:
                return
        except OSError:
            return
        time.sleep(0.001)


def reserved_bytes(pid: int) -> int:
    """Return what a process has reserved, as RLIMIT_DATA counts it; 0 if it is gone."""
    try:
        lines = read_proc(f"/proc/{pid}/status").splitlines()
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
