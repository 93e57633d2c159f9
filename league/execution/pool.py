"""The pool of workers that the runner speaks to, here or on a cluster."""

from collections.abc import Sequence
from concurrent.futures import Future
from typing import Any, Protocol

from league.execution.live_feed import LiveMatch
from league.execution.worker import JobResult, MatchJob

LOCAL = "local"
"""The name of the executor of this machine's own processes."""


class JobsLost(Exception):
    """The worker that had these matches is gone; the others go on."""


class PoolBroken(Exception):
    """All workers of a pool are gone; another pool can take its place."""


class PoolGone(Exception):
    """Nothing can be played in a pool any more; the text says why."""


class Pool(Protocol):
    """Workers that play batches of matches."""

    @property
    def size(self) -> int:
        """How many batches are played at the same time; may change. Raises `PoolGone`."""

    def submit(self, jobs: Sequence[MatchJob]) -> Future[Any]:
        """Hand a batch over; what the future holds is for `results`. Raises as that does."""

    def done(self, timeout_s: float) -> list[Future[Any]]:
        """Return the batches that are done since this was asked before.

        Waits up to `timeout_s` seconds for the first. Raises `PoolBroken`.
        """

    def results(self, future: Future[Any]) -> list[JobResult]:
        """Return the results of a batch that is done; raise `JobsLost` or `PoolGone`."""

    def withdraw(self, future: Future[Any]) -> bool:
        """Take a batch back that nobody plays yet; return whether it is."""

    def live_matches(self) -> list[LiveMatch]:
        """Return what was seen of the matches in play since this was asked before, in order."""

    def end(self) -> None:
        """End all that is in play, at once."""
