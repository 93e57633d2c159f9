"""Pull workers in threads of the test's own process."""

import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from league.execution import pull_client, pull_machines, pull_worker
from league.execution.pull_client import PullAddress
from league.execution.pull_worker import PullWorker, WorkOptions
from league.model.records import Limits
from league.model.tournament_spec import TournamentSpec
from league.registration.register import register
from league.store.settings import SALT
from league.store.store import Store, open_store
from league.tournament.create import create_tournament
from tests.league.in_process import InProcessPool, Script
from tests.waiting import PATIENCE_S

TOKEN = "sixteen-letters-or-more"  # noqa: S105 (of a test)
NODES_PER_S = 1e5


class WaitingPool(InProcessPool):
    """A pool of this process that waits where there is nothing to play."""

    def done(self, timeout_s: float) -> "list[Future[Any]]":
        """Play one of the waiting batches, or wait."""
        found = super().done(timeout_s)
        if not found:
            time.sleep(timeout_s)
        return found


def work_in_threads(
    monkeypatch: pytest.MonkeyPatch, scripts: Mapping[str, Script] | None = None
) -> None:
    """Let workers play in threads of this process, and be as fast as the runner."""
    monkeypatch.setattr(
        pull_worker, "LocalPool", lambda workers, **_: WaitingPool(workers, scripts)
    )
    for each in (pull_worker, pull_machines):
        monkeypatch.setattr(each, "nodes_per_s", lambda: NODES_PER_S)
    monkeypatch.setattr(pull_worker, "ALIVE_S", 0.2)
    monkeypatch.setattr(pull_worker, "LOOK_S", 0.01)
    monkeypatch.setattr(pull_client, "RETRY_S", 0.01)


def new_league(folder: Path) -> Store:
    """Return a new league with three bots, and a tournament of 24 matches."""
    store = open_store(str(folder / "league.db"), create=True)
    # Leagues with the same secret draw the same seeds.
    store.settings.set(SALT, "")
    for name, spec in (("a", "alphabeta:depth=2,fast=no"), ("b", "random"), ("c", "greedy")):
        register(store, name, spec, options={}, is_checked=False)
    create_tournament(
        store,
        TournamentSpec(
            game="connectfour",
            bots=["a", "b", "c"],
            rounds=4,
            opening_plies=2,
            limits=Limits(depth=2),
            seed=5,
        ),
    )
    return store


@dataclass
class Worker:
    """A worker in a thread of this process, and the lines that it told."""

    worker: PullWorker
    lines: list[str] = field(default_factory=list)
    fault: Exception | None = None
    is_gone: bool = False

    def run(self) -> None:
        """Play until it is stopped; keep what it raises."""
        try:
            self.worker.run()
        except Exception as error:
            self.fault = error
        self.is_gone = True


@contextmanager
def working(url: str, name: str, token: str = TOKEN, *, is_once: bool = False) -> Iterator[Worker]:
    """Let a machine work, and stop it at the end."""
    address = PullAddress(url=url, token=token, patience_s=PATIENCE_S, is_once=is_once)
    lines: list[str] = []
    worker = Worker(PullWorker(address, WorkOptions(name=name, workers=2), lines.append), lines)
    thread = threading.Thread(target=worker.run, daemon=True)
    thread.start()
    try:
        yield worker
    finally:
        for _ in range(2):
            worker.worker.stop()
        thread.join(PATIENCE_S)
