"""Processes that end with their parent, and those that outlive their parent."""

import ctypes
import os
import signal
import time
from collections.abc import Collection
from pathlib import Path

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36

STRAYS_S = 2.0
"""How long the processes that a bot left behind may take to end."""


def die_with(parent: int) -> None:
    """Have the kernel end this process when its parent ends, however that ends.

    `parent` is the number the parent had when it started this process; it may be gone already.
    Linux alone has this; elsewhere a bot notices the end of its pipe.
    """
    if _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL) and os.getppid() != parent:
        os._exit(1)


def _prctl(option: int, value: int) -> bool:
    try:
        return bool(_LIBC.prctl(option, value) == 0)
    except AttributeError:
        return False


# Loaded here and not where it is used: that may be between a fork and its exec.
_LIBC = ctypes.CDLL(None)


class _Subreaper:
    """Whether this process is a subreaper, and the children that it had before.

    A mark that the kernel keeps for the whole process, like this one.
    """

    own_children: frozenset[int] | None = None


def become_subreaper() -> None:
    """Become the parent of every process below this one that loses its own (prctl(2)).

    From now on `end_strays` ends all children but those that this process has already.
    """
    if _prctl(_PR_SET_CHILD_SUBREAPER, 1):
        _Subreaper.own_children = frozenset(children(os.getpid()))


def end_strays(living: Collection[int]) -> None:
    """End every child of this process but `living` and those it had before it was a subreaper.

    Does nothing where it is none. A process that has left its bot's group and session can be told
    by this alone: when its parent is gone, it becomes a child of the subreaper.
    """
    if _Subreaper.own_children is None:
        return
    kept = _Subreaper.own_children.union(living)
    deadline = time.monotonic() + STRAYS_S
    while strays := children(os.getpid()) - kept:
        # All stopped before the first is killed: else their children come while we count.
        for number in (signal.SIGSTOP, signal.SIGKILL):
            for pid in strays | _below(strays):
                _signal(pid, number)
        for pid in strays:
            _take_off_table(pid)
        if time.monotonic() > deadline:
            return


def freeze(leader: int) -> None:
    """Stop a process, its group, and every process below it."""
    _signal_family(leader, signal.SIGSTOP)


def thaw(leader: int) -> None:
    """Let go on what `freeze` has stopped."""
    _signal_family(leader, signal.SIGCONT)


def _signal_family(leader: int, number: int) -> None:
    try:
        os.killpg(leader, number)
    except OSError:
        _signal(leader, number)
    for pid in _below({leader}):
        _signal(pid, number)


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
    """Return all that descend from the processes."""
    found: set[int] = set()
    edge = list(pids)
    while edge:
        fresh = children(edge.pop()) - found
        found |= fresh
        edge += fresh
    return found


def children(pid: int) -> set[int]:
    """Return the children of a process; none where it is gone."""
    found: set[int] = set()
    try:
        for task in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208 (names, a third of the time)
            text = Path(f"/proc/{pid}/task/{task}/children").read_bytes()
            found.update(map(int, text.split()))
    except OSError:
        return found
    return found
