"""A seat filled by a program of any language that speaks a protocol of text lines."""

import errno
import os
import shlex
import shutil
from abc import abstractmethod
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from games.support.game import Game, State
from games.support.moves import WireMove
from league.model.records import BotVersion, Limits, ReportRecord, Termination
from league.seats.process.bot_process import ProcessLate
from league.seats.process.environment import NO_ENVIRONMENT, BotEnvironment
from league.seats.process.launch import launch
from league.seats.process_seat import ProcessSeat, Stopwatch
from league.seats.seat import Answer, MoveBudget, SeatFault, SeatKilled

TOLD_LINES = 40
"""How many of the last lines of a conversation the log keeps."""

HURRY_S = 0.2
"""How long an engine that is late may take to answer when it is told to stop."""

FAREWELL_S = 0.1
"""How long an engine may take to leave when it is told to quit."""

_ITS_OWN = {errno.ENOENT, errno.ENOTDIR, errno.EACCES, errno.ENOEXEC, errno.EPERM}
"""Why a program can't be started at all; anything else is for want of room on the host."""


class EngineSeat(ProcessSeat):
    """A program behind a pair of pipes; each protocol is a subclass.

    The version's spec is the protocol's name, a colon and a command line, split as a shell does it
    but run by none; its `folder` is where the command runs.
    """

    plays: ClassVar[str] = ""
    """The spec of the one game that the protocol is for, '' where it is for many."""

    interrupt: ClassVar[str] = ""
    """The line that asks for the move at once, where the protocol has one."""

    farewell: ClassVar[str] = ""
    """The line that ends the program, where the protocol has one."""

    def __init__(
        self, version: BotVersion, limits: Limits, environment: BotEnvironment = NO_ENVIRONMENT
    ) -> None:
        super().__init__(version, limits, environment)
        self._talk: deque[tuple[str, bytes]] = deque(maxlen=TOLD_LINES)

    @classmethod
    def refusal(cls, game: Game, limits: Limits) -> str:
        """Say why the protocol can't play `game` under `limits`; '' where it can."""
        return ""

    @abstractmethod
    def greet(self, end: int) -> None:
        """Begin the conversation and set the options; `ProcessLate` at `end`, `SeatFault`."""

    @abstractmethod
    def set_up(self, game: Game, seat: int, seed: int, opening: Sequence[WireMove]) -> None:
        """Remember the match to come, or raise `SeatFault` where the protocol can't play it."""

    @abstractmethod
    def prepare(self, end: int) -> None:
        """Tell the program of the new match and wait until it is ready; `ProcessLate`."""

    @abstractmethod
    def question(self, state: State, history: Sequence[WireMove], budget: MoveBudget) -> str:
        """Return the lines that ask for a move in `state`, the last with its end."""

    @abstractmethod
    def heard(self, state: State, line: str) -> WireMove | None:
        """Take in one line; return the move where it is the answer, None where more must come.

        Raises `SeatFault` where it says that there is none.
        """

    def report(self) -> ReportRecord | None:
        """Return what the program told about the move just answered."""
        return None

    @property
    def log(self) -> str:
        """What the bot wrote to its standard error, then the last lines of the conversation."""
        talk = "\n".join(
            f"{sign} {line}"
            for sign, said in self._talk
            for line in said.decode("utf-8", "replace").rstrip().split("\n")
        )
        return "\n".join(part for part in (super().log.rstrip("\n"), talk) if part)

    def start(self) -> None:
        """Start the program unless it runs; raise `SeatFault` when it can't be started in time."""
        if self._is_up():
            return
        with self._environment.start_slot():
            self._start()

    def _start(self) -> None:
        folder = Path(self.version.folder or "/")
        name, *rest = command_of(self.version.spec)
        program = program_of(name, folder)
        if program is None:
            raise SeatFault(Termination.CRASH, f"can't be started: there is no program {name!r}")
        try:
            named = [folder / word for word in rest if (folder / word).is_file()]
            seen = [program, folder, *named]
            self._process = launch(
                [str(program), *rest],
                folder,
                limits=self._limits,
                environment=self._environment,
                readable=seen,
            )
        except OSError as error:
            if error.errno not in _ITS_OWN:
                raise
            text = f"can't be started: {_why_not(error, program, folder)}"
            raise SeatFault(Termination.CRASH, text) from None
        try:
            self.greet(self._start_end())
        except ProcessLate:
            self._slow("start")

    def new_match(self, game: Game, seat: int, seed: int, opening: Sequence[WireMove]) -> None:
        """Tell the program of a new match; raise `SeatFault` when it fails at that."""
        self._running().forget_log()
        self._talk.clear()
        if refusal := self.refusal(game, self._limits):
            raise SeatFault(Termination.CRASH, f"can't play: {refusal}")
        self.set_up(game, seat, seed, opening)
        try:
            self.prepare(self._start_end())
        except ProcessLate:
            self._slow("prepare for the match")
        self._rest()

    def ask(self, state: State, history: Sequence[WireMove], budget: MoveBudget) -> Answer:
        """Ask for a move after `history`; raise `SeatFault` when none comes, `SeatKilled`."""
        question = self.question(state, history, budget)
        watch = Stopwatch(self._running(), budget)
        try:
            self.say(question, watch.end)
            while (wire := self.heard(state, self.listen(watch.end))) is None:
                pass
            watch.stop()
        except ProcessLate:
            raise watch.late(self._hurried(state)) from None
        answer = watch.answer(wire, self.report())
        self._rest()
        return answer

    def leaves(self, wait_s: float) -> bool:
        """Tell the bot to leave and close its input; say whether it ends within `wait_s`."""
        if not self.farewell:
            return super().leaves(wait_s)
        return self._running().leave(self.farewell.encode() + b"\n", wait_s)

    def stop(self) -> None:
        """Ask the program to leave, then end it with all its processes."""
        if self._process is not None and self.farewell:
            self._process.leave(self.farewell.encode() + b"\n", FAREWELL_S)
        super().stop()

    def say(self, text: str, end: int) -> None:
        """Write whole lines; raise `ProcessLate` at `end`, `SeatFault`, `SeatKilled`."""
        data = text.encode()
        self._talk.append((">", data))
        self._send(data, end)

    def listen(self, end: int) -> str:
        """Return the next line; raise `ProcessLate` at `end`, `SeatFault`, `SeatKilled`."""
        line = self._line(end)
        self._talk.append(("<", line))
        return line.decode("utf-8", "replace").rstrip("\r")

    def _hurried(self, state: State) -> str:
        """Tell a late program to move at once, and say in words whether it did."""
        if not self.interrupt:
            return ""
        watch = Stopwatch(self._running(), MoveBudget(move_s=HURRY_S, grace_s=0.0))
        try:
            self.say(f"{self.interrupt}\n", watch.end)
            while self.heard(state, self.listen(watch.end)) is None:
                pass
            watch.stop()
        except (ProcessLate, SeatFault, SeatKilled):
            return f"; it did not move when told to {self.interrupt} either"
        took = watch.answer(None, None).wall_ns / 1e9
        return f"; it moved {took:.3f} s after it was told to {self.interrupt}"


def command_of(spec: str) -> list[str]:
    """Return the words of the command line in an engine's spec; raise `ValueError` for none."""
    words = shlex.split(spec.partition(":")[2])
    if not words:
        raise ValueError(f"{spec!r} names no command")
    return words


def program_of(name: str, folder: Path) -> Path | None:
    """Return the file of a command's program, None where there is none.

    A name with a slash is a path from `folder`; another is looked up on the path.
    """
    if "/" not in name:
        found = shutil.which(name)
        return Path(found) if found else None
    # Not resolved: what a link is called matters to virtual environments, and to busybox.
    path = folder / name
    return path if path.is_file() else None


def is_program(path: Path) -> bool:
    """Whether the file may be run."""
    return os.access(path, os.X_OK)


def _why_not(error: OSError, program: Path, folder: Path) -> str:
    if not folder.is_dir():
        return f"there is no folder {str(folder)!r}"
    if not program.is_file():
        return f"there is no program {str(program)!r}"
    if not is_program(program):
        return f"{str(program)!r} is not executable: chmod +x it, or name its interpreter before it"
    if error.errno in (errno.ENOENT, errno.ENOEXEC):
        return f"the first line of {str(program)!r} names no interpreter that is here"
    return f"{str(program)!r}: {error.strerror}"
