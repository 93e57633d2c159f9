"""The names of `linux` by means that all POSIX systems have, and psutil: macOS, BSD.

`BOTLEAGUE_PLATFORM=portable` chooses this on Linux too, to try it there.
"""

import errno
import fcntl
import os
import signal
import socket
import struct
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress

import psutil

from league.platform.cpu_usage import CpuUsage
from league.platform.family import Family, FamilyUse

WEAKER = (
    "no sandbox, no pinned cores, busy machines excused less, memory checked ten times a second"
)
HAS_SANDBOX = False
FORKS = False
BOUNDS_MEMORY = False
ACKNOWLEDGES_DESCRIPTORS = True

STRAYS_S = 2.0
"""Longest time for processes that a bot left behind to end."""

PARENT_S = 0.5
"""Interval between a process's checks that its parent is alive."""

MEMORY_S = 0.1
"""Shortest interval between readings of a bot's memory."""

FAMILY_S = 1.0
"""Interval between searches for new descendants, whose memory counts too."""

DATAGRAM_BYTES = 1 << 17
"""Room for datagrams. By default, macOS refuses those over 2 KB."""

# struct flock of fcntl(2): elsewhere than on Linux, the type follows start, length and process.
_FLOCK, _KIND = ("hhqqi", 0) if sys.platform == "linux" else ("qqihh", 3)


def die_with(parent: int) -> None:
    """End this process and all below it soon after its parent dies."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(PARENT_S)
        for pid in family(os.getpid()) - {os.getpid()}:
            _signal(pid, signal.SIGKILL)
        os._exit(1)

    threading.Thread(target=watch, name="parent-watch", daemon=True).start()


def forbid_tracing() -> None:
    """Do nothing: macOS itself lets only signed debuggers trace a process."""


class _Descendants:
    """The processes seen below this one, None before they are to be found; global, as on Linux."""

    own_children: frozenset[int] | None = None
    seen: dict[int, psutil.Process] = {}  # noqa: RUF012 (global on purpose)


def become_subreaper() -> None:
    """Let `end_strays` find what is below this process from now on."""
    _Descendants.own_children = frozenset(children(os.getpid()))


def watch_descendants() -> None:
    """Remember the processes below this one, so that `end_strays` finds them."""
    if _Descendants.own_children is not None:
        for process in _below(os.getpid()):
            _Descendants.seen.setdefault(process.pid, process)


def end_strays(living: Collection[int]) -> None:
    """Kill all children except `living` and own ones, and remembered processes without a parent.

    Does nothing before `become_subreaper`.
    """
    deadline = time.monotonic() + STRAYS_S
    while strays := _strays(living):
        for stray in strays:
            with suppress(psutil.Error):
                # Unlike a signal to the number, this spares another process that has got it since.
                stray.kill()
            with suppress(OSError):
                os.waitpid(stray.pid, os.WNOHANG)
        if time.monotonic() > deadline:
            return
        time.sleep(0.001)


def freeze_strays(living: Collection[int]) -> None:
    """Do nothing: to find strays takes too long between two moves."""


class PortableFamily:
    """A process and its descendants, of which those of its group can be suspended.

    In between looks at their memory it tells the last answer.
    """

    is_large = False

    def __init__(self, leader: int) -> None:
        self._leader = leader
        self._rested: int | None = None
        self._known: list[psutil.Process] = []
        self._looked_s = self._found_s = 0.0
        self._use = FamilyUse(0, 0)

    def rest(self) -> None:
        """Note that it should stand still from now on."""
        self._rested = None

    def used_at_rest_ns(self) -> int:
        """Return the CPU time in ns since the first such question after `rest`."""
        now = self.usage().used_ns
        if self._rested is None:
            self._rested = now
        return now - self._rested

    def usage(self) -> CpuUsage:
        """Return the CPU time of the first process and of the children it has waited for.

        How long they waited for a processor is unknown.
        """
        used = 0.0
        with suppress(psutil.Error):
            times = psutil.Process(self._leader).cpu_times()
            used = times.user + times.system + times.children_user + times.children_system
        return CpuUsage(time.monotonic_ns(), int(used * 1e9), {})

    def use(self, bound: int) -> FamilyUse:
        """Return its memory in bytes and its processes; shared pages count each time."""
        now = time.monotonic()
        if now - self._looked_s < MEMORY_S:
            return self._use
        self._looked_s = now
        if now - self._found_s > FAMILY_S:
            self._known, self._found_s = _with_descendants(self._leader), now
        self._use = FamilyUse(sum(map(_resident_bytes, self._known)), len(self._known))
        return self._use

    def freeze(self) -> None:
        """Suspend its group."""
        _signal(-self._leader, signal.SIGSTOP)

    def thaw(self) -> int:
        """Resume what `freeze` suspended; return 0, for what it used meanwhile is not known."""
        _signal(-self._leader, signal.SIGCONT)
        return 0

    def close(self) -> None:
        """Do nothing: it has no files."""


def family_of(leader: int, *, is_nested: bool = False) -> Family:
    """Return the family of a process; no bot is nested here."""
    return PortableFamily(leader)


def family(leader: int) -> frozenset[int]:
    """Return a process and all its descendants."""
    return frozenset({leader}.union(process.pid for process in _below(leader)))


def children(pid: int) -> set[int]:
    """Return the children of a process; none if it is gone."""
    try:
        return {child.pid for child in psutil.Process(pid).children()}
    except psutil.Error:
        return set()


def cpu_clock(pid: int) -> Callable[[], int] | None:
    """Return a function that reads a process's CPU time in ns, raising `OSError` once it is gone.

    None if it is gone already.
    """

    def read() -> int:
        with _as_os_error():
            times = process.cpu_times()
        return int((times.user + times.system) * 1e9)

    try:
        process = psutil.Process(pid)
    except psutil.Error:
        return None
    return read


def reserved_bytes(pid: int) -> int:
    """Return 0: what a process reserves is not bounded."""
    return 0


def memory_kills() -> int:
    """Return 0: nothing counts the processes killed because the machine's memory ran out."""
    return 0


def threads_of_user(user: int) -> int:
    """Return 0: they are not bounded."""
    return 0


def may_fork() -> bool:
    """Return False: macOS's own libraries may crash in a fork that runs no program."""
    return False


def core_numbers() -> frozenset[int]:
    """Return the machine's cores."""
    return frozenset(range(os.cpu_count() or 1))


def pin(cores: Collection[int]) -> None:
    """Do nothing: macOS ties no process to a core."""


def shared_memory(size: int) -> int:
    """Return the descriptor of new memory that processes can share."""
    with tempfile.TemporaryFile() as file:
        file.truncate(size)
        return os.dup(file.fileno())


def datagrams() -> tuple[socket.socket, socket.socket]:
    """Return a connected pair of sockets for datagrams, which arrive whole or not at all."""
    pair = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    for end in pair:
        for room in (socket.SO_SNDBUF, socket.SO_RCVBUF):
            end.setsockopt(socket.SOL_SOCKET, room, DATAGRAM_BYTES)
    return pair


def send_datagram(writer: socket.socket, data: bytes) -> None:
    """Send a datagram, waiting for room up to the socket's timeout; raise `OSError`."""
    deadline = time.monotonic() + (writer.gettimeout() or 0.0)
    while True:
        try:
            writer.send(data)
        except OSError as error:
            # macOS does not wait for room in a full socket.
            if error.errno != errno.ENOBUFS or time.monotonic() > deadline:
                raise
            time.sleep(0.001)
        else:
            return


def has_unread(descriptor: int) -> bool:
    """Return False: the writer of a pipe can't tell."""
    return False


def hold_more(descriptor: int, size: int) -> None:
    """Do nothing: pipes have one size here."""


def is_locked(descriptor: int) -> bool:
    """Whether another process holds a POSIX lock on an open file; does not take the lock."""
    words = [0] * 5
    words[_KIND] = fcntl.F_WRLCK
    wanted = struct.pack(_FLOCK, *words)
    found = struct.unpack(_FLOCK, fcntl.fcntl(descriptor, fcntl.F_GETLK, wanted))
    return bool(found[_KIND] != fcntl.F_UNLCK)


def _strays(living: Collection[int]) -> list[psutil.Process]:
    own = _Descendants.own_children
    if own is None:
        return []
    spared, me = own.union(living), os.getpid()
    for pid in children(me):
        with suppress(psutil.Error):
            _Descendants.seen.setdefault(pid, psutil.Process(pid))
    seen = _Descendants.seen = {
        pid: process for pid, process in _Descendants.seen.items() if _is_running(process)
    }
    parents = {pid: _parent_of(process) for pid, process in seen.items()}
    return [
        seen[pid]
        for pid, parent in parents.items()
        if pid not in spared and (parent == me or parent not in seen)
    ]


def _is_running(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def _parent_of(process: psutil.Process) -> int:
    try:
        return int(process.ppid())
    except psutil.Error:
        return 0


def _below(pid: int) -> list[psutil.Process]:
    try:
        return psutil.Process(pid).children(recursive=True)
    except psutil.Error:
        return []


def _with_descendants(pid: int) -> list[psutil.Process]:
    try:
        return [psutil.Process(pid), *_below(pid)]
    except psutil.Error:
        return []


def _resident_bytes(process: psutil.Process) -> int:
    try:
        return int(process.memory_info().rss)
    except psutil.Error:
        return 0


@contextmanager
def _as_os_error() -> Iterator[None]:
    try:
        yield
    except psutil.Error as error:
        raise ProcessLookupError(str(error)) from None


def _signal(pid: int, number: int) -> None:
    with suppress(OSError):
        os.kill(pid, number)
