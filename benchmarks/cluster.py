"""What scaling out costs: the runner and its single writer alone, and workers here and elsewhere.

Run `python -m benchmarks.cluster`; with `--store postgresql://…` (an empty database) the writer to
a server too. Takes a few minutes; prints Markdown. On a busy machine believe processor times and
the ratios of runs that took turns, not rates.
"""

import argparse
import json
import os
import pickle
import statistics
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Container, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.measures import Row, machine, table
from league.execution.live_feed import LiveMatch
from league.execution.worker import JobResult, MatchJob
from league.model.records import (
    Limits,
    MatchKey,
    MatchRecord,
    MoveRecord,
    ReportRecord,
    Termination,
)
from league.model.tournament_spec import TournamentSpec
from league.registration.register import register
from league.store.record_codec.packed_match import PackedMatch
from league.store.store import Store, open_store
from league.tournament.create import create_tournament
from league.tournament.run_options import RunOptions
from league.tournament.runner import run_tournament

MOVES = (3, 2, 3, 3, 4, 2, 2, 4, 4, 0, 1, 5, 5, 6, 1, 1, 0, 0, 6, 6, 5, 5, 4, 3, 2, 1)

BOTS = {"random": 10.0, "alphabeta:depth=2": 5.0, "alphabeta:depth=4": 1.0}
"""Bots from cheap to dear, and how many rounds they play for one of the dearest."""

RUNNER = ("workers", "matches", "runner's ms a match", "matches a second of one core")
WRITER = ("store", "matches at a time", "processor ms", "ms", "matches a second")
WORKERS = ("bots", "workers", "how many", "matches a second", "of one", "runner's ms a match")


def made_up(key: MatchKey, versions: tuple[int, ...], seed: int) -> MatchRecord:
    """Return a match as a search would play it, with a report for each move."""
    moves = tuple(
        MoveRecord(
            move,
            wall_ns=1_500_000 + seed % 1000 + ply,
            cpu_ns=1_400_000 + ply,
            over_ns=0,
            report=ReportRecord(depth=6, nodes=12345 + ply, score=ply / 8, pv=(3, 2, 4)),
        )
        for ply, move in enumerate(MOVES)
    )
    scores = (1.0, 0.0) if key.encounter % 2 else (0.5, 0.5)
    return MatchRecord(
        game="connectfour",
        versions=versions,
        seed=seed,
        opening=(1, 2),
        moves=moves,
        scores=scores,
        termination=Termination.RULES,
        utilities=(1.0, -1.0),
        wall_ns=40_000_000,
    )


class Instant:
    """A pool whose workers take no time: the rest is the runner's own."""

    def __init__(self, workers: int) -> None:
        self.size = workers
        self._asked: deque[tuple[Future[Any], Sequence[MatchJob]]] = deque()
        self.answers_s = 0.0
        """The processor time of the workers' part."""

    def submit(self, jobs: Sequence[MatchJob]) -> "Future[Any]":
        """Take a batch, as it would travel."""
        future: Future[Any] = Future()
        self._asked.append((future, pickle.loads(pickle.dumps(jobs))))  # noqa: S301 (our own)
        return future

    def done(self, timeout_s: float) -> "list[Future[Any]]":
        """Answer all batches."""
        begin = time.process_time()
        answered = []
        while self._asked:
            future, jobs = self._asked.popleft()
            future.set_result(pickle.dumps([_answer(job) for job in jobs]))
            answered.append(future)
        self.answers_s += time.process_time() - begin
        return answered

    def results(self, future: "Future[Any]") -> list[JobResult]:
        """Return the results, as they would travel."""
        results: list[JobResult] = pickle.loads(future.result())  # noqa: S301 (our own)
        return results

    def withdraw(self, future: "Future[Any]") -> bool:
        """Take nothing back."""
        return False

    def live_matches(self) -> list[LiveMatch]:
        """See nothing: no match lasts."""
        return []

    def watch(self, keys: Container[MatchKey]) -> None:
        """Show nothing."""

    def end(self) -> None:
        """Forget what waits."""
        self._asked.clear()


def _answer(job: MatchJob) -> JobResult:
    versions = tuple(version.id for version in job.versions)
    return JobResult(job.key, PackedMatch.of(made_up(job.key, versions, job.seed)))


@contextmanager
def fresh_store(target: str = "") -> Iterator[Store]:
    """Open a new league of two bots, in a scratch folder unless `target` says where."""
    with tempfile.TemporaryDirectory() as folder:
        place = target or str(Path(folder) / "league.db")
        with open_store(place, create=True) as store:
            yield store


def a_tournament(store: Store, bot: str, rounds: int) -> int:
    """Store a tournament of two such bots, and return its number."""
    names = ["a", "b"]
    for name in names:
        register(store, name, bot, options={}, is_checked=False)
    return create_tournament(
        store,
        TournamentSpec(
            game="connectfour", bots=names, rounds=rounds, limits=Limits(cap_s=5), seed=1
        ),
    ).id


def runner_alone(workers: int, rounds: int) -> Row:
    """Play with workers that take no time; tell the runner's processor time for a match."""
    pool = Instant(workers)
    with fresh_store() as store:
        number = a_tournament(store, "random", rounds)
        begin = time.process_time()
        played = run_tournament(
            store, number, RunOptions(workers=workers), open_pool=lambda size: pool
        ).played
        used_s = time.process_time() - begin - pool.answers_s
    return f"{workers:,}", f"{played:,}", f"{used_s / played * 1e3:.3f}", f"{played / used_s:,.0f}"


def writer_alone(name: str, target: str, matches: int, batch: int) -> Row:
    """Save made-up matches in batches; tell what one takes, by the processor and by the clock."""
    with fresh_store(target) as store:
        number = a_tournament(store, "random", matches)
        versions = store.tournaments.get(number).config.entrants
        made = [
            (key, PackedMatch.of(made_up(key, versions, index)))
            for index in range(matches)
            for key in [MatchKey(index, 0)]
        ]
        wall, used = time.perf_counter(), time.process_time()
        for begin in range(0, matches, batch):
            store.matches.save_packed(number, made[begin : begin + batch])
        wall, used = time.perf_counter() - wall, time.process_time() - used
    return (
        *(name, f"{batch}", f"{used / matches * 1e3:.3f}", f"{wall / matches * 1e3:.3f}"),
        f"{matches / wall:,.0f}",
    )


@contextmanager
def a_cluster(workers: int, folder: Path) -> Iterator[str]:
    """Start a scheduler and its workers as processes of this machine; yield the executor."""
    file = folder / f"scheduler-{workers}.json"
    where = ("--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(file))
    started = [_dask("scheduler", *where)]
    try:
        while not file.exists():
            time.sleep(0.1)
        address = json.loads(file.read_text())["address"]
        many = ("--nworkers", str(workers), "--nthreads", "1", "--local-directory", str(folder))
        started.append(_dask("worker", address, *many))
        yield address.replace("tcp", "dask")
    finally:
        for process in reversed(started):
            process.terminate()
            process.wait()


def _dask(part: str, *arguments: str) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", f"distributed.cli.dask_{part}", "--no-dashboard", *arguments]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def workers_in_turn(bot: str, rounds: int, repeats: int) -> list[Row]:
    """Compare workers here and on clusters of this machine."""
    rates: dict[tuple[str, int], list[float]] = {}
    costs: dict[tuple[str, int], list[float]] = {}
    with (
        tempfile.TemporaryDirectory() as folder,
        a_cluster(1, Path(folder)) as one,
        a_cluster(2, Path(folder)) as two,
    ):
        contenders = [("local", 1), ("local", 2), (one, 1), (two, 2)]
        for turn in range(repeats + 1):
            for executor, workers in contenders:
                rate, cost = _timed(bot, rounds if turn else 2, workers, executor)
                if turn:  # the first one is for the workers to come up
                    rates.setdefault((executor, workers), []).append(rate)
                    costs.setdefault((executor, workers), []).append(cost)
    rows: list[Row] = []
    for executor, workers in contenders:
        same = "local" if executor == "local" else one
        ratios = [
            more / less for more, less in zip(rates[executor, workers], rates[same, 1], strict=True)
        ]
        rows.append(
            (
                *(bot, "here" if executor == "local" else "Dask", workers),
                f"{statistics.median(rates[executor, workers]):.0f}",
                f"{statistics.median(ratios):.2f}",
                f"{statistics.median(costs[executor, workers]):.3f}",
            )
        )
    return rows


def _timed(bot: str, rounds: int, workers: int, executor: str) -> tuple[float, float]:
    """Return matches a second, and the runner's processor time for a match in milliseconds."""
    with fresh_store() as store:
        number = a_tournament(store, bot, rounds)
        used = time.process_time()
        progress = run_tournament(store, number, RunOptions(workers=workers, executor=executor))
        used = time.process_time() - used
        return progress.rate, used / progress.played * 1e3


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--matches", type=int, default=10_000)
    parser.add_argument("--store", default="")
    chosen = parser.parse_args()
    print(f"{machine()}; load {os.getloadavg()[0]:.1f}\n")
    sizes = (1, 2, 100, 1000)
    print(table(RUNNER, [runner_alone(size, chosen.matches // 2) for size in sizes]))
    stores = [("SQLite", ""), *([("PostgreSQL", chosen.store)] if chosen.store else [])]
    rows = [
        writer_alone(name, target, chosen.matches, batch)
        for name, target in stores
        for batch in ((1000, 100, 10) if not target else (1000,))
    ]
    print(f"\n{table(WRITER, rows)}\n")
    for bot, share in BOTS.items():
        rows = workers_in_turn(bot, round(chosen.rounds * share), chosen.repeats)
        print(table(WORKERS, rows), flush=True)
    print(f"\nload {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
