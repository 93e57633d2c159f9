"""What plays the runner's matches: pools of worker processes, here or elsewhere.

Those here are forked from the runner, each pinned to a core.
"""

import multiprocessing
import os
import socket
from collections.abc import Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from typing import Any, Protocol

from league.glimpses import Glimpse, Send
from league.seats.parent import end_strays
from league.seats.surroundings import Surroundings
from league.worker import JobResult, MatchJob, begin_worker, play_jobs

LOCAL = "local"
"""The name of the executor of this machine's own processes."""


GLIMPSE_MAX = 1 << 20
"""More bytes than the system takes for one datagram."""


class JobsLost(Exception):
    """The worker that had these matches is gone; the others go on."""


class PoolGone(Exception):
    """Nothing can be played in a pool any more; the text says why."""


class Pool(Protocol):
    """Workers that play batches of matches."""

    @property
    def size(self) -> int:
        """How many batches are played at the same time; may change. Raises `PoolGone`."""

    def submit(self, jobs: Sequence[MatchJob]) -> Future[Any]:
        """Hand a batch over; what the future holds is for `results`. Raises as that does."""

    def results(self, future: Future[Any]) -> list[JobResult]:
        """Return what became of a batch whose future is done.

        Raises `JobsLost`, `PoolGone`, and `BrokenProcessPool` where a pool here is to be replaced.
        """

    def withdraw(self, future: Future[Any]) -> bool:
        """Take a batch back that nobody plays yet; return whether it is."""

    def glimpses(self) -> list[Glimpse]:
        """Return what was seen of the matches in play since it was asked before, in order."""

    def end(self) -> None:
        """End all that is in play, at once."""


class LocalPool:
    """Worker processes on this machine."""

    def __init__(self, workers: int, is_pinned: bool, surroundings: Surroundings) -> None:
        self.size = workers
        # Datagrams come whole or not at all: a worker that is killed while it writes leaves no lock
        # and no half of a message.
        self._ours, self._theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._ours.setblocking(False)
        self._theirs.setblocking(False)
        self._executor = local_executor(workers, is_pinned, surroundings, self._theirs.send)

    def submit(self, jobs: Sequence[MatchJob]) -> Future[Any]:
        """Hand a batch to the next worker that is free; raise `BrokenProcessPool`."""
        return self._executor.submit(play_jobs, jobs)

    def results(self, future: Future[Any]) -> list[JobResult]:
        """Return what became of a batch; raise `BrokenProcessPool`."""
        results: list[JobResult] = future.result()
        return results

    def withdraw(self, future: Future[Any]) -> bool:
        """Take a batch back that nobody plays yet; return whether it is."""
        return future.cancel()

    def glimpses(self) -> list[Glimpse]:
        """Return what the workers have sent since."""
        found = []
        while True:
            try:
                found.append(Glimpse.unpacked(self._ours.recv(GLIMPSE_MAX)))
            except BlockingIOError:
                return found

    def end(self) -> None:
        """End the workers with their bots."""
        end_workers(self._executor)
        self._ours.close()
        self._theirs.close()


def local_executor(
    workers: int, is_pinned: bool, surroundings: Surroundings, send: Send = lambda glimpse: None
) -> ProcessPoolExecutor:
    """Return an executor of `workers` processes, whose bots find `surroundings`.

    `send` takes glimpses of the matches in play, in the processes.

    Fork, not spawn: the workers inherit the log handler of multiprocessing-logging, and start in
    milliseconds. The pool forks them all at its first task, before it starts threads of its own.
    """
    context = multiprocessing.get_context("fork")
    cores = sorted(os.sched_getaffinity(0)) if is_pinned else []
    # Two runners with a worker each must not meet on the first core.
    first = os.getpid() % max(1, len(cores))
    cores = cores[first:] + cores[:first]
    turn = context.Value("i", 0, lock=False)
    return ProcessPoolExecutor(
        workers,
        mp_context=context,
        initializer=begin_worker,
        initargs=(os.getpid(), cores, turn, context.Lock(), surroundings, send),
    )


def end_workers(executor: ProcessPoolExecutor) -> None:
    """End the executor and its processes at once; their bots end with them.

    So do the processes that bots left behind, where this process takes in strays.
    """
    executor.shutdown(wait=False, cancel_futures=True)
    for process in multiprocessing.active_children():
        process.kill()
        process.join()
    end_strays(())
