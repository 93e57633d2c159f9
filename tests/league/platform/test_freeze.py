"""Suspending processes that work against it."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest

from league.platform import children, cpu_clock, family, family_of
from tests.processes import state_of
from tests.promises import on_linux

pytestmark = [pytest.mark.slow, on_linux("a bot is suspended with all its descendants")]

HEAD = """
import ctypes, mmap, os, signal, struct, sys
ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # orphans stay below this process, as in a sandbox
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
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

ORPHANED = """
if not os.fork():
    os.setsid()
    own = os.fork()
    if not own:
        os.setpgid(0, 0)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        while True:
            pass
    while os.getpgid(own) != own:
        pass
    os.kill(os.getppid(), signal.SIGUSR1)
    signal.pause()
signal.sigwait([signal.SIGUSR1])
"""
"""A process in a group of its own: the kernel resumes it when its suspended parent is killed."""

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
            family_of(process.pid).freeze()
            while below := family(process.pid) - {process.pid}:
                for pid in below:
                    with suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGKILL)
                # Its dead children are its own to reap.
                os.kill(process.pid, signal.SIGCONT)
                time.sleep(0.01)
                family_of(process.pid).freeze()
            process.kill()


def moving(leader: int) -> dict[int, str]:
    """Return the processes that do not stand still, with their states."""
    states = {pid: state_of(pid) for pid in family(leader)}
    return {pid: state for pid, state in states.items() if state not in ("stopped", "zombie", "")}


@pytest.mark.parametrize("program", [RESUME, CHAIN], ids=["resume each other", "fork and end"])
def test_nothing_runs_on(program: str) -> None:
    with running(program) as leader:
        frozen = family_of(leader)
        for _ in range(PLACES):
            frozen.freeze()
            before = family(leader)
            time.sleep(0.02)
            assert moving(leader) == {}
            assert family(leader) == before
            frozen.thaw()
            time.sleep(0.01)


def test_what_a_suspended_process_computes_is_told() -> None:
    with running(ORPHANED) as leader:
        whole = family_of(leader)
        whole.freeze()
        assert whole.thaw() == 0
        (child,) = children(leader)
        whole.freeze()
        assert len(family(leader)) == 3
        os.kill(child, signal.SIGKILL)
        while not (resumed := moving(leader).keys() - {child}):
            time.sleep(0.001)
        (thief,) = resumed
        clock = cpu_clock(thief)
        assert clock is not None
        begin = clock()
        while clock() < begin + 20_000_000:
            time.sleep(0.001)
        assert whole.thaw() >= 15_000_000
