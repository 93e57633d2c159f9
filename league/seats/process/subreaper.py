"""Processes that end with their parent, and those that outlive it."""

import ctypes
import os
import signal
import time
from collections.abc import Collection
from pathlib import Path

_PR_SET_PDEATHSIG = 1
_PR_SET_DUMPABLE = 4
_PR_SET_CHILD_SUBREAPER = 36

STRAYS_S = 2.0
"""How long processes left behind by a bot may take to end."""


def die_with(parent: int) -> None:
    """Make the kernel kill this process when its parent dies.

    `parent` is the parent's ID at the start; it may be gone already. Linux only; elsewhere a bot
    notices the end of its pipe.
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


def become_subreaper() -> None:
    """Become the parent of all orphaned descendants of this process (prctl(2)).

    From now on `end_strays` ends all children except those that this process already has.
    """
    if _prctl(_PR_SET_CHILD_SUBREAPER, 1):
        _Subreaper.own_children = frozenset(children(os.getpid()))


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
    return children(os.getpid()) - _Subreaper.own_children.union(living)


def freeze(leader: int) -> frozenset[int]:
    """Suspend a process and its descendants, also in other sessions; return them all."""
    frozen: frozenset[int] = frozenset()
    # A process may fork while we count, but not once it is stopped.
    while fresh := family(leader) - frozen:
        for pid in fresh:
            _signal(pid, signal.SIGSTOP)
        frozen |= fresh
    return frozen


def thaw(pids: Collection[int]) -> None:
    """Resume what `freeze` suspended."""
    for pid in pids:
        _signal(pid, signal.SIGCONT)


def freeze_strays(living: Collection[int]) -> None:
    """Suspend what `end_strays` would kill."""
    for stray in _strays(living):
        freeze(stray)


def family(leader: int) -> frozenset[int]:
    """Return a process and all its descendants."""
    return frozenset({leader} | _below({leader}))


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


def _below(pids: Collection[int]) -> set[int]:
    """Return all descendants of the processes."""
    found: set[int] = set()
    edge = list(pids)
    while edge:
        fresh = children(edge.pop()) - found
        found |= fresh
        edge += fresh
    return found


def children(pid: int) -> set[int]:
    """Return the children of a process; none if it is gone."""
    found: set[int] = set()
    try:
        for task in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208 (names, a third of the time)
            text = Path(f"/proc/{pid}/task/{task}/children").read_bytes()
            found.update(map(int, text.split()))
    except OSError:
        return found
    return found
