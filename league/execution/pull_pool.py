"""A pool of machines that fetch their matches and hand in the results: pull workers."""

import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Container, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field, replace
from queue import Empty, SimpleQueue
from typing import Any

from games.support.counts import counted
from games.support.game import Game
from games.support.printable import printable
from league.execution.fitness import version_here, why_unfit
from league.execution.game_files import read_game_files
from league.execution.live_feed import LiveMatch
from league.execution.pool import LIVE_MAX, JobsLost, PoolGone, drained
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
    pack_jobs,
)
from league.execution.speed import FACTOR_MAX, SPEED_MIN, nodes_per_s
from league.execution.worker import JobResult, MatchJob
from league.model.records import BotVersion, MatchKey, handicaps_time_scaled, time_scaled
from league.seats.bot_specs import protocol_of
from league.store.record_codec.packed_match import PackedMatch

LEASE_S = 30.0
"""A batch is lost if its worker has not renewed its lease for so long."""

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


class PullRefused(ValueError):
    """A request is refused; the text says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PullTerms:
    """What the matches of a tournament need of a machine.

    They have time limits if they are `is_timed`, which are scaled to a machine's speed if
    `scales_time`. Each match has `cores_each` cores.
    """

    game: Game
    is_timed: bool
    scales_time: bool = False
    cores_each: int = 1
    tell: Callable[[str], None] = lambda text: None


@dataclass(slots=True)
class _Lent:
    """A batch, and the machine that has it until `until_s`."""

    jobs: tuple[MatchJob, ...]
    future: Future[Any] = field(default_factory=Future)
    machine: str = ""
    until_s: float = 0.0


@dataclass(slots=True)
class _Known:
    """A machine, the factor on its times, and why it gets no matches, '' if it gets some.

    `number` is that of its last request for matches, and `offer` the answer to it.
    """

    machine: Machine
    factor: float
    refusal: str
    seen_s: float = 0.0
    number: int = 0
    has_left: bool = False
    offer: Offer = field(default_factory=Offer)


class PullPool:
    """Batches for machines that come and go; the server calls it from a thread of its own.

    A batch whose lease is over is lost, whatever comes of it later: each has one result.
    """

    def __init__(self, terms: PullTerms) -> None:
        self._terms = terms
        self._speed = nodes_per_s() if terms.is_timed else 0.0
        self._game_files = read_game_files(terms.game.spec)
        self._lock = threading.Lock()
        self._waiting: deque[_Lent] = deque()
        self._lent: dict[str, _Lent] = {}
        self._known: dict[str, _Known] = {}
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
        now = time.monotonic()
        with self._lock:
            return sum(
                max(1, each.machine.workers // self._terms.cores_each)
                for each in self._known.values()
                if not self._is_idle(each) and now - each.seen_s < LEASE_S
            )

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
        self._lose_old()
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
            self._waiting.clear()
            self._lent.clear()
        self.on_news()
        self.on_end()

    def offer(self, ask: Ask) -> Offer:
        """Return batches for a machine, none if there are none; raise `PullRefused`.

        The same request gets the same batches again, because the first answer may be lost.
        """
        with self._lock:
            known = self._see(ask.machine)
            dropped = self._renew(ask.machine, ask.held)
            if ask.number > known.number:
                # It has all the answers that have reached it: what it does not hold is lost.
                self._take_back(self._leases_of(ask.machine).difference(ask.held))
                known.number, known.offer = ask.number, Offer()
            if ask.number < known.number or self._is_idle(known):
                return Offer(dropped, known.refusal)
            if not known.offer.batches:
                known.offer.batches = self._lend(known, ask.room)
            return Offer(dropped, known.refusal, batches=known.offer.batches)

    def take(self, hand: Hand) -> Answer:
        """Take the results of a batch, once; raise `PullRefused` for those that do not fit."""
        with self._lock:
            known = self._see(hand.machine)
            dropped = self._renew(hand.machine, hand.held)
            batch = self._lent.get(hand.lease)
            if batch is None or batch.machine != hand.machine.id:
                # A repeated or a late request: the batch was taken, or is played again.
                return Answer(dropped)
        outcome: list[JobResult] | JobsLost
        if hand.lost:
            place = printable(hand.machine.name)
            outcome = JobsLost(f"{printable(hand.lost)} (on {place})", hand.hung_at)
        else:
            outcome = self._checked(batch.jobs, hand.results, known)
        with self._lock:
            if self._lent.pop(hand.lease, None) is not None:
                self._settle(batch, outcome)
        return Answer(dropped)

    def keep(self, alive: Alive) -> Answer:
        """Renew a machine's leases, and take batches back; raise `PullRefused`."""
        with self._lock:
            known = self._see(alive.machine)
            own = self._leases_of(alive.machine)
            back = own if alive.leaving else own.intersection(alive.returned)
            self._take_back(back)
            dropped = self._renew(alive.machine, alive.held)
            playing = {job.key for lease in own - back for job in self._lent[lease].jobs}
            if alive.leaving and not known.has_left:
                known.has_left = True
                name = printable(known.machine.name)
                self._terms.tell(f"machine {name} leaves: {printable(alive.leaving)}")
        for text in alive.live:
            with suppress(ValueError, TypeError, KeyError):
                live = LiveMatch.unpacked(text.encode())
                if live.key in playing:
                    self._live.append(live)
        if back:
            self.on_news()
        return Answer(dropped, known.refusal)

    def files(self, ask: AskFiles) -> Files:
        """Return the files of a version or the game; raise `PullRefused`."""
        with self._lock:
            self._see(ask.machine)
            self._renew(ask.machine, ask.held)
            version = self._versions.get(ask.number)
        if ask.number == GAME:
            return Files(self._game_files)
        if version is None:
            raise PullRefused(f"there is no version {ask.number} in this tournament")
        return Files(dict(version.files))

    def _see(self, machine: Machine) -> _Known:
        """Return what is known of a machine that sends a request; raise `PullRefused`."""
        here = version_here()
        if machine.version != here:
            raise PullRefused(str(why_unfit(here, "this machine", machine.version)))
        known = self._known.get(machine.id)
        if known is None:
            known = self._known[machine.id] = self._met(machine)
            more = f", but gets no matches: {known.refusal}" if known.refusal else ""
            scaled = "" if known.factor == 1 else f", times × {known.factor:.2f}"
            matches = counted(machine.workers, "match")
            self._terms.tell(
                f"machine {printable(machine.name)} plays {matches} at a time{scaled}{more}"
            )
        known.seen_s = time.monotonic()
        return known

    def _met(self, machine: Machine) -> _Known:
        if not self._terms.is_timed:
            return _Known(machine, 1.0, "")
        share = machine.nodes_per_s / self._speed
        told = f"it has {share:.0%} of the runner's speed"
        if self._terms.scales_time:
            is_fit = 1 / FACTOR_MAX <= share <= FACTOR_MAX
            refusal = "" if is_fit else f"{told}, and times are scaled up to {FACTOR_MAX:g} times"
            return _Known(machine, 1 / share, refusal)
        refusal = f"{told}, and matches with time limits need {SPEED_MIN:.0%}"
        return _Known(machine, 1.0, refusal if share < SPEED_MIN else "")

    def _renew(self, machine: Machine, held: Sequence[str]) -> list[str]:
        """Renew leases of a machine, and return those that are over."""
        until_s = time.monotonic() + LEASE_S
        over = []
        for lease in held:
            batch = self._lent.get(lease)
            if batch is None or batch.machine != machine.id:
                over.append(lease)
            else:
                batch.until_s = until_s
        return over

    def _is_idle(self, known: _Known) -> bool:
        """Whether a machine gets no matches."""
        return bool(known.refusal) or known.has_left

    def _leases_of(self, machine: Machine) -> set[str]:
        return {lease for lease, batch in self._lent.items() if batch.machine == machine.id}

    def _take_back(self, leases: Collection[str]) -> None:
        """Let the next machine have batches that were not played."""
        self._waiting.extendleft(self._lent.pop(lease) for lease in leases)

    def _lend(self, known: _Known, room: int) -> list[Batch]:
        """Lend a machine waiting batches."""
        batches: list[Batch] = []
        while self._waiting and len(batches) < room:
            batch = self._waiting.popleft()
            lease = secrets.token_hex(8)
            batch.machine, batch.until_s = known.machine.id, time.monotonic() + LEASE_S
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

    def _lose_old(self) -> None:
        """Lose the batches whose lease is over, and forget machines that are gone."""
        now = time.monotonic()
        with self._lock:
            for lease in [key for key, batch in self._lent.items() if batch.until_s < now]:
                batch = self._lent.pop(lease)
                known = self._known.get(batch.machine)
                name = printable(known.machine.name) if known else "a machine"
                self._settle(batch, JobsLost(f"{name} has not answered for {LEASE_S:g} s"))
            gone = [key for key, each in self._known.items() if now - each.seen_s > 10 * LEASE_S]
            for key in gone:
                del self._known[key]

    def _settle(self, batch: _Lent, outcome: list[JobResult] | JobsLost) -> None:
        if isinstance(outcome, JobsLost):
            batch.future.set_exception(outcome)
        else:
            batch.future.set_result(outcome)
        self._done.put(batch.future)

    def _checked(
        self, jobs: Sequence[MatchJob], results: Sequence[JobResult], known: _Known
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


def _checked(job: MatchJob, result: JobResult, known: _Known) -> JobResult:
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
    machine = printable(known.machine.name)
    return result._replace(match=match._replace(machine=machine, time_factor=known.factor))
