"""A worker process: it keeps bots, plays matches one after another, and packs what they were.

Everything here is run by any `concurrent.futures.Executor` and travels by pickle.
"""

import gc
import logging
import os
import signal
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing.synchronize import Lock
from typing import Any

from games import catalogue
from games.contract import Game, Tablebase
from games.moves import WireMove
from games.references import place_in_game
from league.glimpses import Lookout, Send
from league.packing.packed import PackedMatch
from league.records import (
    NO_ADJUDICATION,
    Adjudication,
    BotVersion,
    Limits,
    MatchKey,
    MatchRecord,
)
from league.referee.adjudication import Adjudicator
from league.referee.match import BotKilled, MatchVoid, play_match
from league.seats.catalogue import make_seat
from league.seats.contract import Seat
from league.seats.parent import die_with, take_in_strays
from league.seats.process import end_strays_of_bots
from league.seats.surroundings import Surroundings, settle

log = logging.getLogger("league.worker")

KEPT_BOTS = 32
"""How many bot processes a worker keeps between matches; the longest unused goes first."""

KILLS_UNTIL_CRASH = 10
"""A bot that dies by SIGKILL so often in the same match does it itself.

Nothing tells a kill from outside from a bot's own. Three in a row do happen to an innocent bot that
starts slowly on a busy machine while somebody kills at random; ten cost a match one second.
"""


@dataclass(frozen=True, slots=True)
class MatchJob:
    """One scheduled match, with all that a worker needs to play it.

    `is_restarted` starts its bots afresh for it; `handicaps` are factors by seat, () for none.
    """

    key: MatchKey
    tournament: int
    game: str
    versions: tuple[BotVersion, ...]
    opening: tuple[WireMove, ...]
    limits: Limits
    seed: int
    is_restarted: bool = False
    adjudication: Adjudication = NO_ADJUDICATION
    handicaps: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class JobResult:
    """What became of a job: its match, or None and the reason why it is void."""

    key: MatchKey
    match: PackedMatch | None
    void: str = ""


def begin_worker(
    parent: int,
    cores: Sequence[int],
    turn: Any,
    turn_lock: Lock | None,
    surroundings: Surroundings,
    send: Send,
) -> None:
    """Set up a local worker process: its end with its parent's, its signals, its core.

    `cores` is empty where nothing is to be pinned; `turn` is a shared counter of workers. Pinning
    comes before the bots start, so that they inherit it. `send` takes glimpses of what is in play.
    """
    # What the runner has loaded stays: collections that look through it cost time and copy pages.
    gc.freeze()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    die_with(parent)
    take_in_strays()
    settle(surroundings)
    _LOOKOUT.start(send)
    if cores and turn_lock is not None:
        with turn_lock:
            mine = cores[turn.value % len(cores)]
            turn.value += 1
        os.sched_setaffinity(0, {mine})


def play_jobs(jobs: Sequence[MatchJob]) -> list[JobResult]:
    """Play each job's match in turn, and end what bots leave running behind them."""
    results = []
    for job in jobs:
        results.append(_play(job))
        end_strays_of_bots()
    return results


def _play(job: MatchJob) -> JobResult:
    label = f"tournament {job.tournament} encounter {job.key}"
    game = catalogue.find(job.game)
    ids = [version.id for version in job.versions]
    for attempt in range(1, KILLS_UNTIL_CRASH + 1):
        seats = _SEATS.take(job.versions, job.limits.by_seat(game.seats, job.handicaps))
        if job.is_restarted:
            for seat in seats:
                seat.stop()
        is_last = attempt == KILLS_UNTIL_CRASH
        history: list[WireMove] = []
        _LOOKOUT.begin(job.key, history)
        try:
            judge = _judge(game, job.adjudication)
            record = play_match(
                *(game, seats, ids, job.opening, job.limits, job.seed, is_last, judge),
                handicaps=job.handicaps,
                history=history,
            )
        except BotKilled as killed:
            log.warning("%s: played again: %s", label, killed)
            continue
        except MatchVoid as void:
            log.warning("%s: void: %s", label, void)
            return JobResult(job.key, None, str(void))
        except Exception as error:
            # A user's own game may raise anything, and must not end the worker.
            where = place_in_game(error) or f"{type(error).__name__}: {error}"
            log.exception("%s: the game fails", label)
            return JobResult(job.key, None, f"the game {job.game!r} fails: {where}")
        finally:
            _LOOKOUT.end()
        _tell(label, job, record)
        return JobResult(job.key, PackedMatch.of(record))
    raise AssertionError("the last attempt takes a kill for a crash")


def _judge(game: Game, adjudication: Adjudication) -> Adjudicator | None:
    """Return who may end a match before the rules do; None where nothing does."""
    if adjudication == NO_ADJUDICATION:
        return None
    path = adjudication.tablebases
    return Adjudicator(adjudication, game, _tables(game.spec, path) if path else None)


@lru_cache(maxsize=4)
def _tables(spec: str, path: str) -> Tablebase | None:
    """Open tables of endgames once for all the matches of this worker."""
    return catalogue.find(spec).tablebase(path)


def _tell(label: str, job: MatchJob, record: MatchRecord) -> None:
    if record.fault_seat is not None and record.termination.is_fault:
        name = job.versions[record.fault_seat].name
        log.warning("%s bot %r: %s: %s", label, name, record.termination, record.detail)
        for line in record.log.splitlines():
            log.info("%s bot %r log: %s", label, name, line)


class _Seats:
    """The bots that this worker keeps, one process for each place at the board."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[object, ...], Seat] = OrderedDict()

    def take(self, versions: Sequence[BotVersion], limits: Sequence[Limits]) -> list[Seat]:
        """Return a seat for each version; the same bot twice at the board is two processes."""
        taken: list[Seat] = []
        for place, (version, own) in enumerate(zip(versions, limits, strict=True)):
            same = sum(each.id == version.id for each in versions[:place])
            key = (version.id, version.digest, same, own)
            seat = self._kept.pop(key, None) or make_seat(version, own)
            self._kept[key] = seat
            taken.append(seat)
        while len(self._kept) > max(KEPT_BOTS, len(versions)):
            self._kept.popitem(last=False)[1].stop()
        return taken


_SEATS = _Seats()
_LOOKOUT = Lookout()
