"""The process that forks the workers of a run.

It has no threads, because a fork beside a thread can copy a held lock. It is forked from a runner
without other threads, and otherwise started as a new process:
`python -m league.execution.worker_parent CONTROL LIVE LOG`. On systems without a safe fork, all
workers start as new processes.
"""

import os
import pickle
import select
import signal
import socket
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import NoReturn
from weakref import WeakSet

from league.execution.heartbeat import Heartbeat
from league.execution.messages import read_message, write_message
from league.execution.worker_process import WorkerPipes, Workplace, spawn_worker, work
from league.platform import (
    ACKNOWLEDGES_DESCRIPTORS,
    FORKS,
    become_subreaper,
    datagrams,
    die_with,
    end_strays,
    forbid_tracing,
    may_fork,
    watch_descendants,
)
from league.seats.process.environment import BotEnvironment, StartSlots
from league.seats.process.launch import python_path

PROGRAM = "league.execution.worker_parent"
"""The module that a fresh process runs."""

RECEIVED = b"r"
"""The runner's answer to descriptors, where they must stay open until it has them."""

LOOK_S = 0.5
"""Interval between checks for workers that have ended."""

END_S = 10.0
"""Longest time for ending the workers and their bots."""

_controls: WeakSet[socket.socket] = WeakSet()
"""The ends of control sockets that this process, as a runner, has of its worker parents."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerSettings:
    """The settings of a run's workers.

    `runner` is the runner's process ID. Workers are pinned to `cores`, `cores_each` in turn, () for
    no pinning; at most `starts` bots start at once, None for no limit.
    """

    runner: int
    cores: tuple[int, ...]
    cores_each: int
    starts: int | None
    environment: BotEnvironment


class WorkerParent:
    """Forks a worker per request, and ends all workers when the runner is gone.

    A request on `control` is a worker's place; the reply is its process ID, the runner's end of a
    stream to it, and its heartbeat. Workers send live matches to `live` and log records to `log`.
    """

    def __init__(
        self,
        settings: WorkerSettings,
        control: socket.socket,
        live: socket.socket,
        log: socket.socket | None,
    ) -> None:
        self._settings = settings
        slots = None if settings.starts is None else StartSlots(settings.starts)
        self._environment = replace(settings.environment, slots=slots)
        self._control, self._live, self._log = control, live, log
        self._workers: set[int] = set()

    def serve(self) -> None:
        """Fork workers until the runner closes its end; then end them all."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        die_with(self._settings.runner)
        become_subreaper()
        forbid_tracing()
        self._control.setblocking(True)
        poll = select.poll()
        poll.register(self._control, select.POLLIN)
        try:
            while True:
                if poll.poll(LOOK_S * 1000):
                    place = self._control.recv(8)
                    if not place:
                        return
                    self._start(int.from_bytes(place, "big"))
                self._reap()
                watch_descendants()
        except OSError:
            return
        finally:
            watch_descendants()
            for pid in self._workers:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            end_strays(())

    def _start(self, place: int) -> None:
        theirs, ours = socket.socketpair()
        heartbeat = Heartbeat.descriptor()
        workplace = Workplace(place, os.getpid(), self._cores_of(place), self._environment)
        pipes = WorkerPipes(ours, heartbeat, self._live, self._log)
        pid = self._forked(theirs, workplace, pipes) if FORKS else spawn_worker(workplace, pipes)
        self._workers.add(pid)
        ours.close()
        with theirs:
            socket.send_fds(self._control, [pid.to_bytes(8, "big")], [theirs.fileno(), heartbeat])
            if ACKNOWLEDGES_DESCRIPTORS:
                self._control.recv(len(RECEIVED))
        os.close(heartbeat)

    def _forked(self, theirs: socket.socket, workplace: Workplace, pipes: WorkerPipes) -> int:
        pid = os.fork()
        if not pid:
            theirs.close()
            self._control.close()
            _exit_after(lambda: work(workplace, pipes))
        return pid

    def _cores_of(self, place: int) -> frozenset[int]:
        """Return the cores of a worker, none if it is not pinned."""
        cores, each = self._settings.cores, self._settings.cores_each
        taken = range(place * each, (place + 1) * each)
        return frozenset(cores[number % len(cores)] for number in taken if cores)

    def _reap(self) -> None:
        """Reap ended workers, and end what their bots left behind."""
        with suppress(ChildProcessError):
            while (pid := os.waitpid(-1, os.WNOHANG)[0]) != 0:
                if pid in self._workers:
                    self._workers.discard(pid)
                    end_strays(self._workers)


def start_worker_parent(
    settings: WorkerSettings, log: socket.socket | None
) -> "tuple[RunningParent, socket.socket, socket.socket]":
    """Start the process that forks workers.

    Returns the process, the runner's end of its control socket, and the socket of live matches.
    These are datagrams, which arrive whole or not at all even if a worker is killed while sending.
    """
    control, theirs = socket.socketpair()
    live, live_writer = datagrams()
    live.setblocking(False)
    live_writer.setblocking(False)
    _controls.add(control)
    with theirs, live_writer:
        if not may_fork():
            return _started_afresh(settings, control, theirs, live_writer, log), control, live
        pid = os.fork()
        if not pid:
            # A worker parent whose control is open here would not notice that the runner is gone.
            for each in _controls:
                each.close()
            live.close()
            parent = WorkerParent(settings, theirs, live_writer, log)
            _exit_after(parent.serve)
        return RunningParent(pid), control, live


class RunningParent:
    """The worker parent, seen from the runner."""

    def __init__(self, pid: int, popen: "subprocess.Popen[bytes] | None" = None) -> None:
        self.pid = pid
        self._popen = popen

    def end(self) -> None:
        """Wait until it has ended its workers; kill it if that takes too long."""
        deadline_s = time.monotonic() + END_S
        while time.monotonic() < deadline_s:
            if self._wait(os.WNOHANG):
                return
            time.sleep(0.001)
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        self._wait(0)

    def _wait(self, options: int) -> bool:
        if self._popen is not None:
            return (self._popen.poll() if options else self._popen.wait()) is not None
        try:
            return os.waitpid(self.pid, options)[0] != 0
        except ChildProcessError:
            return True


def _started_afresh(
    settings: WorkerSettings,
    control: socket.socket,
    theirs: socket.socket,
    live: socket.socket,
    log: socket.socket | None,
) -> RunningParent:
    descriptors = [each.fileno() for each in (theirs, live, log) if each is not None]
    popen = subprocess.Popen(  # noqa: S603 (this project's own process)
        [
            *(sys.executable, "-P", "-m", PROGRAM),
            *map(str, descriptors),
        ],
        stdin=subprocess.DEVNULL,
        pass_fds=descriptors,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(python_path())},
    )
    write_message(control, pickle.dumps(settings))
    return RunningParent(popen.pid, popen)


def _exit_after(work: Callable[[], None]) -> NoReturn:
    """Run the work of a forked process and exit without returning to the caller's code."""
    code = 1
    try:
        work()
        code = 0
    except Exception:
        traceback.print_exc()
    finally:
        os._exit(code)


def main(arguments: Sequence[str]) -> None:
    """Serve with the descriptors of the control, live and log sockets as arguments."""
    control, live, *rest = (socket.socket(fileno=int(each)) for each in arguments)
    settings = pickle.loads(read_message(control))  # noqa: S301 (from our own runner)
    WorkerParent(settings, control, live, rest[0] if rest else None).serve()


if __name__ == "__main__":
    main(sys.argv[1:])
