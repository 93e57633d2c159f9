"""Shared code of all seats with a process: start, end and faults."""

import time
from abc import abstractmethod
from pathlib import Path
from typing import NoReturn

from bots.support.specs import is_built_in
from league.model.records import BotVersion, Limits, Termination
from league.seats.bot_seat import BotSeat
from league.seats.process.bot_process import Aside, BotProcess, ProcessEnded, ProcessFlood, Sender
from league.seats.process.bot_use import Excess
from league.seats.process.environment import NO_ENVIRONMENT, BotEnvironment
from league.seats.process.launch import BotCommand, launch
from league.seats.process.output_bounds import MOVE, PREPARATION, START
from league.seats.seat import MoveBudget, SeatFault, SeatKilled
from league.seats.source_folder import SourceFolder, by_own_names, lay_out
from league.seats.stopwatch import Stopwatch

_SIGKILL_EXIT = -9


class ProcessSeat(BotSeat):
    """A bot in its own process, with line-based messages."""

    def __init__(
        self, version: BotVersion, limits: Limits, environment: BotEnvironment = NO_ENVIRONMENT
    ) -> None:
        super().__init__(version, limits, environment)
        self._process: BotProcess | None = None
        self._folder: SourceFolder | None = None
        self._last_log = ""

    @property
    def pid(self) -> int | None:
        """The process ID of the bot; None while it does not run."""
        return self._process.pid if self._process else None

    @property
    def leader(self) -> int | None:
        """The ID of the bot's first process; None while it does not run."""
        return self._process.leader if self._process else None

    @property
    def output(self) -> str:
        """The tail of what the bot printed in this match."""
        log = self._process.log() if self._process else self._last_log
        return by_own_names(log, self.version)

    def start(self) -> int:
        """Start the bot unless it runs; raise `SeatFault` if it fails or takes too long."""
        if self._is_up():
            return 0
        idle_bots = None if self._limits.may_ponder else self._environment.idle_bots
        if idle_bots is not None:
            idle_bots.freeze_all_but(None)
        with self._environment.start_slot():
            begin = time.monotonic_ns()
            self._start()
            took = time.monotonic_ns() - begin
        self._running().begin_match()
        if idle_bots is not None:
            idle_bots.add(self._running())
        usage = self._running().usage()
        return took - max(0, min(usage.waited_ns, took - usage.used_ns))

    @abstractmethod
    def _start(self) -> None:
        """Start the process and wait until it is ready; raise `SeatFault`."""

    def _launch(self, command: BotCommand) -> None:
        """Start the process itself; raise `OSError` if it can't be started."""
        self._process = launch(command, self._limits, self._environment)
        self._process.bound_output(START)

    def _begin_match(self) -> None:
        """Forget the log of the last match, and bound what the bot writes to prepare for one."""
        self._running().forget_log()
        self._running().bound_output(PREPARATION)

    def stop(self) -> None:
        """Kill the bot with all its processes; it can be started again."""
        if self._process is not None:
            self._last_log = self._process.log()
            self._process.kill()
            if self._environment.idle_bots is not None:
                self._environment.idle_bots.discard(self._process)
            self._process = None
        if self._folder is not None:
            self._folder.close()
            self._folder = None

    def _own_folder(self) -> Path | None:
        """Return the folder with the bot's files, which stays until it stops; None without any."""
        if self._folder is None and self.version.files:
            self._folder = lay_out(self.version)
        return self._folder.path if self._folder else None

    def leaves(self, wait_s: float) -> bool:
        """Close the bot's input; return whether it exits within `wait_s` seconds."""
        return self._running().leave(b"", wait_s)

    def _running(self) -> BotProcess:
        if self._process is None:
            raise SeatFault(Termination.CRASH, "is not running")
        return self._process

    def _is_up(self) -> bool:
        """Whether the bot runs; stop it first if it may not last for the match that begins."""
        if self._process is not None and self._process.begin_match():
            self.stop()
        return self._process is not None

    def _start_end(self) -> int:
        """Return the deadline for a start or for preparing a match."""
        return time.monotonic_ns() + int(self.start_limit_s(self._limits) * 1e9)

    def _watch(self, budget: MoveBudget) -> Stopwatch:
        """Start measuring an answer; the other bots are suspended unless it comes at once."""
        process, idle_bots = self._running(), self._environment.idle_bots
        process.bound_output(MOVE)
        if idle_bots is None or self._limits.may_ponder:
            return Stopwatch(process, budget)
        return Stopwatch(process, budget, idle_bots)

    def _line(self, end: int | Stopwatch, aside: Aside | None = None) -> bytes:
        """Return the bot's next line; raise `ProcessLate` at `end`, `SeatFault`, `SeatKilled`."""
        process = self._running()
        if process.lines:
            return process.lines.popleft()
        try:
            if isinstance(end, int):
                return process.read_line(end, aside)
            return end.read_line(aside)
        except ProcessEnded as ended:
            raise fault_of(ended, self.version, self._limits.memory_mb) from None
        except ProcessFlood as flood:
            raise SeatFault(Termination.CRASH, f"flooded its output: {flood}") from None

    def _send(self, data: bytes, end: int) -> None:
        """Write whole lines; raise `ProcessLate` at `end`, `SeatFault`, `SeatKilled`."""
        try:
            self._running().write(data, end)
        except ProcessEnded as ended:
            raise fault_of(ended, self.version, self._limits.memory_mb) from None

    def _slow(self, purpose: str, place: str = "") -> NoReturn:
        """Raise the fault of a bot that was not ready in time, with the place where it was."""
        limit_s = self.start_limit_s(self._limits)
        text = f"took more than {limit_s:g} s to {purpose}{place}; --start-time changes the limit"
        raise SeatFault(Termination.TIME_FORFEIT, text) from None


def fault_of(
    ended: ProcessEnded, version: BotVersion, memory_mb: int | None
) -> SeatFault | SeatKilled:
    """Return what the end of a bot's process means for its match; `memory_mb` is its limit."""
    if ended.excess:
        is_memory = ended.excess is Excess.MEMORY
        ending = Termination.MEMORY_LIMIT if is_memory else Termination.CRASH
        bound = f": more than {memory_mb}M (see --memory)" if is_memory else ""
        return SeatFault(ending, f"{ended.excess.value}{bound}")
    if ended.returncode != _SIGKILL_EXIT or ended.sender is Sender.ITSELF:
        return SeatFault(Termination.CRASH, str(ended))
    # No built-in bot sends signals.
    if ended.sender is Sender.OUTSIDE or is_built_in(version.spec):
        return SeatKilled("its process was killed from outside", is_from_outside=True)
    return SeatKilled("its process was killed, by itself or from outside")
