"""A worker process on a machine of a cluster: it plays what its courier brings.

To its bots it is what a local worker is; `python -m league.outpost DESCRIPTOR PARENT SCRATCH`.
"""

import pickle
import shutil
import socket
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

from games import catalogue
from games.errors import InputError
from league.executors import PoolGone
from league.records import BotVersion
from league.seats.catalogue import protocol_of
from league.seats.isolation import require
from league.seats.loading import is_catalogue
from league.seats.parent import end_strays
from league.seats.surroundings import Surroundings, files_of_game, settle
from league.snapshot import command_changed, take_snapshot
from league.worker import JobResult, MatchJob, begin_worker, play_jobs

IDLE_S = 60.0
"""After so long without a match it ends: its runner may have died without a word."""


@dataclass(frozen=True, slots=True)
class Package:
    """Matches of one game, and the digest of its rules where they were scheduled."""

    game: str
    game_digest: str
    jobs: tuple[MatchJob, ...]


RESULTS, GLIMPSE = b"r", b"g"
"""How a message to the courier begins: results, pickled; a glimpse of the match in play."""


class Outpost:
    """Plays packages; `scratch` is for its bots' scratch folders."""

    def __init__(self, scratch: Path) -> None:
        self._scratch = scratch
        self._checked: set[int] = set()

    def play(self, package: Package) -> list[JobResult] | PoolGone:
        """Return what became of the matches, or why this machine can't play them."""
        try:
            self._check(package)
            return play_jobs(package.jobs)
        except InputError as error:
            return PoolGone(f"{error} (on {socket.gethostname()} of the cluster)")

    def _check(self, package: Package) -> None:
        """Raise `InputError` where something is missing here, or other than at the runner's."""
        versions = [version for job in package.jobs for version in job.versions]
        fresh = {version.id: version for version in versions if version.id not in self._checked}
        if not fresh:
            return
        if catalogue.find(package.game).digest != package.game_digest:
            raise InputError(f"the file of the game {package.game!r} is another one")
        settle(Surroundings(readable=files_of_game(package.game), scratch=self._scratch))
        require(package.jobs[0].limits.isolation)
        for version in fresh.values():
            if refusal := _refusal(version):
                raise InputError(refusal)
        self._checked.update(fresh)


def _refusal(version: BotVersion) -> str:
    """Say why a bot can't be run here as it was registered; '' where it can."""
    if protocol_of(version.spec):
        return command_changed(version)
    if version.files or is_catalogue(version.spec):
        return ""
    found = take_snapshot(version.name, version.spec, dict(version.options))
    return "" if found.digest == version.digest else f"the module of bot {version.name!r} differs"


def serve(descriptor: int, parent: int, scratch: Path) -> None:
    """Play each package that comes through a pipe, and answer with glimpses and its results."""
    outpost = Outpost(scratch)
    try:
        with Connection(descriptor) as courier:

            def send(glimpse: bytes) -> None:
                courier.send_bytes(GLIMPSE + glimpse)

            begin_worker(parent, (), None, None, Surroundings(scratch=scratch), send)
            while courier.poll(IDLE_S):
                package = pickle.loads(courier.recv_bytes())  # noqa: S301 (from our own runner)
                courier.send_bytes(RESULTS + pickle.dumps(outpost.play(package)))
    except (EOFError, BrokenPipeError):
        return
    finally:
        end_strays(())
        shutil.rmtree(scratch, ignore_errors=True)


def main(arguments: Sequence[str]) -> None:
    """Serve as the command line says."""
    descriptor, parent, scratch = arguments
    serve(int(descriptor), int(parent), Path(scratch))


if __name__ == "__main__":
    main(sys.argv[1:])
