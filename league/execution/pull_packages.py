"""Batches of a run elsewhere, with the files that a machine needs to play them."""

import threading
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from league.execution.fitness import require_fit
from league.execution.game_files import lay_out_game
from league.execution.pull_client import PullClient
from league.execution.pull_messages import (
    GAME,
    AskFiles,
    Batch,
    Files,
    Machine,
    unpack_jobs,
)
from league.execution.worker import MatchJob
from league.model.bot_files import files_digest
from league.model.errors import SetupError
from league.model.records import BotVersion, Isolation


@dataclass(slots=True)
class Package:
    """A batch that can be played here; `game` is its game's spec on this machine."""

    lease: str
    game: str
    cores_each: int
    jobs: Sequence[MatchJob]


@dataclass(slots=True)
class Leases:
    """The leases of a machine, which its three threads share."""

    held: set[str] = field(default_factory=set)
    changed: threading.Condition = field(default_factory=threading.Condition)

    def now(self) -> list[str]:
        """Return the leases that it has."""
        with self.changed:
            return sorted(self.held)

    def add(self, leases: Sequence[str]) -> None:
        """Add leases of a new offer."""
        with self.changed:
            self.held.update(leases)

    def drop(self, leases: Sequence[str]) -> None:
        """Forget leases, and wake who waits for room."""
        with self.changed:
            self.held.difference_update(leases)
            self.changed.notify_all()


class Packages:
    """Fetches the files of batches, each once, into a `scratch` folder."""

    def __init__(self, machine: Machine, client: PullClient, leases: Leases, scratch: Path) -> None:
        self._machine, self._client, self._leases = machine, client, leases
        self._scratch = scratch
        self._versions: dict[int, BotVersion] = {}
        self._game = "", "", ""
        self._checked: tuple[str, str, Isolation] | None = None

    def package(self, batch: Batch) -> Package:
        """Return a batch with the files of its bots; raise `InputError` if it can't be played."""
        fresh = [version for version in batch.versions if not self._has(version)]
        for version in fresh:
            files = self._files(version.id)
            if files and files_digest(files) != version.digest:
                raise SetupError(f"the files of bot {version.name!r} have another digest")
            self._versions[version.id] = replace(version, files=files)
        game = self._local_game(batch)
        kind = batch.game, batch.game_digest, batch.jobs[0].limits.isolation
        if fresh or kind != self._checked:
            whole = [self._versions[version.id] for version in fresh]
            require_fit(game, batch.game_digest, whole, kind[-1])
            self._checked = kind
        jobs = unpack_jobs(batch, self._versions, game)
        return Package(batch.lease, game, batch.cores_each, jobs)

    def _has(self, version: BotVersion) -> bool:
        """Whether the files of a version are here: another league may have the same ids."""
        known = self._versions.get(version.id)
        return known is not None and replace(known, files={}) == version

    def _local_game(self, batch: Batch) -> str:
        """Return a game's spec on this machine, where its files are written once."""
        if self._game[:2] != (batch.game, batch.game_digest):
            folder = self._scratch / f"game-{uuid.uuid4().hex}"
            local = lay_out_game(batch.game, self._files(GAME), folder)
            self._game = batch.game, batch.game_digest, local
        return self._game[2]

    def _files(self, number: int) -> dict[str, bytes]:
        ask = AskFiles(self._machine, self._leases.now(), number=number)
        return self._client.post("files", ask, Files).files
