"""A seat filled by a Python bot in a child process."""

import json
import math
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from games.contract import Game, State
from games.moves import WireMove
from league.records import BotVersion, Limits, ReportRecord, Termination
from league.seats.contract import Answer, SeatFault, SeatKilled
from league.seats.host import PV_MAX, TEXT_MAX
from league.seats.process import BotProcess, ProcessEnded, ProcessFlood, ProcessLate
from league.seats.snapshots import lay_out

_PASSED_ON = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "VIRTUAL_ENV", "LD_LIBRARY_PATH")
_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
_SIGKILL_EXIT = -9


class PythonSeat:
    """A Python bot behind a pair of pipes."""

    def __init__(self, version: BotVersion, limits: Limits) -> None:
        self.version = version
        self._limits = limits
        self._process: BotProcess | None = None
        self._asked = 0
        self._known = 0
        self._last_log = ""

    @property
    def pid(self) -> int | None:
        """The number of the bot's process, None while it does not run."""
        return self._process.pid if self._process else None

    @property
    def log(self) -> str:
        """The tail of what the bot wrote to its log in this match."""
        return self._process.log() if self._process else self._last_log

    def start(self) -> None:
        """Start the bot unless it runs; raise `SeatFault` when it can't be started in time."""
        if self._process is not None:
            return
        folder = lay_out(self.version) if self.version.files else None
        command = [sys.executable, "-B", "-P", "-m", "league.seats.host", str(os.getpid())]
        self._process = BotProcess(command, _environment(), folder or Path("/"))
        message = {
            "spec": self.version.spec,
            "options": dict(self.version.options),
            "files": list(self.version.files),
            "folder": str(folder) if folder else "",
            "memory_mb": self._limits.memory_mb,
        }
        self._wait_ready(json.dumps(message), "start")

    def new_match(self, game: Game, seat: int, seed: int, opening: Sequence[WireMove]) -> None:
        """Tell the bot of a new match; raise `SeatFault` when it fails at that."""
        if self._process is None:
            raise SeatFault(Termination.CRASH, "is not running")
        self._process.forget_log()
        self._known = len(opening)
        message = {"match": game.spec, "seat": seat, "seed": seed, "opening": list(opening)}
        self._wait_ready(json.dumps(message), "prepare for the match")

    def ask(self, state: State, history: Sequence[WireMove], limits: Limits) -> Answer:
        """Ask for a move after `history`; raise `SeatFault` when none comes, `SeatKilled`."""
        process = self._process
        if process is None:
            raise SeatFault(Termination.CRASH, "is not running")
        self._asked += 1
        news = list(history[self._known :])
        moves = json.dumps(news) if any(type(each) is str for each in news) else str(news)
        self._known = len(history)
        cpu = process.cpu_ns()
        begin = time.monotonic_ns()
        until = None if limits.move_s is None else begin + int(limits.move_s * 1e9)
        question = (
            f'{{"ask":{self._asked},"moves":{moves},"until":{_json(until)},'
            f'"depth":{_json(limits.depth)},"nodes":{_json(limits.nodes)}}}\n'
        )
        end = _last_moment(begin, limits)
        try:
            process.write(question.encode(), end)
            message = self._answer(process, end)
        except ProcessLate:
            raise self._late(process, begin, cpu, limits) from None
        wall = time.monotonic_ns() - begin
        if time.monotonic_ns() > end:
            raise self._late(process, begin, cpu, limits)
        cpu_after = process.cpu_ns()
        used = None if cpu is None or cpu_after is None else cpu_after - cpu
        over = max(0, begin + wall - until) if until is not None else 0
        return Answer(
            message.get("move", message.get("nomove")), wall, used, over, _report_of(message)
        )

    def stop(self) -> None:
        """End the bot with all its processes; it may be started again."""
        if self._process is not None:
            self._last_log = self._process.log()
            self._process.kill()
            self._process = None

    def _answer(self, process: BotProcess, end: int) -> dict[str, Any]:
        while True:
            try:
                line = process.read_line(end)
            except ProcessEnded as ended:
                raise self._gone(ended) from None
            except ProcessFlood as flood:
                raise SeatFault(Termination.CRASH, f"flooded its output: {flood}") from None
            message = _parse(line)
            if "error" in message:
                raise _told(message)
            if message.get("ask") == self._asked:
                return message

    def _wait_ready(self, text: str, purpose: str) -> None:
        process = self._process
        if process is None:
            return
        end = time.monotonic_ns() + int(self._limits.start_s * 1e9)
        try:
            process.write(text.encode() + b"\n", end)
            message = _parse(process.read_line(end))
        except ProcessLate:
            raise SeatFault(
                Termination.TIME_FORFEIT,
                f"took more than {self._limits.start_s:g} s to {purpose}",
            ) from None
        except ProcessEnded as ended:
            raise self._gone(ended) from None
        except ProcessFlood as flood:
            raise SeatFault(Termination.CRASH, f"flooded its output: {flood}") from None
        if "error" in message:
            raise _told(message)

    def _gone(self, ended: ProcessEnded) -> Exception:
        if ended.returncode == _SIGKILL_EXIT:
            return SeatKilled("its process was killed from outside")
        return SeatFault(Termination.CRASH, str(ended))

    def _late(self, process: BotProcess, begin: int, cpu: int | None, limits: Limits) -> SeatFault:
        wall = time.monotonic_ns() - begin
        now = process.cpu_ns()
        used = None if now is None or cpu is None else now - cpu
        told = "" if used is None else f", {used / 1e9:.3f} s of it computing"
        if limits.move_s is None:
            allowed = f"the cap of {limits.cap_s:g} s on any answer"
        else:
            allowed = f"{limits.move_s:g} s and {limits.grace_s:g} s grace"
        return SeatFault(
            Termination.TIME_FORFEIT,
            f"had not moved after {wall / 1e9:.3f} s{told}; allowed: {allowed}",
            wall,
            used,
        )


def _last_moment(begin: int, limits: Limits) -> int:
    if limits.move_s is None:
        return begin + int(limits.cap_s * 1e9)
    return begin + int((limits.move_s + limits.grace_s) * 1e9)


def _environment() -> dict[str, str]:
    env = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    # The paths of this process, so that a bot named by its module is found by its process too.
    env["PYTHONPATH"] = os.pathsep.join(each for each in sys.path if each)
    # Sets of texts iterate alike in every process: the same seed gives the same moves.
    env["PYTHONHASHSEED"] = "0"
    env.update(dict.fromkeys(_ONE_THREAD, "1"))
    return env


def _json(value: int | None) -> str:
    return "null" if value is None else str(value)


def _parse(line: bytes) -> dict[str, Any]:
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        message = None
    if not isinstance(message, dict):
        raise SeatFault(Termination.ILLEGAL_MOVE, f"answered what is not a message: {line[:80]!r}")
    return message


def _told(message: dict[str, Any]) -> SeatFault:
    kind = Termination.MEMORY_LIMIT if message["error"] == "memory" else Termination.CRASH
    prefix = "did not load: " if message["error"] == "load" else ""
    return SeatFault(kind, prefix + str(message.get("text", ""))[:TEXT_MAX])


def _report_of(message: dict[str, Any]) -> ReportRecord | None:
    """Take from a bot's report what has the right form; what has not is nobody's fault."""
    report = message.get("report")
    if not isinstance(report, dict):
        return None
    pv = report.get("pv")
    line = pv[:PV_MAX] if isinstance(pv, list) else []
    text = report.get("text")
    return ReportRecord(
        depth=_count(report.get("depth")),
        nodes=_count(report.get("nodes")),
        score=_score(report.get("score")),
        pv=tuple(line) if all(type(each) in (int, str) for each in line) else (),
        text=text[:TEXT_MAX] if isinstance(text, str) else "",
    )


def _count(value: object) -> int | None:
    return value if type(value) is int and 0 <= value < 1 << 63 else None


def _score(value: object) -> float | None:
    if type(value) not in (int, float):
        return None
    try:
        score = float(value)  # type: ignore[arg-type]  # an int or a float, as asked above
    except OverflowError:
        return None
    return score if math.isfinite(score) else None
