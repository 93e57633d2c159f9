"""Playing one match from opening to end."""

import random
import time
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from operator import itemgetter

from games.support.errors import GameError, MoveError
from games.support.game import CHANCE, Game, Move, State
from games.support.moves import (
    WireMove,
    as_word,
    decode_move,
    draw_move,
    encode_move,
    line_of,
    replay,
)
from league.match.adjudication import Adjudicated, Adjudicator
from league.match.clocks import Clocks
from league.match.conduct import LEEWAY, Leeway, MatchNotes, Visit
from league.match.own_texts import log_of_seats
from league.match.report_share import DETAIL_MAX, ReportShare, shares
from league.match.scores import scores_after_fault, scores_of
from league.match.seeds import seed_of
from league.model.records import (
    Handicap,
    Limits,
    MatchRecord,
    MoveFault,
    MoveRecord,
    Termination,
    filled,
    in_ticks,
)
from league.seats.seat import Seat, SeatAnswer, SeatFault, SeatKilled, SeatUnavailable


class MatchVoid(Exception):
    """The match does not count, because no bot was at fault; play it again."""


class MatchWaits(MatchVoid):
    """The match can't be played now, because something that a bot needs is not there.

    If it is `lasting`, it can't be played later either.
    """

    def __init__(self, text: str, *, lasting: bool = False) -> None:
        super().__init__(text)
        self.lasting = lasting


class BotKilled(MatchVoid):
    """A bot's process was killed during the match, perhaps from outside."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchSetup:
    """The settings of one match.

    `versions` are by seat. `handicaps` are by seat, factors on `limits` or limits of its own, empty
    for none; `leeway` is what the bots are forgiven, by seat, empty where they have no past.
    `shares` bound what is kept of the reports and the log of each seat, by default up to the same
    bounds.
    """

    game: Game
    versions: Sequence[int]
    opening: Sequence[WireMove]
    limits: Limits
    seed: int
    handicaps: Sequence[Handicap] = ()
    leeway: Sequence[Leeway] = ()
    shares: Sequence[ReportShare] = ()


def play_match(
    setup: MatchSetup,
    seats: Sequence[Seat],
    *,
    judge: Adjudicator | None = None,
    notes: MatchNotes | None = None,
) -> MatchRecord:
    """Play one match and return its record.

    A bot that fails loses for the actual reason and is stopped, to be restarted for its next match;
    a bot that resigns loses too. Before the first move all sides may fail: then nobody has points.
    `judge`, used for this match alone, may end it before the rules do. `notes` are kept up to date
    for live viewers. Raises `MatchVoid` if the host can't create a bot's process, `BotKilled` if a
    bot dies by SIGKILL within its leeway, and `MatchWaits` if a bot lacks something elsewhere.
    """
    begin = time.monotonic_ns()
    table = _Table(setup, seats, MatchNotes() if notes is None else notes, judge)
    try:
        faults = table.sit_down() or table.play()
    except SeatUnavailable as error:
        raise MatchWaits(str(error), lasting=error.lasting) from None
    finish = table.fault_finish(faults) if faults else table.finish()
    table.show_end()
    return MatchRecord(
        game=setup.game.spec,
        versions=tuple(setup.versions),
        seed=setup.seed,
        opening=tuple(setup.opening),
        moves=table.records(),
        scores=finish.scores,
        termination=finish.termination,
        utilities=finish.utilities,
        fault_seat=finish.fault_seat,
        detail=finish.detail,
        log=finish.log if faults else table.output(),
        wall_ns=in_ticks(time.monotonic_ns() - begin),
        fault_wall_ns=finish.fault_wall_ns,
        fault_cpu_ns=finish.fault_cpu_ns,
        notation=" ".join(table.words),
    )


def chance_of(seed: int) -> random.Random:
    """Return the random source for a match's chance moves after the opening."""
    return random.Random(seed_of(seed, "chance"))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Finish:
    """The record's fields that depend on how the match ended."""

    scores: tuple[float, ...]
    termination: Termination
    utilities: tuple[float, ...] | None = None
    fault_seat: int | None = None
    detail: str = ""
    log: str = ""
    fault_wall_ns: int | None = None
    fault_cpu_ns: int | None = None


FREE_NS = 10_000_000
"""A preparation that takes no longer is not counted."""

_Fault = tuple[int, SeatFault]
"""A seat that failed, and how."""

_Choice = tuple[Move, SeatAnswer, MoveFault | None]
"""A legal move, what it cost, and why it was played for a bot; None if the bot chose it."""

FALLS = 3
"""A bot for which moves are played is started again so often in a match."""


class _Failed(Exception):
    """Seats that were asked have no move."""

    def __init__(self, faults: list[_Fault]) -> None:
        super().__init__(faults)
        self.faults = faults


class _Table:
    """The state of one match in play."""

    def __init__(
        self,
        setup: MatchSetup,
        seats: Sequence[Seat],
        notes: MatchNotes,
        judge: Adjudicator | None,
    ) -> None:
        self.game = game = setup.game
        self.seats = seats
        self.max_plies = setup.limits.max_plies or game.max_plies
        own_limits = setup.limits.by_seat(game.seats, setup.handicaps)
        self.clocks = Clocks(own_limits, shows_own_alone=not game.shows_all)
        self.notes = notes
        self.history = history = notes.history
        history[:] = self.opening = tuple(setup.opening)
        self.state = replay(game.initial(), history)
        self.leeway = tuple(setup.leeway) or (LEEWAY,) * game.seats
        notes.visits = notes.visits or tuple(Visit() for _ in range(game.seats))
        self.shares = setup.shares or shares(game.seats)
        self.moves = notes.moves
        self.words = line_of(game.initial(), history).split()
        self.seed = setup.seed
        self.luck: random.Random | None = None
        self.order: random.Random | None = None
        self.judge = judge
        self.verdict: Adjudicated | None = None
        self.fallen: set[int] = set()
        self.falls = [0] * game.seats

    def sit_down(self) -> list[_Fault]:
        """Start every seat and announce the match; return the seats that failed."""
        faults: list[_Fault] = []
        for number in range(len(self.seats)):
            self.notes.seat[0] = number
            try:
                self._seat(number)
            except SeatFault as fault:
                faults.append((number, fault))
            except SeatKilled as killed:
                faults.append((number, self._take_kill(number, killed)))
        if len(faults) < len(self.seats) and faults and self.game.plays_on:
            # They are started again when they are to move.
            for number, _ in faults:
                self._fall(number)
            return []
        return faults

    def _seat(self, number: int) -> None:
        """Start a seat and announce the match; raise `SeatFault`, `SeatKilled`, `MatchVoid`."""
        seat, visit, leeway = self.seats[number], self.notes.visits[number], self.leeway[number]
        try:
            _require_leeway(leeway, visit)
            visit.preparation_ns += seat.start()
            begin = time.monotonic_ns()
            seat.new_match(self.game, number, seed_of(self.seed, number), self.opening)
            took = time.monotonic_ns() - begin
            visit.preparation_ns += took if took > FREE_NS else 0
            if visit.preparation_ns:
                visit.has_started = True
                _require_leeway(leeway, visit)
        except SeatFault as fault:
            if not leeway.suspended:
                visit.has_started, visit.reason = False, fault.detail
            raise
        except OSError as error:
            seat.stop()
            raise MatchVoid(f"no process for seat {number}: {error}") from None

    def play(self) -> list[_Fault]:
        """Play until the match is over; return the seat that failed."""
        history, moves, words, shares = self.history, self.moves, self.words, self.shares
        clocks, max_plies, has_secrets = self.clocks, self.max_plies, self.game.has_secrets
        judge, ask = self.judge, self._ask
        sealed: dict[int, _Choice] = {}
        while (state := self.state).outcome() is None and len(history) < max_plies:
            number = state.to_move
            if number == CHANCE:
                self.state = self._draw(state)
                continue
            try:
                if not has_secrets:
                    choice = ask(number, state, state, history)
                else:
                    # All choose before anything is played, and are told nothing but their views.
                    sealed = sealed or self._ask_together(state)
                    choice = sealed.pop(number)
            except _Failed as failed:
                return failed.faults
            move, (_, wall_ns, cpu_ns, over_ns, report), fault = choice
            clocks.spend(number, wall_ns)
            # Store the game's spelling of the move, not the bot's.
            wire = encode_move(state, move)
            history.append(wire)
            words.append(as_word(state.text(move)))
            moves.append((wire, wall_ns, cpu_ns, over_ns, shares[number].take(report), fault))
            self.state = state.play(move)
            if judge is not None:
                self.verdict = judge.settle(number, report, len(history), self.state)
                if self.verdict is not None:
                    break
        return []

    def _ask(
        self, number: int, state: State, seen: State, history: Sequence[WireMove]
    ) -> "_Choice":
        """Ask a seat for its move, by what it has `seen`; raise `_Failed` if none is played."""
        self.notes.seat[0] = number
        try:
            if number in self.fallen:
                self._seat_again(number)
            answer = self.seats[number].ask(seen, history, self.clocks.budget(number))
            try:
                return decode_move(seen, answer.wire), answer, None
            except MoveError as error:
                raise SeatFault(Termination.ILLEGAL_MOVE, f"answered an {error}") from None
        except SeatFault as fault:
            return self._stand_in(number, state, fault)
        except SeatKilled as killed:
            return self._stand_in(number, state, self._take_kill(number, killed))

    def _seat_again(self, number: int) -> None:
        """Start a bot again that has failed; raise `SeatFault` if it has done so too often."""
        if self.falls[number] > FALLS:
            raise SeatFault(Termination.CRASH, f"is out: it has failed {self.falls[number]} times")
        self._seat(number)
        self.fallen.remove(number)

    def _stand_in(self, number: int, state: State, fault: SeatFault) -> "_Choice":
        """Return the game's move for a bot that has failed; raise `_Failed` without one."""
        move = state.stand_in(number)
        if move is None:
            raise _Failed([(number, fault)]) from None
        kind = fault.termination
        if kind is not Termination.ILLEGAL_MOVE and self.falls[number] <= FALLS:
            self._fall(number, FALLS + 1 if kind is Termination.RESIGNATION else 1)
        cost = SeatAnswer(None, fault.wall_ns or 0, fault.cpu_ns, 0)
        return move, cost, MoveFault(number, kind, fault.detail[:DETAIL_MAX])

    def _fall(self, number: int, times: int = 1) -> None:
        """End a bot that may be gone, or still be computing the move that came too late."""
        self.seats[number].stop()
        self.fallen.add(number)
        self.falls[number] += times

    def _ask_together(self, state: State) -> "dict[int, _Choice]":
        """Ask all seats that choose now, by what they see alone; raise `_Failed` if one fails.

        Those that compute elsewhere at the same time, the others one after another, each with its
        own clock, in an order that is drawn: a seat that is asked later may notice how long the
        others took, and nothing of what they chose.
        """
        movers = list(state.movers())
        if len(movers) > 1:
            self.order = self.order or random.Random(seed_of(self.seed, "order"))
            self.order.shuffle(movers)
        choices, faults = {}, []
        waiting = self._ask_elsewhere(state, movers) if len(movers) > 1 else {}
        try:
            for number in movers:
                try:
                    choices[number] = (
                        waiting[number].result()
                        if number in waiting
                        else self._ask(number, state, state.view(number), ())
                    )
                except _Failed as failed:
                    faults += failed.faults
        finally:
            # Nobody may ask a seat for anything else meanwhile.
            wait(waiting.values())
        if faults:
            raise _Failed(sorted(faults, key=itemgetter(0)))
        return choices

    def _ask_elsewhere(self, state: State, movers: Sequence[int]) -> "dict[int, Future[_Choice]]":
        """Begin to ask the seats that compute elsewhere, all at the same time."""
        there = [number for number in movers if self.seats[number].is_elsewhere]
        if not there:
            return {}
        helpers = ThreadPoolExecutor(len(there))
        asked = {
            number: helpers.submit(self._ask, number, state, state.view(number), ())
            for number in there
        }
        helpers.shutdown(wait=False)
        return asked

    def _draw(self, state: State) -> State:
        """Play a chance move; it takes no time."""
        if self.luck is None:
            # Only now: most games have no luck, and a source takes longer than many a move.
            self.luck = chance_of(self.seed)
        move = draw_move(state, self.luck)
        wire = encode_move(state, move)
        self.history.append(wire)
        self.words.append(as_word(state.text(move)))
        self.moves.append((wire, 0, None, 0, None, None))
        return state.play(move)

    def records(self) -> tuple[MoveRecord, ...]:
        """Return the moves since the opening."""
        names = ("move", "wall_ns", "cpu_ns", "over_ns", "report", "fault")
        columns = zip(*self.moves, strict=True)
        return tuple(filled(MoveRecord, len(self.moves), names, list(columns) or [()] * 6))

    def _take_kill(self, number: int, killed: SeatKilled) -> SeatFault:
        """Raise `BotKilled`, or return the crash that one kill too many is."""
        self.seats[number].stop()
        leeway = self.leeway[number]
        if killed.is_from_outside:
            is_forgiven = leeway.outside_kills > 0
        else:
            is_forgiven = leeway.kills > 0
            self.notes.visits[number].kills += is_forgiven
        if not is_forgiven:
            return SeatFault(Termination.CRASH, f"{killed}, again and again")
        raise BotKilled(f"seat {number}: {killed}") from None

    def show_end(self) -> None:
        """Show the last position to the seats that compute elsewhere."""
        for number, seat in enumerate(self.seats):
            if seat.is_elsewhere:
                seat.see_end(self.state.view(number))

    def output(self) -> str:
        """Return what each bot printed in a match without a fault, below its seat's number."""
        pairs = zip(self.shares, self.seats, strict=True)
        kept = [share.take_output(seat.output) for share, seat in pairs]
        return log_of_seats(kept) if any(kept) else ""

    def finish(self) -> _Finish:
        """Return the final fields of a match that ended without a fault."""
        if self.verdict is not None:
            return _Finish(
                scores=self.verdict.scores,
                termination=Termination.ADJUDICATED,
                detail=self.verdict.detail,
            )
        utilities, placing = self.state.outcome(), self.state.placing()
        for values in (utilities, placing):
            # A user's own game may return anything, but stored values must fit the seats.
            if values is not None and len(values) != self.game.seats:
                text = f"game {self.game.spec!r} ended with {values!r} for {self.game.seats} seats"
                raise GameError(text, self.game.spec)
        if utilities is None or placing is None:
            draw = (0.0,) * self.game.seats
            return _Finish(
                scores=scores_of(draw, self.game.sides),
                termination=Termination.MOVE_LIMIT,
                detail=f"not over after {self.max_plies} plies: a draw",
            )
        return _Finish(
            scores=scores_of(placing, self.game.sides),
            termination=Termination.RULES,
            utilities=tuple(utilities),
        )

    def fault_finish(self, faults: Sequence[_Fault]) -> _Finish:
        """Return the final fields of a match lost by faults; stop the bots unless they resigned."""
        for number, fault in faults:
            if fault.termination.is_fault:
                self.seats[number].stop()
        number, fault = faults[0]
        others = [f"; seat {other} {their.detail}" for other, their in faults[1:]]
        failed = [number for number, _ in faults]
        is_asked = fault.wall_ns is not None
        scores = scores_after_fault(self.state, failed, fault.termination, is_asked)
        if scores[number]:
            others.append("; a draw, as no series of moves lets the opponent win")
        return _Finish(
            scores=scores,
            termination=fault.termination,
            fault_seat=number,
            detail="".join([fault.detail, *others])[:DETAIL_MAX],
            log=self.shares[number].take_log(self.seats[number].log),
            fault_wall_ns=fault.wall_ns,
            fault_cpu_ns=fault.cpu_ns,
        )


def _require_leeway(leeway: Leeway, visit: Visit) -> None:
    """Raise `SeatFault` for a bot that is suspended or has no time left to prepare."""
    if leeway.suspended:
        raise SeatFault(Termination.CRASH, f"is suspended in this tournament: {leeway.suspended}")
    left_s = leeway.preparation_s
    if left_s is not None and (left_s <= 0 or visit.preparation_ns / 1e9 > left_s):
        text = "has used up its time in this tournament for starting and preparing"
        hint = "--start-time changes the limit"
        raise SeatFault(Termination.TIME_FORFEIT, f"{text}; {hint}")
