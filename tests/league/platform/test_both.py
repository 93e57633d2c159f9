"""Linux's own means and the portable ones do the same."""

import ast
import errno
import fcntl
import inspect
import os
import signal
import socket
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import cast

import psutil
import pytest

import league.platform
from league.platform import linux, portable
from tests.processes import is_running, state_of
from tests.promises import on_linux
from tests.waiting import ENDLESS_S, PATIENCE_S, wait_until

SLEEP = [sys.executable, "-c", f"import time; time.sleep({ENDLESS_S})"]
COMPUTE = [sys.executable, "-c", "while True: pass"]
EATS = "import sys, time; held = bytearray(200 << 20); print(len(held), flush=True)"
KEEPS_ON = f"; time.sleep({ENDLESS_S})"
IN_CHILD = "import subprocess, sys; sys.exit(subprocess.call([sys.executable, '-c', {code!r}]))"


@pytest.fixture(params=[linux, portable], ids=["linux", "portable"])
def platform(request: pytest.FixtureRequest) -> ModuleType:
    """Return each of the two modules."""
    return cast(ModuleType, request.param)


def started(*command: str) -> "subprocess.Popen[bytes]":
    """Start a process in a session of its own."""
    return subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True)


@pytest.fixture
def sleeper() -> Iterator[int]:
    """Start a process that sleeps, and return its ID."""
    with started(*SLEEP) as process:
        yield process.pid
        process.kill()


def test_both_have_the_names_that_the_package_hands_on() -> None:
    for module in (linux, portable):
        assert set(league.platform.__all__) <= set(vars(module))
    tree = ast.parse(inspect.getsource(league.platform))
    lists = [
        [each.name for each in node.names]
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
    ]
    assert lists == [league.platform.__all__] * 2


def test_a_process_and_its_children_are_a_family(platform: ModuleType) -> None:
    code = f"import subprocess; subprocess.call({SLEEP!r})"
    with started(sys.executable, "-c", code) as process:
        wait_until(lambda: len(platform.children(process.pid)) == 1)
        (child,) = platform.children(process.pid)
        assert platform.family(process.pid) == {process.pid, child}
        assert process.pid in platform.children(os.getpid())
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    assert platform.children(process.pid) == set()


def test_what_is_frozen_stands_still_until_it_thaws(platform: ModuleType, sleeper: int) -> None:
    family = platform.family_of(sleeper)
    family.freeze()
    wait_until(lambda: state_of(sleeper) == psutil.STATUS_STOPPED)
    family.thaw()
    wait_until(lambda: state_of(sleeper) == psutil.STATUS_SLEEPING)


def test_computing_time_grows_and_ends_with_its_process(platform: ModuleType) -> None:
    with started(*COMPUTE) as process:
        read = platform.cpu_clock(process.pid)
        wait_until(lambda: read() > 5e7)
        family = platform.family_of(process.pid)
        assert family.usage().used_ns > 5e7
        process.kill()
    with pytest.raises(OSError):  # noqa: PT011 (any: it is gone)
        read()
    assert platform.cpu_clock(process.pid) is None
    assert family.usage().used_ns == platform.family_of(process.pid).usage().used_ns == 0


LOCKS = (
    "import fcntl, sys, time; file = open(sys.argv[1], 'r+b'); fcntl.lockf(file, fcntl.LOCK_EX); "
)


def test_a_lock_of_another_process_is_seen_and_stays(platform: ModuleType, tmp_path: Path) -> None:
    path = tmp_path / "lock"
    path.touch()
    code = f"{LOCKS}print('locked', flush=True); time.sleep({ENDLESS_S})"
    with path.open("r+b") as file:
        assert not platform.is_locked(file.fileno())
        with started(sys.executable, "-c", code, str(path)) as process:
            assert process.stdout is not None
            process.stdout.readline()
            assert platform.is_locked(file.fileno())
            assert platform.is_locked(file.fileno())
            process.kill()
        wait_until(lambda: not platform.is_locked(file.fileno()))


def test_the_lock_of_macos_is_read_in_its_own_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start, length and process are before the type: sys/fcntl.h of XNU."""
    asked = []

    def fcntl_of_macos(descriptor: int, command: int, data: bytes) -> bytes:
        asked.append((command, data))
        return struct.pack("qqihh", 0, 0, 17, fcntl.F_WRLCK, 0)

    monkeypatch.setattr(portable, "_FLOCK", "qqihh")
    monkeypatch.setattr(portable, "_KIND", 3)
    monkeypatch.setattr(fcntl, "fcntl", fcntl_of_macos)
    assert portable.is_locked(0)
    ((command, data),) = asked
    assert command == fcntl.F_GETLK
    assert struct.unpack("qqihh", data)[3] == fcntl.F_WRLCK
    assert len(data) == 24


def test_long_datagrams_arrive_whole(platform: ModuleType) -> None:
    reader, writer = platform.datagrams()
    with reader, writer:
        platform.send_datagram(writer, 30_000 * b"x")
        assert reader.recv(1 << 20) == 30_000 * b"x"


def test_a_portable_pair_asks_for_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """On macOS, a datagram may have 2048 bytes unless the sockets say otherwise."""
    plain = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    for end in plain:
        end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 2048)
    monkeypatch.setattr(socket, "socketpair", lambda *kinds: plain)
    reader, writer = portable.datagrams()
    with reader, writer:
        assert writer.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF) >= portable.DATAGRAM_BYTES


class Full:
    """A socket of macOS that is full twice: it raises at once instead of waiting."""

    def __init__(self, waits_s: float | None) -> None:
        self.waits_s, self.asked = waits_s, 0

    def gettimeout(self) -> float | None:
        """Return how long it may wait."""
        return self.waits_s

    def send(self, data: bytes) -> int:
        """Send at the third time."""
        self.asked += 1
        if self.asked < 3:
            raise OSError(errno.ENOBUFS, "No buffer space available")
        return len(data)


@pytest.mark.parametrize(("waits_s", "is_sent"), [(PATIENCE_S, True), (0.0, False)])
def test_a_full_socket_is_waited_for(waits_s: float, is_sent: bool) -> None:
    full = Full(waits_s)
    if is_sent:
        portable.send_datagram(cast(socket.socket, full), b"line")
        assert full.asked == 3
    else:
        with pytest.raises(OSError, match="No buffer space"):
            portable.send_datagram(cast(socket.socket, full), b"line")


@pytest.mark.parametrize("code", [EATS + KEEPS_ON, IN_CHILD.format(code=EATS + KEEPS_ON)])
def test_memory_is_watched_with_that_of_children(platform: ModuleType, code: str) -> None:
    with started(sys.executable, "-c", code) as process:
        assert process.stdout is not None
        process.stdout.readline()
        one, other = platform.family_of(process.pid), platform.family_of(process.pid)
        wait_until(lambda: one.use(100 << 20).memory > 150 << 20)
        assert 150 << 20 < other.use(1000 << 20).memory < 400 << 20
        os.killpg(process.pid, signal.SIGKILL)


SHARES = """
import os, sys, time
taken = bytearray(b"x") * (150 << 20)
for _ in range(3):
    if not os.fork():
        break
else:
    print("up", flush=True)
time.sleep(600)
"""


@on_linux("elsewhere pages count once for each process")
def test_memory_that_processes_share_counts_once() -> None:
    with started(sys.executable, "-c", SHARES) as process:
        assert process.stdout is not None
        process.stdout.readline()
        wait_until(lambda: len(linux.family(process.pid)) == 4)
        family, bound = linux.family_of(process.pid), 300 << 20
        # On a busy machine a look may end before it has read them all.
        wait_until(lambda: 150 << 20 < family.use(bound).memory < 200 << 20)
        os.killpg(process.pid, signal.SIGKILL)


DIES = """
import os, subprocess, sys, time
code = 'import os, subprocess, sys, time; from league.platform.{name} import die_with; '
code += 'die_with(os.getppid()); subprocess.Popen(["sleep", "{s}"]); print("up", flush=True); '
code += 'time.sleep({s})'
child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
child.stdout.readline()
print(child.pid, flush=True)
time.sleep({s})
"""


@pytest.mark.slow
def test_a_process_ends_with_its_parent(platform: ModuleType) -> None:
    name = platform.__name__.rpartition(".")[2]
    with started(sys.executable, "-c", DIES.format(name=name, s=ENDLESS_S)) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        below = portable.family(child)
        parent.kill()
        parent.wait()
        ended = below if platform is portable else {child}
        wait_until(lambda: not any(map(is_running, ended)))
        # Linux ends the child alone.
        for each in set(below) - {child}:
            with suppress(ProcessLookupError):
                os.kill(each, signal.SIGKILL)


ORPHANS = """
import os, subprocess, sys
from league.platform import {name} as platform
platform.become_subreaper()
code = "import subprocess, sys; print(subprocess.Popen([sys.executable, '-c', sys.argv[1]], "
code += "start_new_session=True).pid, flush=True); sys.stdin.read()"
sleep = "import time; time.sleep({s})"
command = [sys.executable, "-c", code, sleep]
pipes = dict(stdin=subprocess.PIPE, stdout=subprocess.PIPE)
bots = [subprocess.Popen(command, **pipes) for number in range(2)]
children = [int(bot.stdout.readline()) for bot in bots]
platform.watch_descendants()
bots[0].kill()
bots[0].wait()
platform.end_strays([bots[1].pid])
print(*children, flush=True)
sys.stdin.read()
bots[1].kill()
bots[1].wait()
platform.end_strays(())
"""


@pytest.mark.slow
def test_orphans_are_ended_and_those_of_the_living_are_not(platform: ModuleType) -> None:
    code = ORPHANS.format(name=platform.__name__.rpartition(".")[2], s=ENDLESS_S)
    command = [sys.executable, "-c", code]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, text=True, **pipes) as process:  # type: ignore[call-overload]
        stray, living = map(int, process.stdout.readline().split())
        wait_until(lambda: not is_running(stray))
        assert is_running(living)
        process.communicate()
    wait_until(lambda: not is_running(living))


def test_memory_is_shared_with_a_process_that_has_its_descriptor(platform: ModuleType) -> None:
    descriptor = platform.shared_memory(32)
    try:
        code = "import mmap, sys; mmap.mmap(int(sys.argv[1]), 32)[5] = 7"
        command = [sys.executable, "-c", code, str(descriptor)]
        subprocess.run(command, pass_fds=[descriptor], check=True)
        assert os.pread(descriptor, 32, 0)[5] == 7
    finally:
        os.close(descriptor)


def test_cores_are_at_least_one(platform: ModuleType) -> None:
    assert platform.core_numbers()
    platform.pin(platform.core_numbers())


def test_a_portable_process_never_forks_without_a_program() -> None:
    assert linux.FORKS
    assert not portable.FORKS
    assert not portable.may_fork()
