"""Suspending processes that work against it."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest

from league.platform import family, freeze, thaw
from league.platform.family import NO_FAMILY, Family
from tests.processes import state_of
from tests.promises import on_linux

pytestmark = [pytest.mark.slow, on_linux("a bot is suspended with all its descendants")]

HEAD = """
import ctypes, mmap, os, signal, struct, sys
ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # orphans stay below this process, as in a sandbox
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
"""

RESUME = """
COUNT = 6
pids = mmap.mmap(-1, 8 * COUNT)
for own in range(COUNT):
    if not os.fork():
        os.setsid()
        struct.pack_into("q", pids, 8 * own, os.getpid())
        while True:
            for (other,) in struct.iter_unpack("q", pids[:]):
                if other and other != os.getpid():
                    os.kill(other, signal.SIGCONT)
"""
"""Processes that resume each other."""

CHAIN = """
for _ in range(4):
    if not os.fork():
        os.setsid()
        while True:
            sum(range(5000))
            if os.fork():
                os._exit(0)
"""
"""Processes that fork and end, so that a list of them is never complete."""

TAIL = """
print(flush=True)
while True:
    signal.pause()
"""

PLACES = 15
"""How often they are suspended: each time may catch them elsewhere."""


@contextmanager
def running(program: str) -> Iterator[int]:
    """Yield the process of a program, and end all below it."""
    words = [sys.executable, "-I", "-S", "-c", HEAD + program + TAIL]
    with subprocess.Popen(words, stdout=subprocess.PIPE, start_new_session=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        try:
            yield process.pid
        finally:
            while len(pids := freeze(process.pid).pids) > 1:
                for pid in pids - {process.pid}:
                    with suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGKILL)
                thaw(Family(frozenset({process.pid})))
                time.sleep(0.01)
            process.kill()


def moving(leader: int) -> dict[int, str]:
    """Return the processes that do not stand still, with their states."""
    states = {pid: state_of(pid) for pid in family(leader)}
    return {pid: state for pid, state in states.items() if state not in ("stopped", "zombie", "")}


@pytest.mark.parametrize("program", [RESUME, CHAIN], ids=["resume each other", "fork and end"])
def test_nothing_runs_on(program: str) -> None:
    with running(program) as leader:
        frozen = NO_FAMILY
        for _ in range(PLACES):
            frozen = freeze(leader, frozen)
            before = family(leader)
            time.sleep(0.02)
            assert moving(leader) == {}
            assert family(leader) == before
            thaw(frozen)
            time.sleep(0.01)
