"""A pool on a Dask cluster: batches go out as tasks, and results return to the runner."""

import pickle
import re
import socket
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Collection, Container, Sequence
from concurrent.futures import Future
from contextlib import suppress
from importlib.util import find_spec
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any

from games.support.game import Game
from league.execution.dask_subprocess import TaskPackage
from league.execution.dask_task import TOPIC, end_subprocess, run_package
from league.execution.fitness import version_here, why_unfit
from league.execution.live_feed import LiveMatch
from league.execution.pool import LIVE_MAX, JobsLost, PoolGone, drained
from league.execution.worker import JobResult, MatchJob
from league.model.errors import SetupError
from league.model.records import MatchKey

if TYPE_CHECKING:
    from distributed import Client

CONNECT_S = 5.0
CLOSE_S = 5.0

EMPTY_S = 60.0
"""Longest time that a cluster may have no workers."""


def scheduler_of(executor: str) -> str:
    """Return the address of the scheduler in `dask://HOST:PORT`.

    Raises `SetupError` if the URL is invalid or the extra is not installed.
    """
    named = re.fullmatch(r"dask://([^/\s]+:\d+)", executor)
    if named is None:
        raise SetupError(
            f"unknown executor {executor!r}: expected 'local', dask://HOST:PORT or pull://HOST:PORT"
        )
    if find_spec("distributed") is None:
        raise SetupError(
            f"{executor!r} needs the extra 'cluster': pip install 'botleague[cluster]'"
        )
    return f"tcp://{named[1]}"


def require_scheduler(executor: str) -> str:
    """Return the address of a scheduler that accepts connections; raise `SetupError`."""
    address = scheduler_of(executor)
    host, _, port = address.removeprefix("tcp://").rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), CONNECT_S).close()
    except (OSError, OverflowError) as error:
        raise _no_scheduler(address, str(error)) from None
    return address


def _no_scheduler(address: str, reason: str) -> SetupError:
    return SetupError(
        f"no scheduler answers at {address} ({reason}): start one with 'dask scheduler'"
    )


class DaskPool:
    """All current workers of a Dask scheduler; raises `SetupError` if it does not answer soon."""

    def __init__(self, executor: str, game: Game) -> None:
        self._address = require_scheduler(executor)
        self._game = game
        self._run = uuid.uuid4().hex
        self._empty_since: float | None = None
        self._client = _connect(self._address)
        # Impure, because a replayed match must be played, not taken from Dask's cache.
        self._executor = self._client.get_executor(pure=False)
        self._checked: set[str] = set()
        self._done: SimpleQueue[Future[Any]] = SimpleQueue()
        self._live: deque[LiveMatch] = deque(maxlen=LIVE_MAX)
        self._client.subscribe_topic(TOPIC, self._see)

    @property
    def size(self) -> int:
        """The total threads of the workers.

        Raises `PoolGone` if the scheduler is gone, has had no workers for `EMPTY_S`, or has a
        worker with another version of this project.
        """
        self._require_scheduler()
        try:
            threads: dict[str, int] = self._client.nthreads()
            self._check(threads.keys() - self._checked)
        except OSError:
            raise self._gone() from None
        size = sum(threads.values())
        now = time.monotonic()
        self._empty_since = None if size else self._empty_since or now
        if self._empty_since is not None and now - self._empty_since > EMPTY_S:
            raise PoolGone(
                f"the scheduler at {self._address} has had no worker for {EMPTY_S:g} s "
                f"(start one with 'dask worker {self._address}')"
            )
        return size

    def submit(self, jobs: Sequence[MatchJob]) -> Future[Any]:
        """Send a batch to the scheduler; raise `PoolGone`."""
        self._require_scheduler()
        package = pickle.dumps(TaskPackage(self._game.spec, self._game.digest, tuple(jobs)))
        future: Future[Any] = self._executor.submit(run_package, version_here(), self._run, package)
        future.add_done_callback(self._done.put)
        return future

    def done(self, timeout_s: float) -> list[Future[Any]]:
        """Return the finished batches; wait up to `timeout_s` for the first."""
        # Futures enter this queue themselves: polling thousands of them takes too long.
        found = []
        with suppress(Empty):
            found.append(self._done.get(timeout=timeout_s))
            while True:
                found.append(self._done.get_nowait())
        return found

    def results(self, future: Future[Any]) -> list[JobResult]:
        """Return the results of a batch; raise `JobsLost` or `PoolGone`."""
        from distributed import KilledWorker  # noqa: PLC0415 (an extra)

        if future.cancelled():
            # We never cancel, but Dask does on losing its scheduler.
            raise self._gone()
        try:
            found = pickle.loads(future.result())  # noqa: S301 (from our own workers)
        except KilledWorker:
            raise JobsLost("the Dask workers that had it are gone") from None
        except Exception as error:
            text = f"a worker of the scheduler at {self._address} fails"
            raise PoolGone(f"{text}: {type(error).__name__}: {error}") from None
        if isinstance(found, Exception):
            raise found
        results: list[JobResult] = found
        return results

    def withdraw(self, future: Future[Any]) -> bool:
        """Return False: there is no way to know whether the batch has started."""
        return False

    def live_matches(self) -> list[LiveMatch]:
        """Return the newest live matches sent since the last call."""
        return drained(self._live)

    def watch(self, keys: Container[MatchKey]) -> None:
        """Do nothing: no message reaches a worker of a cluster while it plays."""

    def _see(self, event: tuple[float, Any]) -> None:
        """Receive a message of the topic, in the thread of Dask's client."""
        _, message = event
        if message["run"] == self._run:
            self._live.append(LiveMatch.unpacked(message["live"]))

    def end(self) -> None:
        """Cancel matches, end our processes on the workers, and leave the cluster."""
        if self._client.status == "running":
            self._executor.shutdown(wait=False)
            _within(CLOSE_S, lambda: self._client.run(end_subprocess, self._run, on_error="ignore"))
        _within(CLOSE_S, self._client.close)

    def _check(self, addresses: Collection[str]) -> None:
        """Raise `PoolGone` if one of these workers has another version, or none."""
        if not addresses:
            return
        here = version_here()
        told = self._client.run(version_here, workers=list(addresses), on_error="return")
        for address, there in told.items():
            if isinstance(there, ImportError):
                there = "none"
            # A worker may have disappeared since it was listed; if not, it is checked again.
            if isinstance(there, str):
                if there != here:
                    raise why_unfit(here, f"the worker at {address}", there)
                self._checked.add(address)

    def _require_scheduler(self) -> None:
        if self._client.status != "running":
            raise self._gone()

    def _gone(self) -> PoolGone:
        return PoolGone(f"the scheduler at {self._address} is gone")


def _connect(address: str) -> "Client":
    import dask.config  # noqa: PLC0415 (an extra)

    # We report these errors in one line; Dask would also print them.
    quiet = ("distributed", "distributed.client", "distributed.gc", "tornado.application")
    with dask.config.set({"logging": dict.fromkeys(quiet, "critical")}):
        from distributed import Client  # noqa: PLC0415 (an extra)
    try:
        return Client(address, timeout=CONNECT_S, set_as_default=False, name="botleague")
    except (OSError, ValueError) as error:
        raise _no_scheduler(address, str(error)) from None


def _within(seconds: float, call: Callable[[], object]) -> None:
    """Run a call but wait at most `seconds`: machines of the cluster may hang."""

    def attempt() -> None:
        with suppress(Exception):
            call()

    thread = threading.Thread(target=attempt, daemon=True)
    thread.start()
    thread.join(seconds)
