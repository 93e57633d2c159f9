"""A worker: keeps bots, plays pickled jobs one after another, and packs the match records."""

import gc
import logging
import signal
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from games.support.game import Game, Tablebase
from games.support.moves import WireMove
from games.support.references import place_in_game
from games.support.specs import find_game
from league.execution.call_book import StoredCalls
from league.execution.live_feed import LiveFeed
from league.match.adjudication import Adjudicator, open_tables
from league.match.conduct import Leeway, MatchNotes, Visit, after
from league.match.play import BotKilled, MatchSetup, MatchVoid, MatchWaits, play_match
from league.match.report_share import ReportShare, shares
from league.model.records import (
    NO_ADJUDICATION,
    Adjudication,
    BotVersion,
    Conduct,
    Handicap,
    Limits,
    MatchKey,
    MatchRecord,
)
from league.platform import become_subreaper, core_numbers, die_with, forbid_tracing, pin
from league.seats.bot_seat import BotSeat
from league.seats.bot_specs import make_seat, start_limit_s, threads_of
from league.seats.process.bot_process import end_strays_of_bots
from league.seats.process.environment import BotEnvironment
from league.seats.process.idle_bots import IdleBots
from league.seats.seat import Seat
from league.store.record_codec.packed_match import PackedMatch

log = logging.getLogger("league.execution.worker")

KEPT_BOTS = 32
"""Maximum bot processes kept between matches; the least recently used is stopped first."""

OUTSIDE_KILLS = 10
"""A match is played again so often when other programs kill its bots; the next kill is a crash.

Three in a row can hit bots that start slowly on a busy machine with random kills; ten cost a match
one second.
"""


COLLECT_EVERY = 20_000
"""After how many new objects a worker looks for cycles of them."""

_NO_PAST = Conduct()


class MatchJob(NamedTuple):
    """One scheduled match with everything a worker needs.

    `handicaps` are by seat, () for none, as are `options`, which replace options of the versions;
    `conduct` is that of its bots in the tournament, () if
    they have no past. If it `has_same_luck` as others of its encounter, its bots end with its
    batch, in which there are none of these: who remembers one would know what luck brings. `spent`
    are seats whose bots have stored enough reports for a day. The worker pauses for `wait_s` before
    the match if it has played before.
    """

    key: MatchKey
    tournament: int
    game: str
    versions: tuple[BotVersion, ...]
    opening: tuple[WireMove, ...]
    limits: Limits
    seed: int
    has_same_luck: bool = False
    adjudication: Adjudication = NO_ADJUDICATION
    handicaps: tuple[Handicap, ...] = ()
    options: tuple[Mapping[str, str], ...] = ()
    conduct: tuple[Conduct, ...] = ()
    spent: tuple[int, ...] = ()
    wait_s: float = 0.0

    @property
    def playing(self) -> tuple[BotVersion, ...]:
        """The versions by seat, with the options with which they play."""
        if not self.options:
            return self.versions
        return tuple(
            version.with_options(own)
            for version, own in zip(self.versions, self.options, strict=True)
        )


class JobResult(NamedTuple):
    """The match of a job, or None and the reason why it is void.

    `visits` are by seat, () if none is notable. `told` are the bytes of reports and log that are
    kept of each seat. If it `waits`, it can't be played now, nor can others; if that is `lasting`,
    not later either.
    """

    key: MatchKey
    match: PackedMatch | None
    void: str = ""
    visits: tuple[Visit, ...] = ()
    told: tuple[int, ...] = ()
    waits: bool = False
    lasting: bool = False


MakeSeat = Callable[[BotVersion, Limits, BotEnvironment], Seat]
"""Creates a bot's seat without starting anything."""


class Worker:
    """Plays matches one after another and keeps bots, one process per place, between them."""

    def __init__(
        self, environment: BotEnvironment, feed: LiveFeed, make: MakeSeat = make_seat
    ) -> None:
        self._idle_bots = IdleBots()
        self._calls = StoredCalls(environment.store)
        self._environment = replace(environment, idle_bots=self._idle_bots, calls=self._calls)
        self._feed = feed
        self._make_seat = make
        self._seats: OrderedDict[tuple[object, ...], Seat] = OrderedDict()

    def play(self, jobs: Sequence[MatchJob]) -> list[JobResult]:
        """Play each job's match in turn, and end processes that bots leave behind.

        The records are packed at the end, one after another: a bot that is asked in between empties
        the processor's caches.
        """
        played = []
        conduct: dict[int, Conduct] = {}
        for job in jobs:
            for version, each in zip(job.versions, job.conduct, strict=False):
                conduct.setdefault(version.id, each)
            if job.wait_s and self._seats:
                self.rest()
                time.sleep(job.wait_s)
            played.append(self._play(job, conduct))
            end_strays_of_bots()
            if played[-1][0].waits:
                # The others of the batch would wait in vain, too.
                break
        if any(job.has_same_luck for job in jobs):
            self.stop()
        return [
            result._replace(match=PackedMatch.of(record)) if record else result
            for result, record in played
        ]

    def rest(self) -> None:
        """Suspend all bots until the next match, so that they steal no time from other workers."""
        self._idle_bots.freeze_all_but(None)

    def stop(self) -> None:
        """Stop all bots."""
        while self._seats:
            self._seats.popitem()[1].stop()

    def _play(
        self, job: MatchJob, conduct: dict[int, Conduct]
    ) -> tuple[JobResult, MatchRecord | None]:
        """Play a job's match; return its result without the match, and the record of that.

        Keeps `conduct`, by version, up to date.
        """
        label = f"tournament {job.tournament} encounter {job.key}"
        game = find_game(job.game)
        visits = tuple(Visit() for _ in job.versions)
        outside_kills = OUTSIDE_KILLS
        while True:
            limits = job.limits.by_seat(game.seats, job.handicaps)
            seats = self._take(job.playing, limits)
            for seat, own in zip(seats, limits, strict=True):
                if own.is_restarted:
                    seat.stop()
            notes = MatchNotes(visits=visits)
            self._calls.begin(job.tournament, job.key, notes.history)
            if self._feed.heartbeat is not None:
                notes.seat = self._feed.heartbeat.begin(job.key)
            leeway = [
                Leeway.of(
                    conduct.get(version.id, _NO_PAST),
                    start_limit_s(version.spec, job.limits),
                    visit.kills,
                    outside_kills,
                )
                for version, visit in zip(job.versions, visits, strict=True)
            ]
            kept = shares(game.seats, job.spent)
            # A bot could watch its own match, and must not learn secrets there.
            self._feed.begin(job.key, job.opening, notes.moves if game.shows_all else ())
            try:
                record = play_match(
                    _setup_of(job, game, leeway, kept),
                    seats,
                    judge=_judge(game, job.adjudication),
                    notes=notes,
                )
            except BotKilled as killed:
                log.warning("%s: played again: %s", label, killed)
                outside_kills -= 1
                _forget(game, seats)
                continue
            except MatchVoid as void:
                log.warning("%s: void: %s", label, void)
                _forget(game, seats)
                result = JobResult(job.key, None, str(void))
                if isinstance(void, MatchWaits):
                    result = result._replace(waits=True, lasting=void.lasting)
                return result, None
            except Exception as error:
                # A user's own game may raise anything and must not end the worker.
                where = place_in_game(error) or f"{type(error).__name__}: {error}"
                log.exception("%s: the game fails", label)
                _forget(game, seats)
                return JobResult(job.key, None, f"the game {job.game!r} fails: {where}"), None
            finally:
                self._feed.end()
                for seat in seats:
                    if isinstance(seat, BotSeat):
                        seat.rest()
            _log_fault(label, job, record, leeway)
            is_notable = any(visit.is_notable for visit in visits)
            for version, visit in zip(job.versions, visits if is_notable else (), strict=False):
                conduct[version.id] = after(conduct.get(version.id, _NO_PAST), visit)
            told = tuple(share.used for share in kept)
            return JobResult(job.key, None, "", visits if is_notable else (), told), record

    def _take(self, versions: Sequence[BotVersion], limits: Sequence[Limits]) -> list[Seat]:
        """Return a seat per version; the same bot twice at the board gets two processes."""
        taken: list[Seat] = []
        for place, (version, own) in enumerate(zip(versions, limits, strict=True)):
            same = sum(each.id == version.id for each in versions[:place])
            environment = self._environment
            if own.may_ponder and threads_of(version) == 1:
                # Bots that compute at the same time have a core each, as far as there are so many.
                cores = sorted(core_numbers())
                environment = replace(environment, core=cores[place % len(cores)])
            options = frozenset(version.options.items())
            key = (version.id, version.digest, options, same, own, environment.core)
            seat = self._seats.pop(key, None) or self._make_seat(version, own, environment)
            self._seats[key] = seat
            taken.append(seat)
        while len(self._seats) > max(KEPT_BOTS, len(versions)):
            self._seats.popitem(last=False)[1].stop()
        return taken


def begin_worker(parent: int, cores: Collection[int] = ()) -> None:
    """Set up this process as a worker: parent death, signals, tracing, pinning.

    It is pinned to `cores`, if any, before the bots start, because they inherit them.
    """
    # Collecting the parent's objects would cost time and copy shared pages.
    gc.freeze()
    # A match leaves no cycles behind, and looking for them as often as Python does takes 3%.
    gc.set_threshold(COLLECT_EVERY)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    die_with(parent)
    become_subreaper()
    forbid_tracing()
    if cores:
        pin(cores)


def _setup_of(
    job: MatchJob, game: Game, leeway: Sequence[Leeway], kept: Sequence[ReportShare]
) -> MatchSetup:
    return MatchSetup(
        game=game,
        versions=[version.id for version in job.versions],
        opening=job.opening,
        limits=job.limits,
        seed=job.seed,
        handicaps=job.handicaps,
        leeway=leeway,
        shares=kept,
    )


def _forget(game: Game, seats: Sequence[Seat]) -> None:
    """End the bots of a match with secrets that is played again.

    The same luck comes again, and no bot may know it from the match that ended.
    """
    if game.has_secrets:
        for seat in seats:
            seat.stop()


def _judge(game: Game, adjudication: Adjudication) -> Adjudicator | None:
    """Return the adjudicator of a match; None without adjudication."""
    if adjudication == NO_ADJUDICATION:
        return None
    return Adjudicator(adjudication, game, _tables(game.spec, adjudication))


@lru_cache(maxsize=4)
def _tables(spec: str, adjudication: Adjudication) -> Tablebase | None:
    """Open tablebases once for all matches of this worker."""
    return open_tables(find_game(spec), adjudication)


def _log_fault(label: str, job: MatchJob, record: MatchRecord, leeway: Sequence[Leeway]) -> None:
    seat = record.fault_seat
    if seat is not None and record.termination.is_fault and not leeway[seat].suspended:
        name = job.versions[seat].name
        log.warning("%s bot %r: %s: %s", label, name, record.termination, record.detail)
        for line in record.log.splitlines():
            log.info("%s bot %r log: %s", label, name, line)
