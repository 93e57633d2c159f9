"""The pool of worker processes on this machine."""

import os
import pickle
import selectors
import signal
import socket
import time
from collections import deque
from collections.abc import Container, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from league.execution.heartbeat import Heartbeat, Sign
from league.execution.live_feed import LiveMatch
from league.execution.messages import MessageStream
from league.execution.pool import JobsLost, PoolBroken
from league.execution.run_log import DATAGRAM_MAX, RunLog
from league.execution.worker import JobResult, MatchJob
from league.execution.worker_parent import RECEIVED, WorkerSettings, start_worker_parent
from league.model.records import MatchKey
from league.platform import ACKNOWLEDGES_DESCRIPTORS, core_numbers, end_strays
from league.seats.process.environment import BotEnvironment
from league.seats.process.scratch import ScratchFolder, remove_abandoned

FORK_S = 60.0
"""Longest time that a worker may take to start on a very busy machine."""

LOOK_S = 1.0
"""Interval between checks for signs of life of the workers."""

HUNG_S = 30.0
"""A worker without a sign of life for so long is killed; it gives two a second."""

AHEAD_S = 1.0
"""Workers with shorter batches get their next batch before they ask for it."""


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """Make the parent of the bots' scratch folders, and remove it afterwards."""
    remove_abandoned()
    folder = ScratchFolder()
    try:
        yield folder.path
    finally:
        folder.remove()


@dataclass(slots=True)
class _Batch:
    """Pickled matches for a worker, and the future of their results."""

    data: bytes
    future: Future[Any] = field(default_factory=Future)


@dataclass(slots=True)
class _LocalWorker:
    """A worker process and its batches, the one in play first."""

    place: int
    pid: int
    stream: MessageStream
    heartbeat: Heartbeat
    batches: deque[_Batch] = field(default_factory=deque)
    begin_s: float = 0.0
    beats: int = 0
    alive_s: float = field(default_factory=time.monotonic)


class LocalPool:
    """Worker processes on this machine, each pinned to `cores_each` cores of its own, 0 for none.

    At most `starts` bots start at once, None for no limit. A worker that dies is replaced: the
    batch it was playing is lost, its others go to another worker. One that shows no sign of life
    for `HUNG_S` is killed. The pool has no threads and does not fork.
    """

    def __init__(
        self,
        workers: int,
        *,
        cores_each: int,
        starts: int | None,
        environment: BotEnvironment,
        log: RunLog | None,
    ) -> None:
        self.size = workers
        cores = sorted(core_numbers()) if cores_each else []
        # Prevents two one-worker runners from sharing the first core.
        first = os.getpid() % max(1, len(cores))
        settings = WorkerSettings(
            runner=os.getpid(),
            cores=tuple(cores[first:] + cores[:first]),
            cores_each=cores_each,
            starts=starts,
            environment=environment,
        )
        writer = log.channel.writer if log is not None else None
        self._parent, self._control, self._live = start_worker_parent(settings, writer)
        self._control.settimeout(FORK_S)
        self._workers: dict[int, _LocalWorker] = {}
        self._waiting: deque[_Batch] = deque()
        self._done: list[Future[Any]] = []
        self._batch_s = 0.0
        self._looked_s = time.monotonic()
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._control, selectors.EVENT_READ)

    @property
    def pids(self) -> list[int]:
        """The process IDs of the workers."""
        return [worker.pid for worker in self._workers.values()]

    def submit(self, jobs: Sequence[MatchJob]) -> Future[Any]:
        """Send a batch to a worker, or queue it until one is free; raise `PoolBroken`."""
        batch = _Batch(pickle.dumps(tuple(jobs)))
        self._waiting.append(batch)
        self._hand_out()
        return batch.future

    def done(self, timeout_s: float) -> list[Future[Any]]:
        """Return the finished batches; wait for the first. Raises `PoolBroken`."""
        for key, events in self._selector.select(0 if self._done else timeout_s):
            if key.fileobj is self._control:
                raise PoolBroken("the parent of the worker processes was killed")
            self._serve(key.data, events)
        self._kill_hung()
        self._hand_out()
        done, self._done = self._done, []
        return done

    def results(self, future: Future[Any]) -> list[JobResult]:
        """Return the results of a batch; raise `JobsLost`."""
        results: list[JobResult] = future.result()
        return results

    def withdraw(self, future: Future[Any]) -> bool:
        """Withdraw a batch that no worker has yet; return whether that succeeded."""
        for batch in self._waiting:
            if batch.future is future:
                self._waiting.remove(batch)
                return True
        return False

    def live_matches(self) -> list[LiveMatch]:
        """Return the live matches sent since the last call."""
        found = []
        while True:
            try:
                found.append(LiveMatch.unpacked(self._live.recv(DATAGRAM_MAX)))
            except BlockingIOError:
                return found

    def watch(self, keys: Container[MatchKey]) -> None:
        """Let the workers show these matches ply by ply."""
        for worker in self._workers.values():
            worker.heartbeat.watch(keys)

    def end(self) -> None:
        """Stop the workers, their bots, and processes the bots left behind."""
        self._selector.close()
        for worker in self._workers.values():
            worker.stream.close()
        self._control.close()
        self._live.close()
        self._parent.end()
        end_strays(())

    def _hand_out(self) -> None:
        """Give waiting batches to the workers with the fewest, starting workers as needed."""
        depth = 2 if self._batch_s < AHEAD_S else 1
        for count in range(depth):
            for place in range(self.size):
                if not self._waiting:
                    return
                worker = self._workers.get(place)
                if (len(worker.batches) if worker else 0) != count:
                    continue
                worker = worker or self._start(place)
                self._give(worker, self._waiting.popleft())

    def _give(self, worker: _LocalWorker, batch: _Batch) -> None:
        if not worker.batches:
            worker.begin_s = time.monotonic()
        worker.batches.append(batch)
        try:
            worker.stream.send(batch.data)
        except OSError:
            self._lose(worker)
            return
        self._watch(worker)

    def _serve(self, worker: _LocalWorker, events: int) -> None:
        """Read a worker's messages, and send it what it can accept."""
        try:
            if events & selectors.EVENT_WRITE:
                worker.stream.flush()
                self._watch(worker)
            for message in worker.stream.receive():
                self._take(worker, message)
        except (EOFError, OSError):
            self._lose(worker)

    def _take(self, worker: _LocalWorker, message: bytes) -> None:
        batch = worker.batches.popleft()
        now = time.monotonic()
        self._batch_s, worker.begin_s = now - worker.begin_s, now
        found = pickle.loads(message)  # noqa: S301 (from our own worker)
        if isinstance(found, Exception):
            batch.future.set_exception(found)
        else:
            batch.future.set_result(found)
        self._done.append(batch.future)

    def _watch(self, worker: _LocalWorker) -> None:
        wanted = selectors.EVENT_READ
        if worker.stream.has_to_send:
            wanted |= selectors.EVENT_WRITE
        self._selector.modify(worker.stream, wanted, worker)

    def _start(self, place: int) -> _LocalWorker:
        """Request the fork of a worker; raise `PoolBroken`."""
        try:
            self._control.send(place.to_bytes(8, "big"))
            pid, descriptors, _, _ = socket.recv_fds(self._control, 8, 2)
            if ACKNOWLEDGES_DESCRIPTORS:
                self._control.send(RECEIVED)
        except OSError:
            pid, descriptors = b"", []
        if not descriptors:
            raise PoolBroken("no worker process can be started")
        stream = MessageStream(socket.socket(fileno=descriptors[0]))
        heartbeat = Heartbeat(descriptors[1])
        os.close(descriptors[1])
        worker = _LocalWorker(place, int.from_bytes(pid, "big"), stream, heartbeat)
        self._workers[place] = worker
        self._selector.register(stream, selectors.EVENT_READ, worker)
        return worker

    def _kill_hung(self) -> None:
        """Kill workers that show no sign of life: a bot may have stopped them."""
        now, last = time.monotonic(), self._looked_s
        if now - last < LOOK_S:
            return
        self._looked_s = now
        for worker in list(self._workers.values()):
            sign = worker.heartbeat.sign()
            # If this process was stopped, the workers probably were too.
            if sign.beats != worker.beats or now - last > 3 * LOOK_S:
                worker.beats, worker.alive_s = sign.beats, now
            elif now - worker.alive_s > HUNG_S:
                with suppress(ProcessLookupError):
                    os.kill(worker.pid, signal.SIGKILL)
                self._lose(worker, sign)

    def _lose(self, worker: _LocalWorker, hung_at: Sign | None = None) -> None:
        """Drop a dead worker: its batch in play is lost, the rest is queued again."""
        self._selector.unregister(worker.stream)
        worker.stream.close()
        del self._workers[worker.place]
        if worker.batches:
            played = worker.batches.popleft()
            why = "was killed" if hung_at is None else f"stopped answering for {HUNG_S:g} s"
            reason = f"the worker process that played it {why}"
            played.future.set_exception(JobsLost(reason, hung_at))
            self._done.append(played.future)
        self._waiting.extendleft(reversed(worker.batches))
