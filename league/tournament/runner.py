"""The runner: hands matches to workers and is the only process that writes results."""

import logging
import time
from collections import Counter, deque
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import compress, islice, takewhile
from typing import Any, NoReturn

from games.support.counts import counted
from league.execution.heartbeat import Sign
from league.execution.local_pool import LocalPool, scratch_folder
from league.execution.pool import JobsLost, OpenPool, Pool, PoolBroken, PoolGone
from league.execution.run_log import RunLog
from league.execution.worker import JobResult, MatchJob
from league.model.errors import StoppedError
from league.model.records import MatchKey
from league.seats.language_model.provider_board import RunBoard
from league.seats.process.cgroup import bot_groups
from league.seats.process.environment import BotEnvironment
from league.seats.process.isolation import require
from league.store.record_codec.packed_match import PackedMatch
from league.store.rows import Request
from league.store.store import Store
from league.tournament.caretaker import Caretaker
from league.tournament.conduct_book import ConductBook
from league.tournament.duplicate_matches import Copy, DuplicateMatches
from league.tournament.executors import elsewhere, require_place
from league.tournament.live_board import LiveBoard
from league.tournament.match_queue import MatchQueue, has_model
from league.tournament.model_budgets import raising_options
from league.tournament.planner import Planner
from league.tournament.progress import OnProgress, Progress
from league.tournament.run_options import RunOptions, cores
from league.tournament.storage_quota import StorageQuota

log = logging.getLogger("league.tournament.runner")

VOIDS_UNTIL_GIVEN_UP = 3
"""A match that is void this often is skipped, and stops the tournament after the others."""

BATCH_S = 0.2
"""Time that a worker plays before it hands in its results."""

PULL_BATCH_S = 2.0
"""The same for pull workers: their results cross a slow network."""

BATCH_MAX = 200

SAME_LUCK_BATCHES = 5
"""Batches of matches with the same luck are so many times longer: their bots start for each."""

WORKER_S = 0.1
"""About what starting a worker and its bots takes: the first batch is not shorter for sharing."""

MATCH_MIN_S = 1e-3
"""Shortest duration of a match when batches are planned: the store rounds it off."""

BATCHES_PER_S = 200
"""The most batches a second from all workers together; with more workers, batches grow."""

PLANNED_MAX = 20_000
"""The most encounters planned ahead: each takes some memory."""

PLANNED_MIN = 16
"""Minimum number of encounters to plan at once: they are stored together."""

PLAN_S = 0.05
"""The processor time to plan encounters in while workers may need the runner."""

SAVE_EVERY_S = 0.25

ASK_EVERY_S = 1.0
"""Interval at which the runner counts its workers and polls for requests."""

IN_PLAY_MAX = 100
STOP_WAIT_S = 1.0


def run_tournament(
    store: Store,
    tournament: int,
    options: RunOptions = RunOptions(),  # noqa: B008 (frozen)
    *,
    on_progress: OnProgress = lambda progress: None,
    run_log: RunLog | None = None,
    open_pool: OpenPool | None = None,
) -> Progress:
    """Play all missing matches of a tournament, and return what was played.

    `open_pool` replaces the pool that `options` describe. A KeyboardInterrupt propagates after
    finished matches are stored and workers ended; calls of language models that are open may end,
    unless a second one comes. Raises `StoppedError` if a match is void again and again, something
    that a bot needs is not there, or the cluster is gone, `SetupError` if another process runs this
    tournament, its isolation does not work here, no scheduler answers, or a bot can't play where
    `options` say.
    """
    caretaker = Caretaker(store, tournament, options)
    with caretaker.locked():
        planner = Planner(caretaker.store, tournament)
        planner.check()
        if caretaker.replay(planner.wants):
            planner = Planner(caretaker.store, tournament)
        caretaker.store.tournaments.begin(tournament)
        require_place(store, planner.config, options)
        cores_each = planner.cores_each
        is_mixed = planner.has_models and cores_each > 0
        workers = options.workers_wanted(cores_each, has_models=planner.has_models)
        if cores_each > 1 and options.is_local and workers * cores_each > cores() and not is_mixed:
            options.tell(
                f"warning: {workers} workers with {cores_each} threads each on {cores()} cores: "
                "threads will wait for one another; take fewer --workers or threads"
            )
        run = _Run(caretaker, planner, workers, on_progress, run_log)
        if is_mixed:
            run.computed_most = min(workers, max(1, cores() // cores_each))
        if open_pool is not None:
            run.run(open_pool)
            return run.progress
        if not options.is_local:
            with elsewhere(options, planner, caretaker.store) as open_there:
                run.run(open_there)
            return run.progress
        with scratch_folder() as scratch, bot_groups() as groups:
            run.board = RunBoard(scratch)
            environment = BotEnvironment.of(store.path, [planner.config.game], scratch)
            environment = replace(
                environment, groups=groups, engine_log=options.engine_log, store=store.target
            )

            def open_here(size: int) -> Pool:
                config = run.planner.config
                for limits in (config.limits, *config.limits.by_seat(0, config.handicaps)):
                    require(limits.isolation)
                return LocalPool(
                    size,
                    cores_each=cores_each if options.is_pinned and not is_mixed else 0,
                    starts=options.starts or cores(),
                    environment=environment,
                    log=run_log,
                )

            run.run(open_here)
        return run.progress


def _goes_with(first: MatchJob, job: MatchJob) -> bool:
    """Whether two matches may be played at the same time: not where one could tell another's luck.

    Even the processes of a bot can send each other signals, whatever shuts them in.
    """
    if not first.has_same_luck:
        return True
    return first.key.rotation == job.key.rotation


class _Cancelled(Exception):
    """The tournament has been cancelled."""


class _Run:
    def __init__(
        self,
        caretaker: Caretaker,
        planner: Planner,
        workers: int,
        on_progress: OnProgress,
        run_log: RunLog | None,
    ) -> None:
        self.caretaker = caretaker
        self.store = store = caretaker.store
        self.tournament = planner.tournament
        self.planner = planner
        self.on_progress = on_progress
        self.run_log = run_log
        self.fault = ""
        """The first fault of a bot in a strict run."""
        self.board = RunBoard()
        self.waits = ""
        """What a bot lacks so that no more matches can be played now; '' for nothing."""
        self.waits_for_ever = False
        self.progress = Progress(planner, planner.row.played)
        self.jobs: dict[MatchKey, MatchJob] = {}
        self.in_flight: dict[Future[Any], tuple[MatchJob, ...]] = {}
        self.unsaved: list[tuple[MatchKey, PackedMatch]] = []
        caretaker.unsaved = lambda: self.unsaved
        self.saved_s = self.asked_s = self.ahead_s = time.monotonic()
        self.voids: Counter[MatchKey] = Counter()
        self.suspects: set[MatchKey] = set()
        self.given_up: dict[MatchKey, str] = {}
        self.conduct = ConductBook(store, planner.tournament)
        self.batch_s = PULL_BATCH_S if caretaker.options.is_pull else BATCH_S
        match_s = self.store.matches.match_s(planner.tournament)
        # As long as no match is over, one alone makes a batch.
        self.match_s = self.batch_s if match_s is None else match_s
        self.quota = StorageQuota()
        self.live_board = LiveBoard(caretaker.plain_store, planner.tournament)
        self.todo = MatchQueue()
        self.computed_most: int | None = None
        """The most matches without language models at once, None for as many as of any others."""
        self.at_once = PLANNED_MIN
        self.duplicates = DuplicateMatches(store, planner)
        self._queue_planned()
        self.most = workers
        self.workers = self._useful(workers)
        self._plan()
        self._look_ahead()

    def run(self, open_pool: OpenPool) -> None:
        """Play until nothing is left; replace a broken pool by a fresh one."""
        # A killed runner leaves its matches on the board.
        self.live_board.clear()
        try:
            while self._goes_on():
                pool = open_pool(self.workers)
                try:
                    if self.run_log is not None:
                        self.run_log.start()
                    self._drain(pool)
                except PoolBroken as broken:
                    self._take_back(pool, str(broken))
                    self._plan()
                except PoolGone as gone:
                    self._rescue(pool)
                    self._stop(str(gone))
                except KeyboardInterrupt:
                    self._end_calls()
                    self._rescue(pool, awaits_calls=True)
                    raise
                except BaseException:
                    self._rescue(pool)
                    raise
                finally:
                    pool.end()
                    self.live_board.clear()
        except _Cancelled:
            self.progress.stopped = "cancelled"
            # `league tournament cancel` answers as soon as the store says so.
            self._save()
            self.store.tournaments.cancel(self.tournament)
        finally:
            self._save()
            self.conduct.save_all()

    def _goes_on(self) -> bool:
        """Whether there is more to play, stored if not; raise `StoppedError` for lasting voids."""
        while not self.todo:
            self._save()
            self._look_ahead()
            if self.given_up:
                self._give_up()
            if self.waits_for_ever:
                self._end(self.waits)
            if self.waits:
                versions = self.planner.versions
                self._stop(self.waits, raising_options(self.store, self.tournament, versions))
            if self.progress.stopped:
                self.store.tournaments.stop(self.tournament, self.progress.stopped)
                return False
            if self.store.tournaments.finish(
                self.tournament, self.planner.row.revision, self.progress.done
            ):
                return False
            self._replan()
        return True

    def _useful(self, size: int) -> int:
        """Return how many of `size` workers are used."""
        total, done = self.progress.total, self.progress.done
        return min(size, self.most, self.most if total is None else max(1, total - done))

    def _count(self, pool: Pool) -> None:
        self.workers = self._useful(pool.size)
        self.progress.waits = not self.workers

    def _drain(self, pool: Pool) -> None:
        self._count(pool)
        while self.todo or self.in_flight:
            # One batch in play and one waiting for each worker, so that none is ever idle.
            while jobs := self._next():
                self._submit(pool, self._batch(jobs))
            for future in pool.done(self.live_board.wait_s):
                if future in self.in_flight:
                    self._receive(pool, future)
            # A pool may take batches back from workers that leave: no other one begins them.
            if stopped := self.progress.stopped or self.fault or self.waits:
                self._stop_playing(pool, stopped)
            self.live_board.take(pool.live_matches(), self.jobs)
            pool.watch(self.live_board.watched())
            self.live_board.show(self.jobs)
            playing = (job for jobs in self.in_flight.values() for job in jobs)
            self.progress.in_play = tuple(islice(playing, IN_PLAY_MAX))
            if time.monotonic() - self.saved_s > SAVE_EVERY_S:
                self._save()
            if time.monotonic() - self.asked_s > ASK_EVERY_S:
                self._count(pool)
                self._hear(pool)
            self._plan()
            self.on_progress(self.progress)

    def _receive(self, pool: Pool, future: Future[Any]) -> None:
        """Store a finished batch; if its worker died, queue its matches again."""
        try:
            results = pool.results(future)
        except JobsLost as lost:
            jobs = self.in_flight.pop(future)
            if lost.hung_at is not None:
                self._take_hang(jobs, lost.hung_at)
            self._lose(jobs, str(lost))
        else:
            del self.in_flight[future]
            self._take(results)

    def _plan(self) -> None:
        enough = min(PLANNED_MAX, 2 * max(1, self.workers) * BATCH_MAX)
        begin_s = time.process_time()
        while (
            self.planner.schedule.is_ready and len(self.todo) < enough and not self.progress.stopped
        ):
            if self.todo and time.process_time() - begin_s > PLAN_S / 2:
                # To draw openings takes long: workers play meanwhile.
                return
            if self.planner.schedule.lag is not None:
                # Results a stage is made from must be stored, so that it can be made again.
                self._save()
            plan_s = time.process_time()
            more = self.planner.more(self.store, min(enough, self.at_once))
            if more is None:
                self._replan()
            else:
                self._queue(*self.duplicates.sift(more))
            ratio = PLAN_S / 2 / max(1e-6, time.process_time() - plan_s)
            self.at_once = max(PLANNED_MIN, int(self.at_once * min(2.0, ratio)))

    def _replan(self) -> None:
        self._save()
        self.planner = self.progress.planner = Planner(self.store, self.tournament)
        self.todo.clear()
        self.duplicates = DuplicateMatches(self.store, self.planner)
        self._queue_planned()
        self._plan()

    def _queue_planned(self) -> None:
        begun = {job.key for jobs in self.in_flight.values() for job in jobs} | set(self.given_up)
        left = (job for job in self.planner.left() if job.key not in begun)
        self._queue(*self.duplicates.sift(left))

    def _hear(self, pool: Pool) -> None:
        """Obey the requests of other processes; raise `_Cancelled`."""
        self.asked_s = time.monotonic()
        self.caretaker.look()
        for wait in self.board.new_waits():
            self.caretaker.options.tell(wait)
        if self.asked_s > self.ahead_s:
            self._look_ahead()
        request, revision = self.store.tournaments.asked(self.tournament)
        if request is Request.CANCEL:
            raise _Cancelled
        if revision != self.planner.row.revision:
            self._replan()
        budgets = (self.planner.config.budget_s, self.caretaker.options.budget_s)
        played_s = self.asked_s - self.progress.begin_s
        if request is Request.PAUSE:
            self._stop_playing(pool, "paused")
        elif any(budget_s is not None and played_s > budget_s for budget_s in budgets):
            self._stop_playing(pool, "its time is used up")

    def _look_ahead(self) -> None:
        begin = time.monotonic()
        self.progress.expected = self.planner.schedule.expected()
        self.progress.says = self.planner.says()
        # It may take a fit of all ratings: spend at most a twentieth of the time on it.
        self.ahead_s = time.monotonic() + 20 * (time.monotonic() - begin)

    def _stop_playing(self, pool: Pool, reason: str) -> None:
        self.progress.stopped = reason
        self.todo.clear()
        for future in [future for future in self.in_flight if pool.withdraw(future)]:
            del self.in_flight[future]

    def _next(self) -> deque[MatchJob] | None:
        """Return the matches of which the next batch is; None if no batch may be handed out."""
        lines = (self.todo.computed, self.todo.called)
        return next((jobs for jobs in lines if jobs and self._has_room(jobs[0])), None)

    def _has_room(self, first: MatchJob) -> bool:
        """Whether a batch that begins with that match may be in flight with the others."""
        playing = self.in_flight.values()
        if any(not _goes_with(first, jobs[0]) for jobs in playing):
            return False
        if first.key in self.suspects:
            # It may have killed its worker: it goes last and alone, so that no other match is lost.
            return not playing
        if self.computed_most is None:
            return len(playing) < 2 * self.workers
        called = sum(has_model(jobs[0]) for jobs in playing)
        computed = len(playing) - called
        if not has_model(first):
            return computed < self.computed_most
        kept = self.computed_most if computed or self.todo.computed else 0
        return called < max(1, self.workers - kept)

    def _submit(self, pool: Pool, batch: tuple[MatchJob, ...]) -> None:
        batch = tuple(
            job._replace(
                conduct=self.conduct.of(job.versions),
                spent=self.quota.spent(job.versions),
                wait_s=self.caretaker.options.wait_s,
            )
            for job in batch
        )
        self.jobs.update((job.key, job) for job in batch)
        try:
            self.in_flight[pool.submit(batch)] = batch
        except PoolBroken:
            self.todo.put_first(batch)
            raise

    def _batch(self, jobs: deque[MatchJob]) -> tuple[MatchJob, ...]:
        first = jobs[0]
        if self.voids[first.key] or has_model(first):
            # Alone, so that no other match is lost if this one kills its worker, and none waits
            # for the calls of this one.
            return (jobs.popleft(),)
        longer = SAME_LUCK_BATCHES if first.has_same_luck else 1
        batch_s = longer * max(self.batch_s, self.workers / BATCHES_PER_S)
        match_s = max(MATCH_MIN_S, self.match_s + self.caretaker.options.wait_s)
        shared = len(jobs) // (2 * self.workers)
        if not (self.in_flight or self.progress.played):
            # The pool starts a worker for a batch: a little rest is for one alone.
            shared = max(shared, int(WORKER_S / match_s))
        size = max(1, min(longer * BATCH_MAX, int(batch_s / match_s), shared))
        size = sum(1 for _ in takewhile(partial(_goes_with, first), islice(jobs, size)))
        return tuple(jobs.popleft() for _ in range(size))

    def _take(self, results: Sequence[JobResult]) -> None:
        for result in results:
            if result.waits:
                # The first reason: others stop because of it.
                if not self.waits:
                    self.waits, self.waits_for_ever = result.void, result.lasting
                continue
            if result.match is None:
                self._void(result.key, result.void)
                continue
            job = self.jobs.pop(result.key)
            self.conduct.take(job, result.visits)
            self.quota.take(job.versions, result.told)
            self._keep(job.key, result.match)
            self._queue(*self.duplicates.take(job, result.match))
            if self.caretaker.options.is_strict:
                self._note_fault(job, result.match)
            self.match_s += 0.1 * (result.match.wall_ns / 1e9 - self.match_s)

    def _note_fault(self, job: MatchJob, match: PackedMatch) -> None:
        if match.termination.is_fault and match.fault_seat is not None and not self.fault:
            self.fault = f"{job.versions[match.fault_seat].name} lost by {match.termination}"

    def _queue(self, jobs: Sequence[MatchJob], copies: Sequence[Copy]) -> None:
        # Bots that have just joined do not wait until the stages before theirs are over.
        is_urgent = [self.planner.is_urgent(job.key) for job in jobs]
        self.todo.put_first(compress(jobs, is_urgent))
        for job, is_first in zip(jobs, is_urgent, strict=True):
            if not is_first:
                self.todo.put(job)
        for key, match in copies:
            self._keep(key, match)

    def _keep(self, key: MatchKey, match: PackedMatch) -> None:
        if self.planner.schedule.is_dropped(key.encounter):
            # The plan no longer has the match, so it must not be stored.
            return
        self.unsaved.append((key, match))
        self.planner.take(key, match)
        self.progress.add(match)

    def _take_back(self, pool: Pool, reason: str) -> None:
        """Queue the matches of a broken pool again, except finished ones."""
        for future, jobs in self.in_flight.items():
            if future.done() and future.exception() is None:
                self._take(pool.results(future))
            else:
                self._lose(jobs, reason)
        self.in_flight.clear()

    def _lose(self, jobs: Sequence[MatchJob], reason: str) -> None:
        for job in jobs:
            self.suspects.add(job.key)
            self._void(job.key, reason)

    def _take_hang(self, jobs: Sequence[MatchJob], last: Sign) -> None:
        """Hold a worker's hang against the bot that was to move."""
        for job in jobs:
            if job.key == last.key:
                self.conduct.take_hang(job.versions[last.seat])
                # The bot is suspended before the match is given up.
                self.voids[job.key] -= 1

    def _void(self, key: MatchKey, reason: str) -> None:
        self.progress.voids += 1
        self.voids[key] += 1
        log.warning("tournament %d encounter %s: void: %s", self.tournament, key, reason)
        if self.voids[key] >= VOIDS_UNTIL_GIVEN_UP:
            self.given_up[key] = reason
        elif not self.progress.stopped:
            self.todo.put(self.jobs[key])

    def _end_calls(self) -> None:
        """Let no language model be asked any more; say so if answers are still to come."""
        self.board.end_calls("the run was interrupted")
        if calls := self.board.open_calls():
            self.caretaker.options.tell(
                f"waiting for {counted(calls, 'answer')} of language models, which may cost money: "
                "press Ctrl-C again to end at once"
            )

    def _rescue(self, pool: Pool, *, awaits_calls: bool = False) -> None:
        """Save matches that are finished or about to be, so that Ctrl-C loses little.

        If it `awaits_calls`, workers store the answers of models that are under way.
        """
        end_s = time.monotonic() + STOP_WAIT_S
        left, finished = set(self.in_flight), list[JobResult]()
        try:
            # Report the reason for the stop, not errors during the rescue.
            with suppress(Exception):
                while left and (wait_s := end_s - time.monotonic()) > 0:
                    for future in left.intersection(pool.done(wait_s)):
                        left.discard(future)
                        with suppress(Exception):
                            finished += pool.results(future)
                    if awaits_calls and self.board.open_calls():
                        end_s = time.monotonic() + STOP_WAIT_S
        finally:
            self._take(finished)

    def _save(self) -> None:
        if self.unsaved:
            self.caretaker.save(self.unsaved)
            self.unsaved = []
        self.conduct.save()
        self.saved_s = time.monotonic()

    def _give_up(self) -> NoReturn:
        jobs = [self.jobs[key] for key in self.given_up]
        lineups = [[version.name for version in job.versions] for job in jobs]
        reason = next(iter(self.given_up.values()))
        text = f"match {' – '.join(lineups[0])} was void {VOIDS_UNTIL_GIVEN_UP} times: {reason}"
        if more := len(lineups) - 1:
            shared = set(lineups[0]).intersection(*lineups)
            culprit = f", all with {shared.pop()}" if len(shared) == 1 else ""
            text += f" (and {more} more{culprit})"
        self._end(text)

    def _end(self, text: str) -> NoReturn:
        """Stop a tournament that a resume would not help."""
        self.store.tournaments.stop(self.tournament, text)
        raise StoppedError(f"tournament {self.tournament} stopped: {text}", self.tournament)

    def _stop(self, reason: str, options: str = "") -> NoReturn:
        self._save()
        self.store.tournaments.stop(self.tournament, reason)
        text = f"{reason}: 'league resume {self.tournament}{options}' continues"
        raise StoppedError(text, self.tournament, reason, options)
