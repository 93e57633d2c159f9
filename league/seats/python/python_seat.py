"""A seat for a Python bot in a child process."""

import json
import os
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any

from bots.support.bot import TEXT_MAX
from bots.support.specs import is_built_in
from games.support.errors import FAULT_MAX, MOVE_MAX, MoveError, brief
from games.support.game import Game, State
from games.support.moves import WireMove, fault_of, shown_move
from games.support.printable import cut, drawable
from games.support.view import View
from league.model.records import BotVersion, Limits, Termination
from league.platform import BOUNDS_MEMORY
from league.seats.bot_seat import BotKind
from league.seats.process.bot_process import (
    BotProcess,
    ProcessEnded,
    ProcessFlood,
    ProcessLate,
)
from league.seats.process.environment import NO_ENVIRONMENT, BotEnvironment
from league.seats.process.launch import BotCommand, python_path
from league.seats.process_seat import ProcessSeat
from league.seats.python.stack_sample import LINES_MAX, SAMPLE_S, SIGNAL, place_in
from league.seats.report_parsing import report_of
from league.seats.seat import MoveBudget, SeatAnswer, SeatFault
from league.seats.time_management import move_time_s

PLAIN_DIGITS = 19
"""Longer numbers are for the parser of JSON: Python refuses to read very long ones."""

PLIES_AT_ONCE = 4
"""Openings of so many plies are played when the bot's clock runs, like its opponent's moves."""

FILES_TOLD_MAX = 20
"""Maximum number of kept names of files that a bot says it has read."""


class PythonSeat(ProcessSeat):
    """A Python bot behind a pair of pipes."""

    kind = BotKind.PYTHON

    def __init__(
        self, version: BotVersion, limits: Limits, environment: BotEnvironment = NO_ENVIRONMENT
    ) -> None:
        super().__init__(version, limits, environment)
        self._asked = 0
        self._known = 0
        self._prepares = True
        self._game = ""
        """The game of its process's last match; '' before the first."""
        self._announced = b""
        """The announcement of a match that goes with the first question."""
        self.walk: object = None
        """What the search for the last answer has walked, as the bot's process told it."""

    def _start(self) -> None:
        folder = self._own_folder()
        command = BotCommand(
            words=[sys.executable, "-B", "-P", "-m", "league.seats.python.host"],
            readable=[folder] if folder else [],
            python_path=python_path(),
            is_trusted=is_built_in(self.version.spec),
        )
        self._launch(command)
        self._game, self._announced = "", b""
        message = {
            "spec": self.version.spec,
            "options": dict(self.version.options),
            "files": list(self.version.files),
            "folder": str(folder) if folder else "",
            "memory_mb": self._limits.memory_mb if BOUNDS_MEMORY else None,
            "is_watched": self._environment.watches_files,
            "counts_nodes": self._environment.counts_nodes,
        }
        ready = self._wait_ready(json.dumps(message), "start")
        self.note = str(ready.get("note") or "")[:TEXT_MAX]
        # The host tells which files a bot has read when it says that it is ready.
        self._prepares = ready.get("prepares") is not False or self._environment.watches_files

    def new_match(self, game: Game, seat: int, seed: int, opening: Sequence[WireMove]) -> None:
        """Announce a new match and wait until the bot is ready; raise `SeatFault` if it fails.

        Nothing of the first question is sent before: a bot that prepares knows no move of its
        opponent, and has no clock. One that has nothing to prepare is told with the first question.
        """
        self._begin_match()
        self._known = len(opening)
        is_awaited = self._prepares or game.spec != self._game or len(opening) > PLIES_AT_ONCE
        text = (
            f'{{"match":{json.dumps(game.spec)},"seat":{seat},"seed":{seed},'
            f'"opening":{_list(opening)},"is_awaited":{json.dumps(is_awaited)}}}'
        )
        self._game, self._announced = game.spec, b""
        if is_awaited:
            self._wait_ready(text, "prepare for the match")
        else:
            self._announced = text.encode() + b"\n"

    def ask(self, state: State, history: Sequence[WireMove], budget: MoveBudget) -> SeatAnswer:
        """Request a move after `history`; raise `SeatFault` if none comes, `SeatKilled`."""
        watch = self._watch(budget)
        self._asked += 1
        question = self._announced + self._question(watch.begin, state, history, budget)
        self._announced = b""
        try:
            self._send(question, watch.end)
            line = self._line(watch)
            wire = _plain_move(line, self._asked)
            message: dict[str, Any] = {}
            if wire is None:
                message = self._message(line)
                while message.get("ask") != self._asked:
                    message = self._message(self._line(watch))
            watch.stop()
        except ProcessLate:
            # The time is taken first: the bot is late already, and goes on meanwhile.
            late = watch.late()
            detail = late.detail + self._place("; it was in ")
            raise SeatFault(late.termination, detail, late.wall_ns, late.cpu_ns) from None
        if wire is not None:
            return watch.answer(wire, None)
        self.walk = message.get("walk")
        if "nomove" in message:
            raise SeatFault(Termination.ILLEGAL_MOVE, _no_move(state, message))
        return watch.answer(message.get("move"), report_of(message))

    def _question(
        self, begin: int, state: State, history: Sequence[WireMove], budget: MoveBudget
    ) -> bytes:
        """Return the line that asks for a move; `begin` is the time at which its clock starts."""
        pace = move_time_s(budget)
        until = None if pace is None else begin + int(pace * 1e9)
        # The test of a subclass would ask an abstract class, for every move.
        if type(state) is View:
            moves, self._known = _told_view(state, self._known), len(state.events)
        else:
            moves, self._known = _list(history[self._known :]), len(history)
        told = f"[{self._asked},{moves},{_json(until)},{_json(budget.depth)},{_json(budget.nodes)}"
        return f"{told}{_clocks(budget)}]\n".encode()

    def _wait_ready(self, text: str, purpose: str) -> dict[str, Any]:
        end = self._start_end()
        try:
            self._send(text.encode() + b"\n", end)
            return self._message(self._line(end))
        except ProcessLate:
            self._slow(purpose, self._place(": it was in "))

    def _place(self, head: str) -> str:
        """Return where in its files a bot that is late is, after `head`; '' if it can't be told."""
        folder = self._own_folder()
        if folder is None:
            return ""
        process = self._running()
        try:
            os.kill(process.pid, SIGNAL)
            place = place_in(self._dump(process), folder)
        except (OSError, ProcessLate, ProcessEnded, ProcessFlood):
            return ""
        return f"{head}{place}" if place else ""

    def _dump(self, process: BotProcess) -> Iterator[bytes]:
        """Yield the lines of the dump of its stack while they come, for a moment."""
        end = time.monotonic_ns() + int(SAMPLE_S * 1e9)
        for _ in range(LINES_MAX):
            yield process.read_line(end)

    def _message(self, line: bytes) -> dict[str, Any]:
        """Parse a message; raise `SeatFault` for one that tells of an error, and for none."""
        message = _parse(line)
        if self._environment.watches_files and isinstance(message.get("opened"), list):
            room = FILES_TOLD_MAX - len(self.opened)
            self.opened += [str(path)[:TEXT_MAX] for path in message["opened"][:room]]
        if "error" in message:
            raise _told(message)
        return message


def _plain_move(line: bytes, asked: int) -> int | None:
    """Return the move of an answer to question `asked` that has nothing else, as most have."""
    head = b'{"ask":%d,"move":' % asked
    text = line[len(head) : -1]
    is_plain = line.startswith(head) and line[-1:] == b"}" and len(text) < PLAIN_DIGITS
    return int(text) if is_plain and text.isdigit() else None


_ADVICE = {
    "nothing": "a path through choose ends without return",
    "position": "return the move, not the position that state.play(move) gives",
    "generator": "write return in choose, not yield",
    "coroutine": "write def choose, not async def",
    "method": "it is a function; call it with brackets, as in state.legal_moves()",
    "moves": "return one of state.legal_moves(), not several",
}
"""What to do about each kind of answer."""


def _no_move(state: State, message: dict[str, Any]) -> str:
    """Say of an answer, given by its repr and kind, why it is no move, and what would be."""
    shown = cut(drawable(str(message["nomove"])[:80]), MOVE_MAX)
    if advice := _ADVICE.get(str(message.get("kind"))):
        return f"answered {shown} instead of a move: {advice}"
    return _text_of_move(state, shown) or _unknown(state, shown)


def _unknown(state: State, shown: str) -> str:
    text = f"answered {shown} instead of a move, "
    return text + fault_of(state, None, FAULT_MAX - len(text))


def _text_of_move(state: State, shown: str) -> str:
    """Say which moves a text may stand for: the number in it, or the move written so; else ''."""
    text = shown.strip("'\"")
    numbers = [each for each in state.legal_moves() if type(each) is int and str(each) == text]
    try:
        written = [each for each in [state.parse(text)] if each not in numbers]
    except MoveError:
        written = []
    if not numbers:
        head = f"answered {shown}, the text of a move: return the move itself, "
        return head + brief(written[0], MOVE_MAX) if written else ""
    told = f"answered {shown}, a text: return the number {shown_move(state, numbers[0])}"
    return told + "".join(f", or {each} if you mean the move written {text}" for each in written)


def _told_view(view: View, known: int) -> str:
    """Write what a bot's process needs to make a view, of the events those after the first `known`.

    Nothing else of a match with secrets is ever sent to it.
    """
    return json.dumps(
        {
            "seat": view.seat,
            **view.sight._replace(events=view.events[known:])._asdict(),
        }
    )


def _list(moves: Sequence[WireMove]) -> str:
    """Write moves in JSON; most are integers."""
    plain = str(list(moves))
    return plain if "'" not in plain and '"' not in plain else json.dumps(moves)


def _json(value: int | None) -> str:
    return "null" if value is None else str(value)


def _clocks(budget: MoveBudget) -> str:
    if not budget.left_s:
        return ""
    told = [budget.left_s, budget.increments_s, budget.moves_to_go]
    return f",{json.dumps(told)[1:-1]}"


def _parse(line: bytes) -> dict[str, Any]:
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        message = None
    if not isinstance(message, dict):
        raise SeatFault(
            Termination.ILLEGAL_MOVE, f"answered with an invalid message: {line[:80]!r}"
        )
    return message


def _told(message: dict[str, Any]) -> SeatFault:
    kind = Termination.MEMORY_LIMIT if message["error"] == "memory" else Termination.CRASH
    prefix = "did not load: " if message["error"] == "load" else ""
    return SeatFault(kind, prefix + str(message.get("text", ""))[:TEXT_MAX])
