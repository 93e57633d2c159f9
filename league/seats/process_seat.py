"""Shared code of all seats with a process: start, end and faults."""

import time
from abc import ABC, abstractmethod
from typing import NoReturn

from league.model.records import BotVersion, Limits, ReportRecord, Termination, in_ticks
from league.seats.process.bot_process import BotProcess, ProcessEnded, ProcessFlood
from league.seats.process.environment import NO_ENVIRONMENT, BotEnvironment
from league.seats.seat import Answer, MoveBudget, SeatFault, SeatKilled

_SIGKILL_EXIT = -9


class ProcessSeat(ABC):
    """A bot in its own process, with line-based messages."""

    def __init__(
        self, version: BotVersion, limits: Limits, environment: BotEnvironment = NO_ENVIRONMENT
    ) -> None:
        self.version = version
        self._limits = limits
        self._environment = environment
        self._process: BotProcess | None = None
        self._last_log = ""
        self.strays = 0
        """How many of the bot's lines were ignored because they were no messages."""

    @property
    def pid(self) -> int | None:
        """The process ID of the bot; None while it does not run."""
        return self._process.pid if self._process else None

    @property
    def leader(self) -> int | None:
        """The ID of the bot's first process; None while it does not run."""
        return self._process.leader if self._process else None

    @property
    def log(self) -> str:
        """The tail of the bot's log in this match."""
        return self._process.log() if self._process else self._last_log

    def start(self) -> None:
        """Start the bot unless it runs; raise `SeatFault` if it fails or takes too long."""
        if self._is_up():
            return
        with self._environment.start_slot():
            self._start()

    @abstractmethod
    def _start(self) -> None:
        """Start the process and wait until it is ready; raise `SeatFault`."""

    def stop(self) -> None:
        """Kill the bot with all its processes; it can be started again."""
        if self._process is not None:
            self._last_log = self._process.log()
            self._process.kill()
            self._process = None

    def leaves(self, wait_s: float) -> bool:
        """Close the bot's input; return whether it exits within `wait_s` seconds."""
        return self._running().leave(b"", wait_s)

    def _running(self) -> BotProcess:
        if self._process is None:
            raise SeatFault(Termination.CRASH, "is not running")
        return self._process

    def _is_up(self) -> bool:
        """Whether the bot runs; stop it first if it has used most of its CPU allowance."""
        if self._process is not None and self._process.is_spent:
            self.stop()
        return self._process is not None

    def _rest(self) -> None:
        """Suspend the bot until the next message, if the limits say so."""
        if self._limits.is_frozen:
            self._running().freeze()

    def _start_end(self) -> int:
        """Return the deadline for a start or for preparing a match."""
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
    """Measures the cost of one answer, starting at the request."""

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
        """Record the time of an answer; raise `SeatFault` if it is too late."""
        self._stopped = stopped = time.monotonic_ns()
        if stopped > self.end:
            raise self.late()
        after = self._process.cpu_ns()
        self._used = None if self._cpu is None or after is None else after - self._cpu

    def answer(self, wire: object, report: ReportRecord | None) -> Answer:
        """Return the answer with its measured cost."""
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
        """Return the fault of a late answer; `more` is appended to its text."""
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
    if ended.is_out_of_memory:
        return SeatFault(Termination.MEMORY_LIMIT, "used too much memory with its children")
    if ended.returncode == _SIGKILL_EXIT:
        return SeatKilled("its process was killed from outside")
    return SeatFault(Termination.CRASH, str(ended))
