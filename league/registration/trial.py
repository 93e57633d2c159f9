"""The trial of a bot, point by point: the same before it is registered and in `league check`."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from games.support.counts import counted
from games.support.game import Game
from games.support.printable import cut
from league.match.play import MatchVoid
from league.model.errors import CheckError
from league.model.model_calls import CallFault, ModelCall, cost_of
from league.model.records import (
    MOVE_S,
    BotVersion,
    Isolation,
    Limits,
    MatchRecord,
    Termination,
)
from league.registration.finding import GO_ON, CheckFinding, advice_on
from league.registration.move_times import MoveTimes, seconds_of
from league.registration.opened_files import opened_in, opened_text
from league.registration.trial_match import played, told, up_to_fault
from league.seats.bot_seat import BotKind, BotSeat
from league.seats.bot_specs import kind_of, make_seat, refusal_of
from league.seats.language_model.call_book import NoBook
from league.seats.process.environment import BotEnvironment
from league.seats.seat import Seat, SeatFault, SeatKilled, SeatUnavailable

GENEROUS_S = 5.0
"""The longest time for a move of a bot whose limit is not given."""

OWN_MATCHES = 3
"""Number of matches against itself."""

LEAVE_S = 1.0
"""Longest time for a program to exit after its input closes."""

PAID_MOVES = 3
"""Number of moves of a language model that is asked for real."""

PAID_S = 120.0
"""The time for each of them, if none is given."""

LONG_S = 30.0
"""A slow bot that has moved for longer plays itself no further time, and a longer match ends."""

TRIAL_S = 120.0
"""After this time a trial goes on with first moves alone, so that it ends for the slowest bots."""

LOG_LINES = 12
OUTPUT_LINES = 40

TALK_CHARS = 160
"""Size limit of each line of a conversation that is shown: a request may have a whole board."""

_STARTS = {
    BotKind.PYTHON: "starts within {:g} s",
    BotKind.PROGRAM: "starts within {:g} s and greets",
    BotKind.SERVER: "answers within {:g} s",
    BotKind.MODEL: "has its key",
}
"""The first demand on each kind of bot, with its limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialSetup:
    """The conditions of a trial.

    `move_s` is the time for a move that the bot must keep to; None to find out how much it needs.
    `start_s` is the time to start, None for what its kind usually needs. If it `shows_output`, the
    points that hold have the end of what the bot printed too. If it `is_paid`, a language model is
    asked, and its calls may cost money.
    """

    move_s: float | None = None
    start_s: float | None = None
    isolation: Isolation = Isolation.LIMITS
    memory_mb: int | None = 1024
    shows_output: bool = False
    is_paid: bool = False


USUAL = TrialSetup()
"""Find out how much time the bot needs."""


def seats_of(
    version: BotVersion, game: Game, limits: Limits, environment: BotEnvironment
) -> list[BotSeat]:
    """Return a bot for each seat of a game, not yet started."""
    return [make_seat(replace(version, id=seat), limits, environment) for seat in range(game.seats)]


class _Tally(NoBook):
    """What the calls of a language model in a trial have taken."""

    def __init__(self) -> None:
        self._calls: list[ModelCall] = []

    def settle(self, number: int, call: ModelCall) -> None:
        """Count a call."""
        self._calls.append(call)

    def spent(self, version: int) -> float:
        """Return the cost of all calls, as far as it is known."""
        return cost_of(self._calls)

    def __str__(self) -> str:
        calls = self._calls
        tokens_in = sum(call.tokens_in or 0 for call in calls)
        tokens_out = sum(call.tokens_out or 0 for call in calls)
        is_known = any(call.cost is not None for call in calls)
        paid = [call for call in calls if call.fault is not CallFault.PROVIDER]
        least = "≥" if any(call.cost is None for call in paid) else ""
        cost = f"cost {least}{cost_of(calls):.6f}" if is_known else "cost unknown"
        return f"{counted(len(calls), 'call')}, {tokens_in:,} tokens in, {tokens_out:,} out, {cost}"


class Trial:
    """A bot under trial, its opponents, and itself in the other seats.

    Raises `CheckError` if its protocol can't play the game.
    """

    def __init__(
        self, version: BotVersion, game: Game, setup: TrialSetup, environment: BotEnvironment
    ) -> None:
        self.version = version
        self.game = game
        self.setup = setup
        self.kind = kind_of(version.spec)
        move_s = setup.move_s or MOVE_S
        self.strict = Limits(
            move_s=move_s,
            start_s=setup.start_s,
            isolation=setup.isolation,
            memory_mb=setup.memory_mb,
        )
        told_s = min(move_s, MOVE_S)
        patience_s = max(move_s, GENEROUS_S) - told_s
        # Bots that obey depth or nodes finish sooner; the others use all of their clock.
        self.patient = replace(self.strict, move_s=told_s, grace_s=patience_s, depth=4, nodes=1000)
        if refusal := refusal_of(version.spec, game, self.patient):
            raise CheckError(f"{version.spec!r}: {refusal}", version.spec)
        self.calls = _Tally()
        watched = replace(environment, watches_files=True, calls=self.calls)
        self.seat, *self.twins = self.all = seats_of(version, game, self.strict, watched)
        others = BotVersion("random", "random")
        self.others: list[Seat] = [
            make_seat(others, self.strict, environment) for _ in range(game.seats - 1)
        ]
        self.times = MoveTimes()
        self.end = time.monotonic() + TRIAL_S
        self.has_started = self.has_failed = False
        self.leaders: set[int | None] = set()
        self.shown: tuple[str, ...] = ()

    def stop(self) -> None:
        """Stop all processes."""
        for seat in (*self.all, *self.others):
            seat.stop()

    def findings(self) -> Iterator[CheckFinding]:
        """Yield each point; once the bot has failed in a seat, the rest would only repeat that."""
        start = self._start()
        yield start
        if not start.is_passed:
            yield from self._opens()
            yield CheckFinding("plays", None, detail="not tried: it does not start")
            return
        if self.kind is BotKind.MODEL:
            yield (
                self._plays_paid()
                if self.setup.is_paid
                else CheckFinding(
                    "plays", None, detail="not tried, as its calls may cost money: see --paid"
                )
            )
            return
        for place in range(self.game.seats):
            yield self._noted(self._plays(place))
        later = {
            "plays itself": self._plays_itself,
            "plays on without a restart": self._goes_on,
            f"keeps to {self.strict.move_s:g} s a move": self._keeps,
        }
        if self.kind is BotKind.SERVER:
            # It has no process that could end after a match.
            del later["plays on without a restart"]
        for demand, find in later.items():
            skipped = CheckFinding(demand, None, detail="not tried: it has failed before")
            yield skipped if self.has_failed else self._noted(find(demand))
        yield from self._opens()
        if self.kind is BotKind.PROGRAM:
            yield self._keeps_quiet()
            yield self._leaves()

    def refusal(self, finding: CheckFinding) -> CheckError:
        """Return the error for a bot that fails at that point: why, and what to do."""
        spec, is_in_match = self.version.spec, self.has_started
        text = f"{spec!r} {finding.detail}"
        if is_in_match:
            text = f"{spec!r} failed in a trial match of {self.game.spec}: {finding.detail}"
        log = [f"  | {line}" for line in finding.log if self.kind is not BotKind.PYTHON]
        is_in_log = bool(log) and self.kind is BotKind.PROGRAM
        has_hint = finding.hint and is_in_match and not is_in_log
        hint = [f"  to do: {finding.hint}"] if has_hint else []
        opened = [f"  {each}" for each in opened_text(self.version, opened_in(self.all))]
        lines = [text, *hint, *opened, *log]
        return CheckError("\n".join(lines), spec, in_match=is_in_match)

    def _noted(self, finding: CheckFinding) -> CheckFinding:
        self.has_failed = self.has_failed or finding.is_passed is False
        return finding

    def _start(self) -> CheckFinding:
        demand = _STARTS[self.kind].format(self.seat.start_limit_s(self.strict))
        begin = time.monotonic()
        try:
            self.seat.start()
        except (SeatFault, SeatKilled, SeatUnavailable, OSError) as error:
            kind = getattr(error, "termination", Termination.CRASH)
            hint = advice_on(Termination.CRASH, self.kind)
            is_silent = kind is Termination.TIME_FORFEIT
            log = self._log(self.seat, is_silent=is_silent)
            return CheckFinding(demand, False, detail=str(error), hint=hint, log=log)
        self.has_started = True
        took = f"{time.monotonic() - begin:.2f} s"
        return CheckFinding(demand, True, detail=took, hint=self.seat.note)

    def _plays(self, place: int, limits: Limits | None = None) -> CheckFinding:
        """Let the bot play a match in one seat, by default with patience."""
        seats: list[Seat] = [*self.others]
        seats.insert(place, self.seat)
        return self._match(f"plays in seat {place}", seats, [place], limits or self.patient)

    def _plays_paid(self) -> CheckFinding:
        """Let a language model make a few moves, and say what they cost."""
        limits = replace(
            self.strict,
            move_s=self.setup.move_s or PAID_S,
            max_plies=self.game.random_plies + PAID_MOVES * self.game.seats,
        )
        finding = self._plays(0, limits)
        return replace(finding, detail=f"{finding.detail} ({self.calls})")

    def _plays_itself(self, demand: str) -> CheckFinding:
        everywhere, before = range(self.game.seats), len(self.times.moves)
        for number in range(OWN_MATCHES):
            if number and sum(self.times.moves) > LONG_S:
                break
            finding = self._match(demand, [self.seat, *self.twins], everywhere, self.patient)
            if not finding.is_passed:
                return finding
        for twin in self.twins:
            twin.stop()
        times = MoveTimes(self.times.moves[before:])
        return replace(finding, detail=f"{counted(number + 1, 'match')}, {times}")

    def _match(
        self, demand: str, seats: Sequence[Seat], own: Sequence[int], limits: Limits
    ) -> CheckFinding:
        """Play a match with the bot in the seats `own`, and judge it."""
        end = min(time.monotonic() + LONG_S, self.end)
        try:
            record = played(self.game, seats, limits, self.times.matches, end)
        except MatchVoid as void:
            hint = advice_on(Termination.CRASH, self.kind)
            text = f"can't play {self.game.spec}: {void}"
            return CheckFinding(demand, False, detail=text, hint=hint, log=self._log(self.seat))
        self.leaders.add(self.seat.leader)
        moves = seconds_of(self.game, record, own)
        times = MoveTimes(moves, moves[: len(own)], 1)
        self.times += times
        record = up_to_fault(record, own)
        place = record.fault_seat
        if place is None or not record.termination.is_fault:
            log = self._log(self.seat) if self.setup.shows_output else ()
            early = ", ended early" if record.termination is Termination.ADJUDICATED else ""
            return CheckFinding(demand, True, detail=f"{times}{early}", log=log)
        if place not in own:
            detail = f"not known: the other bot failed: {record.detail}"
            return CheckFinding(demand, None, detail=detail)
        is_silent = record.termination is Termination.TIME_FORFEIT
        return CheckFinding(
            demand,
            False,
            detail=told(record),
            hint=self._advice(record),
            log=self._log(seats[place], is_silent=is_silent),
        )

    def _advice(self, record: MatchRecord) -> str:
        hint = advice_on(
            record.termination,
            self.kind,
            is_first_move=len(record.moves) < self.game.seats,
            is_again=self.times.matches > 1,
        )
        if record.termination is Termination.TIME_FORFEIT and self.setup.move_s is None:
            return f"{hint}; a bot that needs longer is tried with --move-time 10s"
        return hint

    def _keeps(self, demand: str) -> CheckFinding:
        """Find out whether every move of the trial was made in time."""
        # A process that has moved before hides a first move that loads for long.
        self.seat.stop()
        is_given = self.setup.move_s is not None
        limits = self.strict if is_given else replace(self.patient, depth=None, nodes=None)
        for place in range(self.game.seats):
            finding = self._plays(place, limits)
            if not finding.is_passed:
                return replace(finding, demand=demand)
        detail = f"{self.times}"
        limit_s, slowest_s = self.strict.move_s or 0.0, self.times.slowest_s
        if slowest_s <= limit_s + self.strict.grace_s:
            return CheckFinding(demand, True, detail=detail)
        faster = f"make it faster, or run with --move-time {100 * (int(15 * slowest_s) + 1)}ms"
        if not is_given:
            faster = (
                f"it loses on time at the default limit of {limit_s * 1e3:.0f} ms a move: it needs "
                f"{slowest_s * 1e3:.0f} ms; {faster}"
            )
        return CheckFinding(demand, not is_given, detail=detail, hint=faster)

    def _goes_on(self, demand: str) -> CheckFinding:
        if len(self.leaders) == 1 and None not in self.leaders:
            matches = counted(self.times.matches, "match")
            return CheckFinding(demand, True, detail=f"{matches} in one process")
        return CheckFinding(demand, False, detail="its process ended after a match", hint=GO_ON)

    def _opens(self) -> Iterator[CheckFinding]:
        for hint in opened_text(self.version, opened_in(self.all)):
            yield CheckFinding("opens only its own files", False, detail=hint, loses_matches=False)

    def _keeps_quiet(self) -> CheckFinding:
        demand = "writes only answers"
        if not self.seat.strays:
            return CheckFinding(demand, True)
        detail = f"{self.seat.strays} lines on its output answer nothing"
        hint = "it loses no match by this, but write such lines to standard error"
        log = self._log(self.seat, is_silent=True)
        return CheckFinding(demand, False, detail=detail, hint=hint, log=log, loses_matches=False)

    def _leaves(self) -> CheckFinding:
        demand = "exits when its input ends"
        if self.seat.pid is None:
            return CheckFinding(demand, None, detail="not tried: it does not run any more")
        if self.seat.leaves(LEAVE_S):
            return CheckFinding(demand, True)
        detail = f"still ran {LEAVE_S:g} s later"
        hint = "leave the loop when there is no line to read"
        return CheckFinding(demand, False, detail=detail, hint=hint, loses_matches=False)

    def _log(self, seat: Seat, *, is_silent: bool = False) -> tuple[str, ...]:
        """Return the end of what it printed, nothing if that was shown already.

        Of a program that is silent and prints nothing, and of a bot elsewhere, the end of the
        conversation.
        """
        is_talk = (is_silent or seat.is_elsewhere) and not seat.output
        most = OUTPUT_LINES if self.setup.shows_output else LOG_LINES
        lines = (seat.log if is_talk else seat.output).splitlines()[-most:]
        log = tuple(cut(line, TALK_CHARS) for line in lines) if is_talk else tuple(lines)
        if log == self.shown:
            return ()
        self.shown = log or self.shown
        return log
