"""The process of a worker: forked, or started as a new process.

`python -m league.execution.worker_process STREAM HEARTBEAT LIVE SETTINGS SLOTS LOG`, descriptors
all of them; those that are missing are -1.
"""

import multiprocessing
import os
import pickle
import select
import socket
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from league.execution.heartbeat import Heartbeat
from league.execution.live_feed import LiveFeed
from league.execution.messages import read_message, write_message
from league.execution.run_log import log_to
from league.execution.worker import JobResult, MatchJob, Worker, begin_worker
from league.seats.process.environment import BotEnvironment, StartSlots
from league.seats.process.launch import python_path

PROGRAM = "league.execution.worker_process"
"""The module that a fresh process runs."""

_NONE = -1


@dataclass(frozen=True, slots=True)
class Workplace:
    """A worker's place in the pool, its parent's process ID, and the surroundings of its bots.

    It is pinned to `cores`, none for all.
    """

    place: int
    parent: int
    cores: frozenset[int]
    environment: BotEnvironment


@dataclass(frozen=True, slots=True)
class WorkerPipes:
    """A worker's stream to the runner, its heartbeat, and where live matches and log lines go."""

    stream: socket.socket
    heartbeat: int
    live: socket.socket
    log: socket.socket | None


def work(workplace: Workplace, pipes: WorkerPipes) -> None:
    """Play in this process until the stream ends."""
    multiprocessing.current_process().name = f"worker-{workplace.place + 1}"
    begin_worker(workplace.parent, workplace.cores)
    if pipes.log is not None:
        log_to(pipes.log)
    feed = LiveFeed(pipes.live.send, Heartbeat(pipes.heartbeat))
    feed.start()
    worker = Worker(workplace.environment, feed)
    with suppress(EOFError, ConnectionError):
        while True:
            jobs = pickle.loads(read_message(pipes.stream))  # noqa: S301 (from our own runner)
            results = _results_of(worker, jobs)
            has_more, _, _ = select.select([pipes.stream], [], [], 0)
            if not has_more:
                worker.rest()
            write_message(pipes.stream, pickle.dumps(results))
    worker.stop()


def _results_of(worker: Worker, jobs: Sequence[MatchJob]) -> list[JobResult] | Exception:
    """Return the results of a batch, or the exception for the runner to raise."""
    try:
        return worker.play(jobs)
    except Exception as error:
        return error


def spawn_worker(workplace: Workplace, pipes: WorkerPipes) -> int:
    """Start a worker in a fresh process, and return its ID; raise `OSError`."""
    slots = workplace.environment.slots
    count = slots.count if slots else 0
    reader, writer = os.pipe()
    inherited = (
        *(pipes.stream.fileno(), pipes.heartbeat, pipes.live.fileno(), reader),
        *(slots.descriptor if slots else _NONE, pipes.log.fileno() if pipes.log else _NONE),
    )
    for descriptor in inherited:
        if descriptor != _NONE:
            os.set_inheritable(descriptor, True)
    # A pipe holds so little at once.
    settings = replace(workplace, environment=replace(workplace.environment, slots=None))
    os.write(writer, pickle.dumps((settings, count)))
    os.close(writer)
    try:
        return os.posix_spawn(
            sys.executable,
            [sys.executable, "-P", "-m", PROGRAM, *map(str, inherited)],
            {**os.environ, "PYTHONPATH": os.pathsep.join(python_path())},
            file_actions=[(os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0)],
        )
    finally:
        os.close(reader)
        for descriptor in inherited:
            if descriptor not in (_NONE, reader):
                os.set_inheritable(descriptor, False)


def main(arguments: Sequence[str]) -> None:
    """Work with the descriptors that are the arguments."""
    stream, heartbeat, live, settings, slots, log = map(int, arguments)
    with os.fdopen(settings, "rb") as file:
        workplace, count = pickle.load(file)  # noqa: S301 (from our own worker parent)
    if slots != _NONE:
        environment = replace(workplace.environment, slots=StartSlots(count, slots))
        workplace = replace(workplace, environment=environment)
    pipes = WorkerPipes(
        socket.socket(fileno=stream),
        heartbeat,
        socket.socket(fileno=live),
        None if log == _NONE else socket.socket(fileno=log),
    )
    work(workplace, pipes)


if __name__ == "__main__":
    main(sys.argv[1:])
