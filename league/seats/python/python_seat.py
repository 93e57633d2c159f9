"""A seat for a Python bot in a child process."""

import json
import sys
from collections.abc import Sequence
from typing import Any

from bots.support.bot import TEXT_MAX
from bots.support.specs import is_built_in
from games.support.drawing import printable
from games.support.errors import MoveError, brief
from games.support.game import Game, State
from games.support.moves import WireMove, fault_of
from league.model.records import BotVersion, Limits, Termination
from league.platform import BOUNDS_MEMORY
from league.seats.process.bot_process import ProcessLate
from league.seats.process.environment import NO_ENVIRONMENT, BotEnvironment
from league.seats.process.launch import BotCommand, launch, python_path
from league.seats.process_seat import ProcessSeat
from league.seats.report_parsing import report_of
from league.seats.seat import Answer, MoveBudget, SeatFault
from league.seats.source_folder import lay_out
from league.seats.stopwatch import Stopwatch
from league.seats.time_management import move_time_s

FILES_TOLD_MAX = 20
"""How many of the files that a bot says it has read are kept."""


class PythonSeat(ProcessSeat):
    """A Python bot behind a pair of pipes."""

    def __init__(
        self, version: BotVersion, limits: Limits, environment: BotEnvironment = NO_ENVIRONMENT
    ) -> None:
        super().__init__(version, limits, environment)
        self._asked = 0
        self._known = 0

    def _start(self) -> None:
        folder = lay_out(self.version) if self.version.files else None
        command = BotCommand(
            words=[sys.executable, "-B", "-P", "-m", "league.seats.python.host"],
            readable=[folder] if folder else [],
            python_path=python_path(),
            is_trusted=is_built_in(self.version.spec),
        )
        self._process = launch(command, self._limits, self._environment)
        message = {
            "spec": self.version.spec,
            "options": dict(self.version.options),
            "files": list(self.version.files),
            "folder": str(folder) if folder else "",
            "memory_mb": self._limits.memory_mb if BOUNDS_MEMORY else None,
            "is_watched": self._environment.watches_files,
        }
        self._wait_ready(json.dumps(message), "start")

    def new_match(self, game: Game, seat: int, seed: int, opening: Sequence[WireMove]) -> None:
        """Announce a new match; raise `SeatFault` if the bot fails."""
        self._running().forget_log()
        self._known = len(opening)
        message = {"match": game.spec, "seat": seat, "seed": seed, "opening": list(opening)}
        self._wait_ready(json.dumps(message), "prepare for the match")

    def ask(self, state: State, history: Sequence[WireMove], budget: MoveBudget) -> Answer:
        """Request a move after `history`; raise `SeatFault` if none comes, `SeatKilled`."""
        watch = self._watch(budget)
        pace = move_time_s(budget)
        until = None if pace is None else watch.begin + int(pace * 1e9)
        self._asked += 1
        news = list(history[self._known :])
        moves = json.dumps(news) if any(type(each) is str for each in news) else str(news)
        self._known = len(history)
        question = (
            f'{{"ask":{self._asked},"moves":{moves},"until":{_json(until)},'
            f'"depth":{_json(budget.depth)},"nodes":{_json(budget.nodes)}{_clocks(budget)}}}\n'
        )
        try:
            self._send(question.encode(), watch.end)
            message = self._heard(watch)
            while message.get("ask") != self._asked:
                message = self._heard(watch)
            watch.stop()
        except ProcessLate:
            raise watch.late() from None
        if "nomove" in message:
            raise SeatFault(Termination.ILLEGAL_MOVE, _no_move(state, str(message["nomove"])[:80]))
        return watch.answer(message.get("move"), report_of(message))

    def _wait_ready(self, text: str, purpose: str) -> None:
        end = self._start_end()
        try:
            self._send(text.encode() + b"\n", end)
            self._heard(end)
        except ProcessLate:
            self._slow(purpose)

    def _heard(self, end: int | Stopwatch) -> dict[str, Any]:
        message = _parse(self._line(end))
        if self._environment.watches_files and isinstance(message.get("opened"), list):
            room = FILES_TOLD_MAX - len(self.opened)
            self.opened += [str(path)[:TEXT_MAX] for path in message["opened"][:room]]
        if "error" in message:
            raise _told(message)
        return message


def _no_move(state: State, shown: str) -> str:
    """Say that a value, given by its repr, is no move; a move's text is told its value."""
    try:
        move = state.parse(shown.strip("'\""))
    except MoveError:
        return f"answered no move but {printable(shown)}, {fault_of(state, None)}"
    return f"answered {shown}, the text of a move: return the move itself, {brief(move)}"


def _json(value: int | None) -> str:
    return "null" if value is None else str(value)


def _clocks(budget: MoveBudget) -> str:
    if not budget.left_s:
        return ""
    told = [budget.left_s, budget.increments_s, budget.moves_to_go]
    return f',"clocks":{json.dumps(told)}'


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
