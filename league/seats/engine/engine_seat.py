"""A seat for programs in any language that speak a line-based text protocol."""

import errno
import os
import shlex
import shutil
from abc import abstractmethod
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from games.support.game import Game, State
from games.support.moves import WireMove
from league.model.records import BotVersion, Limits, ReportRecord, Termination
from league.seats.bot_seat import BotKind, ProtocolSeat
from league.seats.engine.engine_log import EngineLog
from league.seats.engine.option_files import missing_from, named_by, places_of
from league.seats.engine.uci_options import EngineOption, OptionRefused, accepted
from league.seats.process.bot_process import ProcessLate
from league.seats.process.environment import NO_ENVIRONMENT, BotEnvironment
from league.seats.process.launch import BotCommand
from league.seats.process_seat import ProcessSeat
from league.seats.seat import MoveBudget, SeatAnswer, SeatFault, SeatKilled
from league.seats.stopwatch import Stopwatch

TOLD_LINES = 40
"""Number of lines of the conversation that the log keeps."""

TOLD_BYTES = 1000
"""Size limit of each of the program's lines in the log."""

HURRY_S = 0.2
"""Longest time for a late engine to answer the interrupt."""

FAREWELL_S = 0.1
"""Longest time for an engine to exit after the farewell."""

_ITS_OWN = {errno.ENOENT, errno.ENOTDIR, errno.EACCES, errno.ENOEXEC, errno.EPERM}
"""Errors that are the program's own; all others mean a lack of host resources."""


class EngineSeat(ProcessSeat, ProtocolSeat):
    """A program behind a pair of pipes; each protocol is a subclass.

    The spec is the protocol's name, a colon and a command line, split like a shell's but run
    without one, in the version's `folder` or among its files.
    """

    kind = BotKind.PROGRAM

    usual_start_s: ClassVar[float] = 60.0
    """Loading a big net or tablebases takes long; fastchess waits as long."""

    interrupt: ClassVar[str] = ""
    """The line that requests the move at once, if the protocol has one."""

    farewell: ClassVar[str] = ""
    """The line that ends the program, if the protocol has one."""

    def __init__(
        self, version: BotVersion, limits: Limits, environment: BotEnvironment = NO_ENVIRONMENT
    ) -> None:
        super().__init__(version, limits, environment)
        self._places: tuple[Path, ...] = ()
        self._talk: deque[tuple[str, bytes]] = deque(maxlen=TOLD_LINES)
        path = environment.engine_log
        self._engine_log = None if path is None else EngineLog(path)

    @abstractmethod
    def greet(self, end: int) -> None:
        """Greet the program and set its options; raise `ProcessLate` at `end`, `SeatFault`."""

    @abstractmethod
    def set_up(self, game: Game, seat: int, seed: int, opening: Sequence[WireMove]) -> None:
        """Store the next match; raise `SeatFault` if the protocol can't play it."""

    @abstractmethod
    def prepare(self, end: int) -> None:
        """Announce the new match and wait until the program is ready; raise `ProcessLate`."""

    @abstractmethod
    def question(self, state: State, history: Sequence[WireMove], budget: MoveBudget) -> str:
        """Return the lines that request a move in `state`, with line ends."""

    @abstractmethod
    def heard(self, state: State, line: str) -> WireMove | None:
        """Process one line; return the move, None to go on; raise `SeatFault` for no move."""

    def await_rest(self, watch: Stopwatch | None) -> None:
        """Wait, on the program's clock if it has one, until it reads what is said next."""
        return

    def report(self) -> ReportRecord | None:
        """Return the program's report on its last move."""
        return None

    @property
    def log(self) -> str:
        """The bot's standard error, then the last lines of the conversation."""
        talk = "\n".join(
            f"{sign} {line}"
            for sign, said in self._talk
            for line in said.decode("utf-8", "replace").rstrip().split("\n")
        )
        return "\n".join(part for part in (self.output.rstrip("\n"), talk) if part)

    def chosen(
        self, offered: Mapping[str, EngineOption], options: Mapping[str, str]
    ) -> Iterator[tuple[EngineOption, str]]:
        """Yield each of the options to set with its value as the program expects it.

        `offered` are the program's own by casefolded name. Raises `SeatFault` for an option or a
        value that it does not take, and for a path that leads nowhere.
        """
        for name, given in options.items():
            try:
                option, value = accepted(offered, name, given)
            except OptionRefused as refused:
                raise SeatFault(Termination.CRASH, str(refused)) from None
            if option.kind == "string" and value != option.default:
                self._require_files(option.name, value)
            yield option, value

    def _require_files(self, name: str, value: str) -> None:
        if path := missing_from(name, value, self._places):
            where = " nor in ".join(repr(str(place)) for place in self._places)
            text = f"option {name}={value}: there is no {path!r} in {where}"
            todo = "correct it, give its whole path, or run the engine in another folder"
            raise SeatFault(Termination.CRASH, f"can't be started: {text}; {todo}")

    def _start(self) -> None:
        folder = self._own_folder() or Path(self.version.folder or "/")
        name, *rest = command_of(self.version.spec)
        program = program_of(name, folder)
        if program is None:
            raise SeatFault(Termination.CRASH, f"can't be started: there is no program {name!r}")
        self._places = places_of(folder, program)
        try:
            self._launch(self.command(program, rest, folder))
        except OSError as error:
            if error.errno not in _ITS_OWN:
                raise
            text = f"can't be started: {_why_not(error, program, folder)}"
            raise SeatFault(Termination.CRASH, text) from None
        try:
            self.greet(self._start_end())
        except ProcessLate:
            self._slow("start")

    def command(self, program: Path, words: Sequence[str], folder: Path) -> BotCommand:
        """Return the command that starts a program with the words after its name."""
        named = [folder / word for word in words if is_file(folder / word)]
        seen = [program, folder, *named, *named_by(self.version.options.values(), self._places)]
        return BotCommand(words=[str(program), *words], folder=folder, readable=seen)

    def new_match(self, game: Game, seat: int, seed: int, opening: Sequence[WireMove]) -> None:
        """Announce a new match; raise `SeatFault` if the program fails."""
        self._log_errors()
        self._begin_match()
        self._talk.clear()
        if refusal := self.refusal(game, self._limits):
            raise SeatFault(Termination.CRASH, f"can't play: {refusal}")
        self.set_up(game, seat, seed, opening)
        try:
            self.prepare(self._start_end())
        except ProcessLate:
            self._slow("prepare for the match")

    def ask(self, state: State, history: Sequence[WireMove], budget: MoveBudget) -> SeatAnswer:
        """Request a move after `history`; raise `SeatFault` if none comes, `SeatKilled`."""
        question = self.question(state, history, budget)
        watch = self._watch(budget)
        try:
            self.await_rest(watch)
            self.say(question, watch.end)
            while (wire := self.heard(state, self.listen(watch))) is None:
                pass
            watch.stop()
        except ProcessLate:
            raise watch.late(self._hurried(state)) from None
        return watch.answer(wire, self.report())

    def leaves(self, wait_s: float) -> bool:
        """Say farewell and close the input; return whether the bot exits within `wait_s`."""
        if not self.farewell:
            return super().leaves(wait_s)
        return self._running().leave(self.farewell.encode() + b"\n", wait_s)

    def stop(self) -> None:
        """Ask the program to quit, then kill it with all its processes."""
        if self._process is not None and self.farewell:
            self._process.leave(self.farewell.encode() + b"\n", FAREWELL_S)
        if self._process is not None:
            self._log_errors()
        super().stop()

    def say(self, text: str, end: int) -> None:
        """Write whole lines; raise `ProcessLate` at `end`, `SeatFault`, `SeatKilled`."""
        data = text.encode()
        self._talk.append((">", data))
        if self._engine_log is not None:
            self._engine_log.write(self.version.name, self.leader, ">", data)
        self._send(data, end)

    def listen(self, end: int | Stopwatch) -> str:
        """Return the next line without blanks around it; raise like `listen_raw`."""
        return self.listen_raw(end).decode("utf-8", "replace").strip()

    def listen_raw(self, end: int | Stopwatch) -> bytes:
        """Return the next line as the program wrote it.

        Raises `ProcessLate` at `end`, `SeatFault`, `SeatKilled`.
        """
        line = self._line(end)
        self.keep_line(line)
        return line

    def keep_line(self, line: bytes) -> None:
        """Keep a line of the program for the logs."""
        self._talk.append(("<", line[:TOLD_BYTES]))
        if self._engine_log is not None:
            self._engine_log.write(self.version.name, self.leader, "<", line)

    def _log_errors(self) -> None:
        """Write the engine's standard error of the last match to the log of the run."""
        if self._engine_log is not None and (said := super().log.strip()):
            self._engine_log.write(self.version.name, self.leader, "!", said.encode())

    def _hurried(self, state: State) -> str:
        """Interrupt a late program and describe whether it then moved."""
        if not self.interrupt:
            return ""
        watch = Stopwatch(self._running(), MoveBudget(move_s=HURRY_S, grace_s=0.0))
        try:
            self.say(f"{self.interrupt}\n", watch.end)
            while self.heard(state, self.listen(watch)) is None:
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
    """Return a program's file or None; a name with a slash is relative to `folder`, not on PATH."""
    if "/" not in name:
        found = shutil.which(name)
        return Path(found) if found else None
    # Not resolved: virtual environments and busybox depend on the name of the link.
    path = folder / name
    return path if path.is_file() else None


def is_file(path: Path) -> bool:
    """Whether there is a file of that name; a word of a command may be too long for one."""
    return os.path.isfile(path)  # noqa: PTH113 (that of pathlib raises for such a word)


def is_program(path: Path) -> bool:
    """Whether the file is executable."""
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
