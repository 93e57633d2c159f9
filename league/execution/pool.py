"""The runner's interface to a pool of workers, here or on a cluster."""

from collections import deque
from collections.abc import Callable, Container, Sequence
from concurrent.futures import Future
from contextlib import suppress
from typing import Any, Protocol

from league.execution.heartbeat import Sign
from league.execution.live_feed import LiveMatch
from league.execution.worker import JobResult, MatchJob
from league.model.records import MatchKey

LIVE_MAX = 1000
"""Maximum number of buffered live matches, more than any viewer shows."""


class JobsLost(Exception):
    """The worker with these matches is gone; other workers continue.

    `hung_at` is what it last showed if it was killed because it had stopped answering.
    """

    def __init__(self, reason: str, hung_at: Sign | None = None) -> None:
        super().__init__(reason)
        self.hung_at = hung_at


class PoolBroken(Exception):
    """All workers of a pool are gone; another pool can replace it."""


class PoolGone(Exception):
    """The pool can play nothing any more; the text says why."""


def drained(live: deque[LiveMatch]) -> list[LiveMatch]:
    """Take all live matches from a buffer that another thread fills."""
    found = []
    with suppress(IndexError):
        while True:
            found.append(live.popleft())
    return found


class Pool(Protocol):
    """Workers that play batches of matches."""

    @property
    def size(self) -> int:
        """Return the number of batches that run at once, which may change. Raises `PoolGone`."""

    def submit(self, jobs: Sequence[MatchJob]) -> Future[Any]:
        """Send a batch; `results` decodes the future. Raises like `results`."""

    def done(self, timeout_s: float) -> list[Future[Any]]:
        """Wait up to `timeout_s` for newly finished batches and return them; raise `PoolBroken`."""

    def results(self, future: Future[Any]) -> list[JobResult]:
        """Return the results of a finished batch; raise `JobsLost` or `PoolGone`."""

    def withdraw(self, future: Future[Any]) -> bool:
        """Withdraw a batch that has not been started; return whether that succeeded."""

    def live_matches(self) -> list[LiveMatch]:
        """Return the live matches seen since the last call, in order."""

    def watch(self, keys: Container[MatchKey]) -> None:
        """Let the workers show these matches ply by ply, where the pool can reach them."""

    def end(self) -> None:
        """Stop everything in play at once."""


OpenPool = Callable[[int], Pool]
"""Makes a pool of that many workers, or of as many as a cluster has."""
