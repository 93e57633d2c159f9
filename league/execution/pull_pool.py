"""A pool of machines that fetch their matches and hand in the results: pull workers."""

import secrets
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Collection, Container, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field, replace
from queue import Empty, SimpleQueue
from typing import Any

from games.support.counts import counted
from games.support.printable import printable
from league.execution.game_files import read_game_files
from league.execution.live_feed import LiveMatch
from league.execution.pool import LIVE_MAX, JobsLost, PoolGone, drained
from league.execution.pull_machines import (
    LEASE_S,
    KnownMachine,
    Machines,
    PullRefused,
    PullTerms,
)
from league.execution.pull_messages import (
    GAME,
    Alive,
    Answer,
    Ask,
    AskFiles,
    Batch,
    Files,
    Hand,
    Machine,
    Offer,
    Request,
    pack_jobs,
)
from league.execution.worker import JobResult, MatchJob
from league.model.records import BotVersion, MatchKey, handicaps_time_scaled, time_scaled
from league.seats.bot_specs import protocol_of
from league.store.record_codec.packed_match import PackedMatch

LOSSES_MAX = 2
"""A batch with which so many machines were lost is lost: it may be what stops them."""

GOODBYE_S = 1.0
"""Longest wait at the end until idle machines have been told of it."""

REASON_MAX = 2000
"""The most letters of a reason for a void match."""


def refusal_of(version: BotVersion) -> str:
    """Return why a bot can't be sent to a pull worker; '' if it can."""
    if not protocol_of(version.spec) or version.files:
        return ""
    return (
        f"bot {version.name!r} ({version.spec!r}) can't play on pull workers, which get only the "
        "files of bots: servers, language models and programs by path stay on this machine"
    )


@dataclass(slots=True)
class _Lent:
    """A batch, the machine that has it, and how many were lost with it."""

    jobs: tuple[MatchJob, ...]
    future: Future[Any] = field(default_factory=Future)
    machine: str = ""
    losses: int = 0


class PullPool:
    """Batches for machines that come and go; the server calls it from a thread of its own.

    The batches of a lost machine are lent to another one. The first result of a batch counts.
    """

    def __init__(self, terms: PullTerms) -> None:
        self._terms = terms
        self._machines = Machines(terms)
        self._game_files = read_game_files(terms.game.spec)
        self._lock = threading.Lock()
        self._waiting: deque[_Lent] = deque()
        self._lent: dict[str, _Lent] = {}
        self._versions: dict[int, BotVersion] = {}
        self._done: SimpleQueue[Future[Any]] = SimpleQueue()
        self._live: deque[LiveMatch] = deque(maxlen=LIVE_MAX)
        self.on_news: Callable[[], None] = lambda: None
        """Called when there is a new batch, or no more."""
        self.on_end: Callable[[], None] = lambda: None
        """Called at the end."""
        self.is_over = False

    @property
    def size(self) -> int:
        """The number of matches that the machines play at once, those that were seen lately."""
        with self._lock:
            return sum(each.places for each in self._machines.playing())

    def submit(self, jobs: Sequence[MatchJob]) -> Future[Any]:
        """Keep a batch for the next machine; raise `PoolGone` for a bot that can't be sent."""
        versions = {version.id: version for job in jobs for version in job.versions}
        if reason := next(filter(None, map(refusal_of, versions.values())), ""):
            raise PoolGone(reason)
        batch = _Lent(tuple(jobs))
        with self._lock:
            self._versions |= versions
            self._waiting.append(batch)
        self.on_news()
        return batch.future

    def done(self, timeout_s: float) -> list[Future[Any]]:
        """Return the finished and the lost batches; wait up to `timeout_s` for the first."""
        self._lose_silent()
        found = []
        with suppress(Empty):
            found.append(self._done.get(timeout=timeout_s))
            while True:
                found.append(self._done.get_nowait())
        return found

    def results(self, future: Future[Any]) -> list[JobResult]:
        """Return the results of a batch; raise `JobsLost`."""
        results: list[JobResult] = future.result()
        return results

    def withdraw(self, future: Future[Any]) -> bool:
        """Withdraw a batch that no machine has; return whether that succeeded."""
        with self._lock:
            for batch in self._waiting:
                if batch.future is future:
                    self._waiting.remove(batch)
                    return True
        return False

    def live_matches(self) -> list[LiveMatch]:
        """Return the newest live matches since the last call."""
        return drained(self._live)

    def watch(self, keys: Container[MatchKey]) -> None:
        """Do nothing: no message reaches a machine while it plays."""

    def end(self) -> None:
        """Give no more batches; what is in play is dropped by its machine."""
        with self._lock:
            self.is_over = True
            idle = [each for each in self._machines.playing() if not self._leases_of(each.machine)]
            self._waiting.clear()
            self._lent.clear()
        self.on_news()
        end_s = time.monotonic() + GOODBYE_S
        # They ask for more and would take the end for a failure.
        while not all(each.offer.is_over for each in idle) and time.monotonic() < end_s:
            time.sleep(GOODBYE_S / 100)
        self.on_end()

    def offer(self, ask: Ask) -> Offer:
        """Return batches for a machine, none if there are none; raise `PullRefused`.

        The same request gets the same batches again, because the first answer may be lost.
        """
        with self._lock:
            known = self._machines.see(ask.machine)
            dropped = self._over(ask)
            if ask.number > known.number:
                # It has all the answers that have reached it: what it does not hold is lost.
                self._take_back(self._leases_of(ask.machine).difference(ask.held))
                known.number, known.offer = ask.number, Offer()
            if self.is_over:
                known.offer = Offer(is_over=True)
            if ask.number < known.number or known.is_idle:
                return Offer(dropped, known.refusal, is_over=self.is_over)
            if not known.offer.batches:
                known.offer.batches = self._lend(known, ask.room)
            batches = known.offer.batches
            return Offer(dropped, known.refusal, batches=batches, is_over=self.is_over)

    def take(self, hand: Hand) -> Answer:
        """Take the results of a batch, once; raise `PullRefused` for those that do not fit."""
        with self._lock:
            known = self._machines.see(hand.machine)
            dropped = self._over(hand)
            batch = self._lent.get(hand.lease)
            if batch is None or batch.machine != hand.machine.id:
                # A repeated or a late request: the batch was taken, or is played again.
                return Answer(dropped)
        outcome: list[JobResult] | JobsLost
        if hand.lost:
            outcome = JobsLost(f"{printable(hand.lost)} (on {known.name})", hand.hung_at)
        else:
            outcome = self._checked(batch.jobs, hand.results, known)
        with self._lock:
            if self._lent.pop(hand.lease, None) is not None:
                self._settle(batch, outcome)
        return Answer(dropped)

    def keep(self, alive: Alive) -> Answer:
        """Renew a machine's leases, and take batches back; raise `PullRefused`."""
        with self._lock:
            known = self._machines.see(alive.machine)
            own = self._leases_of(alive.machine)
            back = own if alive.leaving else own.intersection(alive.returned)
            self._take_back(back)
            dropped = self._over(alive)
            playing = {job.key for lease in own - back for job in self._lent[lease].jobs}
            if alive.leaving:
                self._machines.leave(known, alive.leaving)
        for text in alive.live:
            with suppress(ValueError, TypeError, KeyError):
                live = LiveMatch.unpacked(text.encode())
                if live.key in playing:
                    self._live.append(live)
        if back or alive.leaving:
            self.on_news()
        return Answer(dropped, known.refusal)

    def files(self, ask: AskFiles) -> Files:
        """Return the files of a version or the game; raise `PullRefused`."""
        with self._lock:
            self._machines.see(ask.machine)
            version = self._versions.get(ask.number)
        if ask.number == GAME:
            return Files(self._game_files)
        if version is None:
            raise PullRefused(f"there is no version {ask.number} in this tournament")
        return Files(dict(version.files))

    def _over(self, request: Request) -> list[str]:
        """Return the leases that a machine holds in vain."""
        return sorted(set(request.held) - self._leases_of(request.machine))

    def _leases_of(self, machine: Machine) -> set[str]:
        return {lease for lease, batch in self._lent.items() if batch.machine == machine.id}

    def _take_back(self, leases: Collection[str]) -> None:
        """Let the next machine have batches that were not played."""
        self._waiting.extendleft(self._lent.pop(lease) for lease in leases)

    def _lend(self, known: KnownMachine, room: int) -> list[Batch]:
        """Lend a machine waiting batches: those to play now, and others to spare."""
        held = Counter(batch.machine for batch in self._lent.values())
        missing = {
            each.id: max(0, each.places - held[each.id]) for each in self._machines.playing()
        }
        own = missing.pop(known.id)
        # Other machines that lack work come first.
        room = min(room, max(own, len(self._waiting) - sum(missing.values())))
        batches: list[Batch] = []
        while self._waiting and len(batches) < room:
            batch = self._waiting.popleft()
            lease = secrets.token_hex(8)
            batch.machine = known.id
            self._lent[lease] = batch
            versions, jobs, seats = pack_jobs([_timed(job, known.factor) for job in batch.jobs])
            batches.append(
                Batch(
                    lease=lease,
                    game=self._terms.game.spec,
                    game_digest=self._terms.game.digest,
                    cores_each=self._terms.cores_each,
                    versions=versions,
                    jobs=jobs,
                    seats=seats,
                )
            )
        return batches

    def _lose_silent(self) -> None:
        """Take back the batches of machines that are gone."""
        with self._lock:
            gone = [each for each in self._machines.forget_silent() if not each.has_left]
            for known in gone:
                silent = f"machine {known.name} is lost (no answer for {LEASE_S:g} s)"
                lost = [self._lent.pop(lease) for lease in self._leases_of(known.machine)]
                matches = sum(len(batch.jobs) for batch in lost)
                again = f": {counted(matches, 'match')} will be played again" if matches else ""
                self._terms.tell(silent + again)
                for batch in lost:
                    batch.losses += 1
                    if batch.losses < LOSSES_MAX:
                        self._waiting.appendleft(batch)
                    else:
                        self._settle(batch, JobsLost(silent))
        if gone:
            self.on_news()

    def _settle(self, batch: _Lent, outcome: list[JobResult] | JobsLost) -> None:
        if isinstance(outcome, JobsLost):
            batch.future.set_exception(outcome)
        else:
            batch.future.set_result(outcome)
        self._done.put(batch.future)

    def _checked(
        self, jobs: Sequence[MatchJob], results: Sequence[JobResult], known: KnownMachine
    ) -> list[JobResult]:
        """Return results as the store takes them; raise `PullRefused` if they are of other jobs."""
        if [job.key for job in jobs] != [result.key for result in results]:
            raise PullRefused("these results are of other matches")
        return [_checked(*pair, known) for pair in zip(jobs, results, strict=True)]


def _timed(job: MatchJob, factor: float) -> MatchJob:
    """Return a job whose time limits have a factor."""
    return job._replace(
        limits=time_scaled(job.limits, factor),
        handicaps=handicaps_time_scaled(job.handicaps, factor),
    )


def _checked(job: MatchJob, result: JobResult, known: KnownMachine) -> JobResult:
    """Return a result of a job; its columns come of the record, not of what the worker says."""
    seats = len(job.versions)
    if any(len(each) not in (0, seats) for each in (result.visits, result.told)):
        raise PullRefused("these results are of other seats")
    if result.match is None:
        return result._replace(void=printable(result.void)[:REASON_MAX])
    try:
        record = result.match.record()
    except ValueError as error:
        raise PullRefused(str(error)) from None
    versions = tuple(version.id for version in job.versions)
    is_seated = record.fault_seat is None or 0 <= record.fault_seat < seats
    if len(record.scores) != seats or not is_seated:
        raise PullRefused("a record is of other seats")
    if (record.versions, record.seed, record.opening) != (versions, job.seed, job.opening):
        raise PullRefused("a record is of another match")
    try:
        # A user's own game has another path there.
        match = PackedMatch.of(replace(record, game=job.game))
    except (ValueError, LookupError, TypeError, ArithmeticError) as error:
        raise PullRefused(f"a record can't be stored: {error}") from None
    return result._replace(match=match._replace(machine=known.name, time_factor=known.factor))
