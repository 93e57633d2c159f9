"""The checks of `league check`: a bot's behaviour, point by point."""

import time
from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass, replace

from games.support.game import Game
from league.match.openings import DrawnOpenings
from league.match.play import MatchSetup, MatchVoid, play_match
from league.match.seeds import seed_of
from league.model.errors import CheckError
from league.model.records import BotVersion, Isolation, Limits, MatchRecord, Termination
from league.registration.opened_files import opened_in, opened_text
from league.seats.bot_specs import make_seat, protocol_of, refusal_of
from league.seats.process.environment import NO_ENVIRONMENT, BotEnvironment
from league.seats.seat import Seat, SeatFault, SeatKilled

UNHURRIED = Limits(move_s=1.0, depth=4, nodes=1000, start_s=10.0)
"""Bots that obey depth or nodes finish sooner; others use a second per move."""

HURRY_S = 0.1
"""Default time per move for the check of short time limits."""

LEAVE_S = 1.0
"""Longest time for a program to exit after its input closes."""

LOG_LINES = 6

_HINTS = {
    Termination.TIME_FORFEIT: (
        "answer before the time for the move is over, and flush the output after each answer"
    ),
    Termination.ILLEGAL_MOVE: "answer one of the legal moves, written as the question has them",
    Termination.CRASH: "read the end of its standard error, which it may use as a log",
    Termination.MEMORY_LIMIT: "use less memory, or give it more by 'league run --memory'",
}
"""Advice for each failure of a program that speaks a protocol."""

_PYTHON_HINTS = {
    Termination.TIME_FORFEIT: "return before clock.left_s() is 0",
    Termination.ILLEGAL_MOVE: "return one of state.legal_moves()",
    Termination.MEMORY_LIMIT: _HINTS[Termination.MEMORY_LIMIT],
}
"""The same for a bot in Python, whose crash tells its own line."""

_LOAD_EARLY = "load large files before the first question"
_LOAD_EARLY_IN_PYTHON = "load large files and packages at the top of the file"
"""Advice for a first move that takes too long."""


@dataclass(frozen=True, slots=True)
class CheckFinding:
    """One point of a check: the demand, the verdict and details; `log` ends with the newest line.

    `is_passed` is None if the point was not tried. `hint` says how to fix a failure.
    """

    demand: str
    is_passed: bool | None
    _: KW_ONLY
    detail: str = ""
    hint: str = ""
    log: tuple[str, ...] = ()


def examine(
    version: BotVersion,
    game: Game,
    hurry_s: float = HURRY_S,
    isolation: Isolation = Isolation.LIMITS,
    environment: BotEnvironment = NO_ENVIRONMENT,
    memory_mb: int | None = UNHURRIED.memory_mb,
) -> Iterator[CheckFinding]:
    """Yield the findings about a bot in a game as each check completes.

    The bot plays every seat against the built-in bot `random`, first with ample time, then in a new
    process with `hurry_s` seconds per move, at the given isolation, with `memory_mb` of memory.
    Raises `CheckError` if its protocol can't play the game.
    """
    if refusal := refusal_of(version.spec, game, UNHURRIED):
        raise CheckError(f"{version.spec!r}: {refusal}", version.spec)
    limits = replace(UNHURRIED, isolation=isolation, memory_mb=memory_mb)
    examination = _Examination(version, game, environment, hurry_s, limits)
    try:
        yield from examination.findings()
    finally:
        examination.stop()


class _Examination:
    """A bot under examination, and its opponents."""

    def __init__(
        self,
        version: BotVersion,
        game: Game,
        environment: BotEnvironment,
        hurry_s: float,
        limits: Limits,
    ) -> None:
        self.version = version
        self.game = game
        self.is_command = bool(protocol_of(version.spec))
        self.hurried = Limits(move_s=hurry_s, start_s=UNHURRIED.start_s)
        watched = replace(environment, watches_files=True)
        self.seat = make_seat(version, limits, watched)
        others = BotVersion("random", "random")
        self.others: list[Seat] = [
            make_seat(others, UNHURRIED, environment) for _ in range(game.seats - 1)
        ]
        self.leaders: set[int | None] = set()
        self.matches = 0
        self.shown: tuple[str, ...] = ()

    def stop(self) -> None:
        """Stop all processes."""
        for seat in (self.seat, *self.others):
            seat.stop()

    def findings(self) -> Iterator[CheckFinding]:
        """Yield each finding; if the bot does not start, the rest is skipped."""
        start = self._start()
        yield start
        if not start.is_passed:
            yield from self._opens()
            yield CheckFinding("plays", None, detail="not tried: it does not start")
            return
        for place in range(self.game.seats):
            demand = f"plays in seat {place}"
            yield self._match(demand, place, UNHURRIED)
        # A process that has moved before hides a first move that loads for long.
        self.seat.stop()
        for place in range(self.game.seats):
            demand = f"keeps to {self.hurried.move_s:g} s a move in seat {place}"
            yield self._match(demand, place, self.hurried)
        yield self._goes_on()
        yield from self._opens()
        if self.is_command:
            yield self._keeps_quiet()
            yield self._leaves()

    def _start(self) -> CheckFinding:
        demand = f"starts within {UNHURRIED.start_s:g} s" + (
            " and greets" if self.is_command else ""
        )
        begin = time.monotonic()
        try:
            self.seat.start()
        except (SeatFault, SeatKilled, OSError) as error:
            return self._failure(demand, str(error), Termination.CRASH)
        took = f"{time.monotonic() - begin:.2f} s"
        detail = "; ".join(filter(None, [took, self.seat.note]))
        return CheckFinding(demand, True, detail=detail)

    def _match(self, demand: str, place: int, limits: Limits) -> CheckFinding:
        self.matches += 1
        seats: list[Seat] = [*self.others]
        seats.insert(place, self.seat)
        opening = DrawnOpenings(self.game, self.game.opening_plies, seed=self.matches)[0].moves
        seed = seed_of(self.matches, "check")
        try:
            record = play_match(
                MatchSetup(
                    game=self.game,
                    versions=[0] * len(seats),
                    opening=opening,
                    limits=limits,
                    seed=seed,
                ),
                seats,
            )
        except MatchVoid as void:
            return self._failure(demand, str(void), Termination.CRASH)
        self.leaders.add(self.seat.leader)
        if record.fault_seat is not None and record.termination.is_fault:
            return self._fault(demand, place, record)
        return CheckFinding(demand, True, detail=self._cost(record, place))

    def _fault(self, demand: str, place: int, record: MatchRecord) -> CheckFinding:
        if record.fault_seat != place:
            return CheckFinding(
                demand, None, detail=f"not known: the other bot failed: {record.detail}"
            )
        ply = len(record.opening) + len(record.moves) + 1
        detail = f"{record.termination} at ply {ply}: {record.detail}"
        failure = self._failure(demand, detail, record.termination)
        is_first = len(record.moves) < self.game.seats
        if record.termination is Termination.TIME_FORFEIT and is_first:
            early = _LOAD_EARLY if self.is_command else _LOAD_EARLY_IN_PYTHON
            return replace(failure, hint=f"{failure.hint}; {early}")
        return failure

    def _cost(self, record: MatchRecord, place: int) -> str:
        state, times = self.game.initial(), []
        for number, move in enumerate((*record.opening, *(each.move for each in record.moves))):
            at = number - len(record.opening)
            if at >= 0 and state.to_move == place:
                times.append(record.moves[at].wall_ns / 1e6)
            state = state.play(move if type(move) is int else state.parse(str(move)))
        if not times:
            return "never had to move"
        told = "1 move" if len(times) == 1 else f"{len(times)} moves"
        return f"{told}, slowest {max(times):.0f} ms"

    def _goes_on(self) -> CheckFinding:
        demand = "plays on without a restart"
        # One process with ample time, and one in a hurry.
        if len(self.leaders) == 2 and None not in self.leaders:
            return CheckFinding(demand, True, detail=f"{self.game.seats} matches in one process")
        told = "a match message begins the next match: go on reading after a match"
        hint = told if self.is_command else ""
        return CheckFinding(demand, False, detail="was started again after a failure", hint=hint)

    def _opens(self) -> Iterator[CheckFinding]:
        for hint in opened_text(self.version, opened_in([self.seat])):
            yield CheckFinding("opens only its own files", False, detail=hint)

    def _keeps_quiet(self) -> CheckFinding:
        demand = "writes only answers"
        if not self.seat.strays:
            return CheckFinding(demand, True)
        detail = f"{self.seat.strays} lines on its output answer nothing"
        hint = "it loses no match by this, but write such lines to standard error"
        return CheckFinding(demand, False, detail=detail, hint=hint, log=self._log())

    def _leaves(self) -> CheckFinding:
        demand = "exits when its input ends"
        if self.seat.pid is None:
            return CheckFinding(demand, None, detail="not tried: it does not run any more")
        if self.seat.leaves(LEAVE_S):
            return CheckFinding(demand, True)
        hint = "leave the loop when there is no line to read"
        return CheckFinding(demand, False, detail=f"still ran {LEAVE_S:g} s later", hint=hint)

    def _failure(self, demand: str, detail: str, kind: Termination) -> CheckFinding:
        hints = _HINTS if self.is_command else _PYTHON_HINTS
        log = self._log()
        return CheckFinding(demand, False, detail=detail, hint=hints.get(kind, ""), log=log)

    def _log(self) -> tuple[str, ...]:
        """Return the end of its log; nothing if that was shown already."""
        log = tuple(self.seat.log.splitlines()[-LOG_LINES:])
        if log == self.shown:
            return ()
        self.shown = log or self.shown
        return log
