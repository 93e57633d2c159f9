"""The runner: hands matches to workers, writes results, and is the only one that does."""

import logging
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from games import catalogue
from games.contract import Game
from league.errors import SetupError, StoppedError
from league.executors import end_workers, local_executor
from league.logs import RunLog
from league.openings import random_openings
from league.records import BotVersion, MatchKey, MatchRecord, TournamentConfig, starved_moves
from league.referee.seeds import seed_of
from league.schedules import catalogue as formats
from league.schedules.contract import Encounter, Field
from league.seats.isolation import require
from league.seats.surroundings import StartSlots, Surroundings, files_of_game
from league.snapshot import command_changed
from league.store import Store
from league.worker import JobResult, MatchJob, play_jobs

log = logging.getLogger("league.runner")

VOIDS_UNTIL_GIVEN_UP = 3
"""A match that is void so often is left, and stops the tournament when the others are played."""

BATCH_S = 0.2
"""How long a worker plays before it hands its results over."""

BATCH_MAX = 200
SAVE_EVERY_S = 0.25
STOP_WAIT_S = 1.0


@dataclass(slots=True)
class Progress:
    """What a tournament in play looks like from outside; `on_progress` sees it changing."""

    tournament: int
    total: int
    played_before: int
    played: int = 0
    voids: int = 0
    in_play: tuple[MatchJob, ...] = ()
    points: dict[int, float] = field(default_factory=dict)
    matches: dict[int, int] = field(default_factory=dict)
    moves: int = 0
    starved: int = 0
    begin_s: float = field(default_factory=time.monotonic)

    @property
    def done(self) -> int:
        """The matches with a result, those of earlier runs too."""
        return self.played_before + self.played

    @property
    def rate(self) -> float:
        """Matches a second in this run."""
        return self.played / max(1e-9, time.monotonic() - self.begin_s)

    def add(self, record: MatchRecord) -> None:
        """Count one finished match."""
        self.played += 1
        self.moves += len(record.moves)
        self.starved += starved_moves(record)
        for version, score in zip(record.versions, record.scores, strict=True):
            self.points[version] = self.points.get(version, 0.0) + score
            self.matches[version] = self.matches.get(version, 0) + 1


OnProgress = Callable[[Progress], None]


def rules_changed(config: TournamentConfig) -> str:
    """Say that the game of a tournament is no longer what it began with; '' when it is the same."""
    digest = catalogue.find(config.game).digest
    if not config.game_digest or digest == config.game_digest:
        return ""
    return f"the file of its game {config.game!r} has changed since it began"


def encounters_of(config: TournamentConfig, game: Game) -> list[Encounter]:
    """List the encounters of a tournament; raise `SetupError` when it can't be held."""
    schedule = formats.make(config.format)
    if schedule.lag is not None:
        raise SetupError(
            f"format {schedule.name!r} pairs by results, which a run can't do yet: "
            "take roundrobin or gauntlet"
        )
    asked = Field(len(config.entrants), game.seats, config.rounds, config.seed)
    try:
        schedule.check(asked)
    except ValueError as error:
        raise SetupError(str(error)) from None
    found: list[Encounter] = []
    stage = 0
    while encounters := schedule.stage(stage, asked, ()):
        found += encounters
        stage += 1
    return found


def jobs_of(
    tournament: int, config: TournamentConfig, versions: Sequence[BotVersion]
) -> Iterator[MatchJob]:
    """Yield every match of a tournament in the order to play; the same for the same config."""
    game = catalogue.find(config.game)
    openings = random_openings(game, config.opening_plies, config.rounds, config.seed)
    for number, encounter in enumerate(encounters_of(config, game)):
        for rotation in range(game.seats):
            lineup = encounter.rotation(rotation)
            yield MatchJob(
                MatchKey(number, rotation),
                tournament,
                config.game,
                tuple(versions[position] for position in lineup),
                openings[encounter.opening],
                config.limits,
                seed_of(config.seed, "match", number, rotation),
                config.is_restarted,
            )


def run_tournament(
    store: Store,
    tournament: int,
    workers: int,
    is_pinned: bool = True,
    on_progress: OnProgress = lambda progress: None,
    run_log: RunLog | None = None,
    starts: int | None = None,
) -> Progress:
    """Play all that a tournament lacks, and return what was played.

    At most `starts` bots start at the same time, None for any number. At a KeyboardInterrupt what
    is finished is stored and the workers are ended before it goes on. Raises `StoppedError` when a
    match is void again and again, `SetupError` when another process runs this tournament or its
    isolation does not work here.
    """
    with store.runner_lock(tournament):
        config = store.tournament(tournament).config
        if changed := rules_changed(config):
            raise SetupError(f"tournament {tournament} can't go on: {changed}")
        known = store.versions(config.entrants)
        versions = [known[entrant] for entrant in config.entrants]
        for version in versions:
            if changed := command_changed(version):
                raise SetupError(
                    f"tournament {tournament} can't go on: {changed}; put it back as it was, or "
                    "register it again and run a new tournament"
                )
        played = store.played(tournament)
        jobs = list(jobs_of(tournament, config, versions))
        todo = deque(job for job in jobs if job.key not in played)
        progress = Progress(tournament, len(jobs), len(jobs) - len(todo))
        store.set_stop_reason(tournament, None)
        if todo:
            require(config.limits.isolation)
            run = _Run(store, tournament, todo, progress, on_progress, run_log)
            with _scratch() as scratch:
                run.run(workers, is_pinned, _surroundings(store, config, scratch, starts))
        return progress


@contextmanager
def _scratch() -> Iterator[Path]:
    """Make the folder for the bots' scratch folders, gone afterwards whatever became of these."""
    with TemporaryDirectory(prefix="botleague-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)


def _surroundings(
    store: Store, config: TournamentConfig, scratch: Path, starts: int | None
) -> Surroundings:
    return Surroundings(
        hidden=(store.path.resolve(),) if store.path else (),
        readable=files_of_game(config.game),
        scratch=scratch,
        slots=StartSlots(starts) if starts else None,
    )


class _Run:
    """One run over the matches still to play."""

    def __init__(
        self,
        store: Store,
        tournament: int,
        todo: deque[MatchJob],
        progress: Progress,
        on_progress: OnProgress,
        run_log: RunLog | None,
    ) -> None:
        self.store = store
        self.tournament = tournament
        self.todo = todo
        self.jobs = {job.key: job for job in todo}
        self.progress = progress
        self.on_progress = on_progress
        self.run_log = run_log
        self.in_flight: dict[Future[list[JobResult]], tuple[MatchJob, ...]] = {}
        self.unsaved: list[tuple[MatchKey, MatchRecord]] = []
        self.saved_s = time.monotonic()
        self.voids: Counter[MatchKey] = Counter()
        self.suspects: set[MatchKey] = set()
        self.given_up: dict[MatchKey, str] = {}
        self.match_s = BATCH_S

    def run(self, workers: int, is_pinned: bool, surroundings: Surroundings) -> None:
        """Play until nothing is left; a pool that broke is replaced by a fresh one."""
        workers = min(workers, len(self.todo))
        try:
            while self.todo or self.in_flight:
                executor = local_executor(workers, is_pinned, surroundings)
                try:
                    self._drain(executor, workers)
                except BrokenProcessPool:
                    self._take_back()
                    if self.run_log is not None:
                        self.run_log.renew()
                except BaseException:
                    self._rescue()
                    raise
                finally:
                    end_workers(executor)
        finally:
            self._save()
        if self.given_up:
            self._stop()

    def _drain(self, executor: Executor, workers: int) -> None:
        while self.todo or self.in_flight:
            # One batch in play and one waiting for each worker, so that none is ever idle.
            while self.todo and len(self.in_flight) < self._room(workers):
                self._submit(executor, self._batch(workers))
            done, _ = wait(self.in_flight, timeout=0.1, return_when=FIRST_COMPLETED)
            for future in done:
                results = future.result()
                del self.in_flight[future]
                self._take(results)
            self.progress.in_play = tuple(job for jobs in self.in_flight.values() for job in jobs)
            if time.monotonic() - self.saved_s > SAVE_EVERY_S:
                self._save()
            self.on_progress(self.progress)

    def _room(self, workers: int) -> int:
        """Return how many batches may be in flight together with the next match."""
        # A match in whose time a worker died may have killed it: it goes last and by itself, so
        # that no other is void with it.
        return 1 if self.todo[0].key in self.suspects else 2 * workers

    def _submit(self, executor: Executor, batch: tuple[MatchJob, ...]) -> None:
        try:
            self.in_flight[executor.submit(play_jobs, batch)] = batch
        except BrokenProcessPool:
            self.todo.extendleft(reversed(batch))
            raise

    def _batch(self, workers: int) -> tuple[MatchJob, ...]:
        if self.voids[self.todo[0].key]:
            # Alone, so that a match that ends its worker takes no others with it.
            return (self.todo.popleft(),)
        size = max(1, min(BATCH_MAX, int(BATCH_S / self.match_s), len(self.todo) // (2 * workers)))
        return tuple(self.todo.popleft() for _ in range(min(size, len(self.todo))))

    def _take(self, results: Sequence[JobResult]) -> None:
        for result in results:
            if result.record is None:
                self._void(result.key, result.void)
                continue
            self.unsaved.append((result.key, result.record))
            self.progress.add(result.record)
            self.match_s += 0.1 * (result.record.wall_ns / 1e9 - self.match_s)

    def _take_back(self) -> None:
        """Take the matches of a broken pool back, but for those that did finish."""
        for future, jobs in self.in_flight.items():
            if future.done() and future.exception() is None:
                self._take(future.result())
                continue
            for job in jobs:
                self.suspects.add(job.key)
                self._void(job.key, "the worker process that played it was killed")
        self.in_flight.clear()

    def _void(self, key: MatchKey, reason: str) -> None:
        self.progress.voids += 1
        self.voids[key] += 1
        log.warning("tournament %d encounter %s: void: %s", self.tournament, key, reason)
        if self.voids[key] >= VOIDS_UNTIL_GIVEN_UP:
            self.given_up[key] = reason
        else:
            self.todo.append(self.jobs[key])

    def _rescue(self) -> None:
        """Take what is finished or about to be, so that a Ctrl-C loses as little as it can."""
        done, _ = wait(self.in_flight, timeout=STOP_WAIT_S)
        for future in done:
            if future.exception() is None:
                self._take(future.result())

    def _save(self) -> None:
        if self.unsaved:
            self.store.save_matches(self.tournament, self.unsaved)
            self.unsaved = []
        self.saved_s = time.monotonic()

    def _stop(self) -> None:
        key, reason = next(iter(self.given_up.items()))
        text = f"encounter {key} was void {VOIDS_UNTIL_GIVEN_UP} times: {reason}" + (
            f" (and {len(self.given_up) - 1} more)" if len(self.given_up) > 1 else ""
        )
        self.store.set_stop_reason(self.tournament, text)
        raise StoppedError(f"tournament {self.tournament} stopped: {text}", self.tournament)
