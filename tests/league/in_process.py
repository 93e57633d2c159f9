"""Matches in the test's own process: seats without processes, and a pool without workers.

Built-in bots think here; any other bot is played by a script, by its name.
"""

import random
import time
from collections import deque
from collections.abc import Callable, Container, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from typing import Any

from bots.support.bot import Bot, Clock, Report
from bots.support.specs import is_built_in, make_bot
from games.support.game import Game, State
from games.support.moves import WireMove, encode_move
from games.support.view import View
from league.execution.live_feed import LiveFeed, LiveMatch
from league.execution.pool import Pool
from league.execution.worker import JobResult, MatchJob, Worker
from league.model.records import BotVersion, Limits, MatchKey, ReportRecord
from league.seats.process.environment import NO_ENVIRONMENT, BotEnvironment
from league.seats.seat import MoveBudget, Seat, SeatAnswer
from league.seats.time_management import move_time_s
from league.store.store import Store
from league.tournament.progress import OnProgress, Progress
from league.tournament.run_options import RunOptions
from league.tournament.runner import run_tournament


@dataclass(frozen=True, slots=True)
class Script:
    """A bot that does as a test says: it fails, moves by a rule, or takes long to start."""

    start: Exception | None = None
    ask: Exception | None = None
    move: Callable[[State], WireMove] = lambda state: state.legal_moves()[0]
    preparation_ns: int = 0


class InProcessSeat:
    """A bot that needs no process: a built-in one, or a script.

    Where it `has_clocks`, bots are told their time and it is deducted, but nobody is late. Without
    clocks time is free.
    """

    log = output = ""
    is_elsewhere = False

    def __init__(
        self, version: BotVersion, script: Script | None = None, *, has_clocks: bool = False
    ) -> None:
        self._version = version
        self._script = script
        self._has_clocks = has_clocks
        self._bot: Bot | None = None

    def start(self) -> int:
        """Make the bot anew unless it is there."""
        if self._script is not None:
            if self._script.start is not None:
                raise self._script.start
            return self._script.preparation_ns
        if self._bot is None:
            self._bot = make_bot(self._version.spec, self._version.options)
        return 0

    def new_match(self, game: Game, seat: int, seed: int, opening: Sequence[WireMove]) -> None:
        """Tell the bot of a new match."""
        if self._bot is not None:
            self._bot.new_match(game, seat, seed)

    def ask(self, state: State, history: Sequence[WireMove], budget: MoveBudget) -> SeatAnswer:
        """Let the bot move."""
        if self._script is not None:
            if self._script.ask is not None:
                raise self._script.ask
            return SeatAnswer(self._script.move(state), wall_ns=0, cpu_ns=0, over_ns=0)
        assert self._bot is not None
        clock, wall_ns, cpu_ns = Clock(depth=budget.depth, nodes=budget.nodes), 0, 0
        if self._has_clocks:
            begin, cpu = time.monotonic_ns(), time.thread_time_ns()
            pace = move_time_s(budget)
            clock = replace(
                clock,
                deadline_ns=None if pace is None else begin + int(pace * 1e9),
                remaining_s=budget.left_s,
                increments_s=budget.increments_s,
                moves_to_go=budget.moves_to_go,
            )
        move = self._bot.choose(state, clock)
        if self._has_clocks:
            wall_ns, cpu_ns = time.monotonic_ns() - begin, time.thread_time_ns() - cpu
            if clock.deadline_ns is not None:
                wall_ns = min(wall_ns, clock.deadline_ns - begin)
        report = self._bot.report
        told = None if report is None else _record_of(state, report)
        wire = encode_move(state, move)
        return SeatAnswer(wire, wall_ns=wall_ns, cpu_ns=cpu_ns, over_ns=0, report=told)

    def see_end(self, state: State) -> None:
        """Take no note: the bot is not elsewhere."""

    def stop(self) -> None:
        """Forget all that the bot has learnt."""
        self._bot = None


def _record_of(state: State, report: Report) -> ReportRecord:
    line = []
    # Nobody knows what follows a move that is seen in part.
    for move in () if isinstance(state, View) else report.pv:
        if move not in state.legal_moves():
            break
        line.append(encode_move(state, move))
        state = state.play(move)
    return ReportRecord(
        depth=report.depth,
        nodes=report.nodes,
        score=report.score,
        pv=tuple(line),
        text=report.text,
    )


def worker_of(scripts: Mapping[str, Script]) -> Worker:
    """Return a worker whose seats need no processes; `scripts` play for bots by name."""

    def make(version: BotVersion, limits: Limits, environment: BotEnvironment) -> Seat:
        assert version.name in scripts or is_built_in(version.spec), version
        return InProcessSeat(version, scripts.get(version.name))

    return Worker(NO_ENVIRONMENT, LiveFeed(), make)


class InProcessPool:
    """A pool that plays when it is asked for what is done, in an order drawn from `seed`.

    Batches that are handed over come back in any order, as those of several workers do. `seed` None
    keeps their order.
    """

    def __init__(
        self, size: int, scripts: Mapping[str, Script] | None = None, seed: int | None = None
    ) -> None:
        self.size = size
        self.played: list[MatchJob] = []
        """All that was played, in that order."""
        self._worker = worker_of(scripts or {})
        self._waiting: deque[tuple[Future[Any], tuple[MatchJob, ...]]] = deque()
        self._order = None if seed is None else random.Random(seed)

    def submit(self, jobs: Sequence[MatchJob]) -> Future[Any]:
        """Keep a batch until results are asked for."""
        future: Future[Any] = Future()
        self._waiting.append((future, tuple(jobs)))
        return future

    def done(self, timeout_s: float) -> list[Future[Any]]:
        """Play one of the waiting batches."""
        if not self._waiting:
            return []
        if self._order is not None:
            self._waiting.rotate(-self._order.randrange(len(self._waiting)))
        future, jobs = self._waiting.popleft()
        future.set_result(self._worker.play(jobs))
        self.played += jobs
        return [future]

    def results(self, future: Future[Any]) -> list[JobResult]:
        """Return the results of a batch."""
        results: list[JobResult] = future.result()
        return results

    def withdraw(self, future: Future[Any]) -> bool:
        """Take a batch back that was not played yet."""
        for entry in self._waiting:
            if entry[0] is future:
                self._waiting.remove(entry)
                return True
        return False

    def live_matches(self) -> list[LiveMatch]:
        """See nothing: no match lasts."""
        return []

    def watch(self, keys: Container[MatchKey]) -> None:
        """Show nothing."""

    def end(self) -> None:
        """Forget what waits."""
        self._waiting.clear()
        self._worker.stop()


def run_here(
    store: Store,
    tournament: int,
    *,
    workers: int = 2,
    on_progress: OnProgress = lambda progress: None,
    scripts: Mapping[str, Script] | None = None,
    seed: int | None = None,
) -> Progress:
    """Run a tournament in this process, as `run_tournament` does with processes."""

    def open_pool(size: int) -> Pool:
        return InProcessPool(size, scripts, seed)

    return run_tournament(
        store, tournament, RunOptions(workers=workers), on_progress=on_progress, open_pool=open_pool
    )
