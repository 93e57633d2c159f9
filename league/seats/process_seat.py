"""What every seat with a process behind it shares: its start, its end, and its faults."""

import time
from typing import NoReturn

from league.model.records import BotVersion, Limits, ReportRecord, Termination, in_ticks
from league.seats.process.bot_process import BotProcess, ProcessEnded, ProcessFlood
from league.seats.process.environment import NO_ENVIRONMENT, BotEnvironment
from league.seats.seat import Answer, MoveBudget, SeatFault, SeatKilled

_SIGKILL_EXIT = -9


class ProcessSeat:
    """A bot in a process of its own, spoken to by lines."""

    def __init__(
        self, version: BotVersion, limits: Limits, environment: BotEnvironment = NO_ENVIRONMENT
    ) -> None:
        self.version = version
        self._limits = limits
        self._environment = environment
        self._process: BotProcess | None = None
        self._last_log = ""
        self.strays = 0
        """How many lines the bot has written that were no messages, and were passed over."""

    @property
    def pid(self) -> int | None:
        """The number of the bot's process, None while it does not run."""
        return self._process.pid if self._process else None

    @property
    def leader(self) -> int | None:
        """The number of the first of the bot's processes, None while it does not run."""
        return self._process.leader if self._process else None

    @property
    def log(self) -> str:
        """The tail of what the bot wrote to its log in this match."""
        return self._process.log() if self._process else self._last_log

    def stop(self) -> None:
        """End the bot with all its processes; it may be started again."""
        if self._process is not None:
            self._last_log = self._process.log()
            self._process.kill()
            self._process = None

    def leaves(self, wait_s: float) -> bool:
        """Close the bot's input, and say whether it ends by itself within `wait_s` seconds."""
        return self._running().leave(b"", wait_s)

    def _running(self) -> BotProcess:
        if self._process is None:
            raise SeatFault(Termination.CRASH, "is not running")
        return self._process

    def _is_up(self) -> bool:
        """Whether the bot runs; one that has computed for most of its allowance is ended first."""
        if self._process is not None and self._process.is_spent:
            self.stop()
        return self._process is not None

    def _rest(self) -> None:
        """Let the bot stand still until it is spoken to, where the limits say so."""
        if self._limits.is_frozen:
            self._running().freeze()

    def _start_end(self) -> int:
        """Return the last moment for a start or the preparation of a match."""
        return time.monotonic_ns() + int(self._limits.start_s * 1e9)

    def _line(self, end: int) -> bytes:
        """Return the bot's next line; raise `ProcessLate` at `end`, `SeatFault`, `SeatKilled`."""
        try:
            return self._running().read_line(end)
        except ProcessEnded as ended:
            raise _gone(ended) from None
        except ProcessFlood as flood:
            raise SeatFault(Termination.CRASH, f"flooded its output: {flood}") from None

    def _send(self, data: bytes, end: int) -> None:
        """Write whole lines; raise `ProcessLate` at `end`, `SeatFault`, `SeatKilled`."""
        try:
            self._running().write(data, end)
        except ProcessEnded as ended:
            raise _gone(ended) from None

    def _slow(self, purpose: str) -> NoReturn:
        """Raise the fault of a bot that was not ready in time."""
        text = f"took more than {self._limits.start_s:g} s to {purpose}"
        raise SeatFault(Termination.TIME_FORFEIT, text) from None


class Stopwatch:
    """What one answer costs, from the question on."""

    __slots__ = ("_budget", "_cpu", "_process", "_stopped", "_used", "begin", "end", "until")

    def __init__(self, process: BotProcess, budget: MoveBudget) -> None:
        self._process = process
        self._budget = budget
        self._cpu = process.cpu_ns()
        self.begin = begin = time.monotonic_ns()
        limit = budget.limit_s
        self.until = None if limit is None else begin + int(limit * 1e9)
        self.end = begin + int(budget.allowed_s * 1e9)
        self._stopped = begin
        self._used: int | None = None

    def stop(self) -> None:
        """Take the time of an answer that is there; raise `SeatFault` where it came too late."""
        self._stopped = stopped = time.monotonic_ns()
        if stopped > self.end:
            raise self.late()
        after = self._process.cpu_ns()
        self._used = None if self._cpu is None or after is None else after - self._cpu

    def answer(self, wire: object, report: ReportRecord | None) -> Answer:
        """Return the answer at which the watch was stopped."""
        stopped, until, used = self._stopped, self.until, self._used
        over = 0 if until is None or stopped <= until else stopped - until
        return Answer(
            wire,
            wall_ns=in_ticks(stopped - self.begin),
            cpu_ns=None if used is None else in_ticks(used),
            over_ns=in_ticks(over),
            report=report,
        )

    def late(self, more: str = "") -> SeatFault:
        """Return the fault of an answer that did not come in time; `more` follows its words."""
        budget = self._budget
        wall = time.monotonic_ns() - self.begin
        now = self._process.cpu_ns()
        used = None if now is None or self._cpu is None else now - self._cpu
        told = "" if used is None else f", {used / 1e9:.3f} s of it computing"
        limit = budget.limit_s
        if limit is None:
            allowed = f"the cap of {budget.cap_s:g} s on any answer"
        elif budget.is_by_clock:
            allowed = f"the {limit:.3f} s that its clock had and {budget.grace_s:g} s grace"
        else:
            allowed = f"{limit:g} s and {budget.grace_s:g} s grace"
        return SeatFault(
            Termination.TIME_FORFEIT,
            f"had not moved after {wall / 1e9:.3f} s{told}; allowed: {allowed}{more}",
            in_ticks(wall),
            None if used is None else in_ticks(used),
        )


def _gone(ended: ProcessEnded) -> Exception:
    if ended.returncode == _SIGKILL_EXIT:
        return SeatKilled("its process was killed from outside")
    return SeatFault(Termination.CRASH, str(ended))
