"""A process on a cluster machine that plays the packages of a Dask task.

`python -m league.execution.dask_subprocess DESCRIPTOR PARENT SCRATCH`.
"""

import pickle
import shutil
import socket
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

from games.support.errors import InputError
from league.execution.fitness import require_fit
from league.execution.live_feed import LiveFeed
from league.execution.pool import PoolGone
from league.execution.worker import JobResult, MatchJob, Worker, begin_worker
from league.platform import end_strays
from league.seats.process.environment import BotEnvironment

IDLE_S = 60.0
"""Exit after so long without a match: the runner may have died silently."""


@dataclass(frozen=True, slots=True)
class TaskPackage:
    """Matches of one game, and the digest of its rules on the runner."""

    game: str
    game_digest: str
    jobs: tuple[MatchJob, ...]


RESULTS, LIVE = b"r", b"l"
"""The first byte of messages to the task: pickled results, or moves of the match in play."""


class SubprocessServer:
    """Plays packages; bots get their scratch folders in `scratch`."""

    def __init__(self, scratch: Path, feed: LiveFeed) -> None:
        self._scratch = scratch
        self._feed = feed
        self._checked: set[int] = set()
        self._workers: dict[str, Worker] = {}

    def play(self, package: TaskPackage) -> list[JobResult] | PoolGone:
        """Return the results, or why this machine can't play the matches."""
        try:
            self._check(package)
        except InputError as error:
            return PoolGone(f"{error} (on {socket.gethostname()} of the cluster)")
        worker = self._worker(package.game)
        results = worker.play(package.jobs)
        worker.rest()
        return results

    def _check(self, package: TaskPackage) -> None:
        """Raise `InputError` if something is missing here or differs from the runner's."""
        versions = [version for job in package.jobs for version in job.versions]
        fresh = {version.id: version for version in versions if version.id not in self._checked}
        if not fresh:
            return
        isolation = package.jobs[0].limits.isolation
        require_fit(package.game, package.game_digest, fresh.values(), isolation)
        self._checked.update(fresh)

    def _worker(self, game: str) -> Worker:
        if game not in self._workers:
            environment = BotEnvironment.of(None, [game], self._scratch)
            self._workers[game] = Worker(environment, self._feed)
        return self._workers[game]


def serve(descriptor: int, parent: int, scratch: Path) -> None:
    """Play each package that arrives through a pipe and send back its results."""
    try:
        with Connection(descriptor) as task:
            begin_worker(parent)
            feed = LiveFeed(lambda moves: task.send_bytes(LIVE + moves))
            feed.start()
            server = SubprocessServer(scratch, feed)
            while task.poll(IDLE_S):
                package = pickle.loads(task.recv_bytes())  # noqa: S301 (from our own runner)
                task.send_bytes(RESULTS + pickle.dumps(server.play(package)))
    except (EOFError, BrokenPipeError):
        return
    finally:
        end_strays(())
        shutil.rmtree(scratch, ignore_errors=True)


def main(arguments: Sequence[str]) -> None:
    """Serve with the command line's arguments."""
    descriptor, parent, scratch = arguments
    serve(int(descriptor), int(parent), Path(scratch))


if __name__ == "__main__":
    main(sys.argv[1:])
