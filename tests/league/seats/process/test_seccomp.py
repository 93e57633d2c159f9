"""The filter of system calls: each denied call is made in a sandbox, and what bots need works."""

import json
import platform
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from league.model.records import Isolation, Limits
from league.seats.process.environment import NO_ENVIRONMENT
from league.seats.process.isolation import why_no_sandbox
from league.seats.process.launch import BotCommand, launch
from league.seats.process.seccomp import DENIED, FCNTL, MACHINES, OLD, filter_program
from tests.paths import DOCS
from tests.waiting import PATIENCE_S

HEADERS = {
    "x86_64": Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    "aarch64": Path("/usr/include/asm-generic/unistd.h"),
}
needs_filter = pytest.mark.skipif(
    bool(why_no_sandbox()) or platform.machine() not in MACHINES, reason="no sandbox, or no filter"
)

CALLS = """
import ctypes, errno, json, sys
libc = ctypes.CDLL(None, use_errno=True)
found = {}
for name, number, *arguments in json.loads(sys.argv[1]):
    result = libc.syscall(number, *[ctypes.c_long(each) for each in arguments])
    found[name] = errno.errorcode.get(ctypes.get_errno(), "") if result < 0 else "works"
print(json.dumps(found))
"""


@contextmanager
def sandbox(*words: str, memory_mb: int | None = None) -> Iterator[Callable[[], str]]:
    """Run a program in a sandbox; yield what returns its next line."""
    prefixes = [Path(sys.prefix), Path(sys.base_prefix)]
    limits = Limits(isolation=Isolation.SANDBOX, memory_mb=memory_mb)
    process = launch(BotCommand(words=words, readable=prefixes), limits, NO_ENVIRONMENT)
    try:
        yield lambda: process.read_line(time.monotonic_ns() + int(PATIENCE_S * 1e9)).decode()
    finally:
        process.kill()


def in_sandbox(*words: str, memory_mb: int | None = None) -> str:
    """Return the first line that a program writes in a sandbox."""
    with sandbox(*words, memory_mb=memory_mb) as line:
        return line()


def errors_of(*calls: tuple[str | int, ...]) -> dict[str, str]:
    """Make calls (name, number, arguments) in a sandbox, and return the errors by name."""
    found: dict[str, str] = json.loads(in_sandbox(sys.executable, "-c", CALLS, json.dumps(calls)))
    return found


@needs_filter
def test_denied_calls_fail_in_a_sandbox() -> None:
    place = MACHINES.index(platform.machine())
    # No address, no descriptor and no set of flags: without the filter most fail otherwise.
    calls: list[tuple[str | int, ...]] = [
        (name, numbers[place], *[-1] * 6) for name, numbers in DENIED.items()
    ]
    if platform.machine() == "x86_64":
        calls += OLD.items()
    assert errors_of(*calls) == dict.fromkeys((each[0] for each in calls), "EPERM")


@needs_filter
def test_calls_are_denied_by_their_arguments() -> None:
    place = MACHINES.index(platform.machine())
    clone, socket, fcntl = (56, 220)[place], (41, 198)[place], FCNTL[place]
    sigchld, new_user, new_network = 17, 0x10000000, 0x40000000
    assert errors_of(
        ("clone3", 435, 0, 0),
        ("clone a user namespace", clone, sigchld | new_user, 0),
        ("clone a network namespace", clone, sigchld | new_network, 0),
        ("AF_VSOCK", socket, 40, 1, 0),
        ("AF_ALG", socket, 38, 5, 0),
        ("AF_PACKET", socket, 17, 3, 0),
        ("F_SETLEASE", fcntl, 0, 1024, 0),
        ("F_NOTIFY", fcntl, 0, 1026, 1),
        ("F_GETFD", fcntl, 0, 1),
        ("AF_UNIX", socket, 1, 1, 0),
        ("AF_INET", socket, 2, 1, 0),
    ) == {
        "clone3": "ENOSYS",
        "clone a user namespace": "EPERM",
        "clone a network namespace": "EPERM",
        "AF_VSOCK": "EAFNOSUPPORT",
        "AF_ALG": "EAFNOSUPPORT",
        "AF_PACKET": "EAFNOSUPPORT",
        "F_SETLEASE": "EPERM",
        "F_NOTIFY": "EPERM",
        "F_GETFD": "works",
        "AF_UNIX": "works",
        "AF_INET": "works",
    }


LOCK = """
import fcntl, sys
try:
    fcntl.flock(file := open("/usr/bin/env", "rb"), fcntl.LOCK_EX | fcntl.LOCK_NB)
    print("free", flush=True)
except BlockingIOError:
    print("locked", flush=True)
sys.stdin.read()
"""


@needs_filter
def test_a_file_that_two_sandboxes_see_has_one_lock_as_the_documentation_says() -> None:
    words = (sys.executable, "-c", LOCK)
    with sandbox(*words) as first, sandbox(*words) as second:
        assert sorted([first(), second()]) == ["free", "locked"]
    assert "`flock`" in (DOCS / "explanation" / "isolation.md").read_text()


THREADS = """
import subprocess, threading
threads = [threading.Thread(target=lambda: None) for _ in range(8)]
[each.start() for each in threads]
[each.join() for each in threads]
import numpy
print(subprocess.check_output(["echo", "hello"], text=True).strip(), int(numpy.ones(3).sum()))
"""
WORKER = "new (require('worker_threads').Worker)('console.log(\"hello 3\")', {eval: true})"


@needs_filter
@pytest.mark.parametrize("words", [(sys.executable, "-c", THREADS), ("node", "-e", WORKER)])
def test_threads_processes_and_numpy_work_in_a_sandbox(words: tuple[str, ...]) -> None:
    if shutil.which(words[0]) is None:
        pytest.skip(f"{words[0]} is not installed")
    if words[0] == sys.executable:
        pytest.importorskip("numpy")
    assert in_sandbox(*words) == "hello 3"


@pytest.mark.parametrize("machine", MACHINES)
def test_numbers_are_those_of_the_headers(machine: str) -> None:
    if not HEADERS[machine].exists():
        pytest.skip("the kernel's headers are not installed")
    text = HEADERS[machine].read_text()
    found = dict(re.findall(r"^#define __NR(?:3264)?_(\w+)\s+(\d+)$", text, re.MULTILINE))
    place = MACHINES.index(machine)
    assert {name: str(numbers[place]) for name, numbers in DENIED.items()} == {
        name: found[name] for name in DENIED
    }


def test_a_machine_without_numbers_has_no_filter() -> None:
    assert filter_program("riscv64") == b""
