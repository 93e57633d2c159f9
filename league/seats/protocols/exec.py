"""JSON lines: `exec:COMMAND`, for programs in any language; see docs/reference/json-lines.md."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from games.support.errors import brief
from games.support.game import Game, State
from games.support.moves import WireMove
from games.support.view import View
from league.model.records import BotVersion, Limits, ReportRecord, Termination
from league.seats.engine.engine_seat import EngineSeat
from league.seats.process.environment import NO_ENVIRONMENT, BotEnvironment
from league.seats.report_parsing import legal_line, report_of
from league.seats.seat import MoveBudget, SeatAnswer, SeatFault
from league.seats.time_management import move_time_s

PROTOCOL = 1
"""The supported version of the protocol."""

_USUAL = {"legal": True, "fen": True, "board": False}
"""Costly fields of a request, and whether they are sent by default."""

_write = json.JSONEncoder(separators=(",", ":")).encode


class ExecSeat(EngineSeat):
    """A program that answers each request with a JSON line with the same `id`."""

    carries_views = True
    usual_start_s = 10.0
    """As of a Python bot: its author should be told soon of a program that hangs."""

    def __init__(
        self, version: BotVersion, limits: Limits, environment: BotEnvironment = NO_ENVIRONMENT
    ) -> None:
        super().__init__(version, limits, environment)
        self._asked = 0
        self._wanted = dict(_USUAL)
        self._match: dict[str, object] = {}
        self._state: State
        self._texts: list[str] = []
        self._answer: tuple[State, dict[str, Any]] | None = None
        self._passed_over = ""
        self._heard_any = False

    def greet(self, end: int) -> None:
        """Exchange protocol versions with the program."""
        answer = self._call({"type": "hello"}, {"protocol": PROTOCOL}, end)
        spoken = answer.get("protocol")
        if type(spoken) is not int or spoken != PROTOCOL:
            told = "no version" if spoken is None else f"version {brief(spoken)}"
            raise SeatFault(
                Termination.CRASH,
                f"greeted with {told} of the protocol: expected "
                f'{{"id":{self._asked},"protocol":{PROTOCOL}}}',
            )
        for name in _USUAL:
            if isinstance(answer.get(name), bool):
                self._wanted[name] = answer[name]

    def set_up(self, game: Game, seat: int, seed: int, opening: Sequence[WireMove]) -> None:
        """Store the next match."""
        self._state, self._texts = game.initial(), []
        self._match = {
            "game": game.spec,
            "seat": seat,
            "seats": game.seats,
            "seed": seed,
            "rules": _rules(game),
            "options": dict(self.version.options),
        }

    def prepare(self, end: int) -> None:
        """Announce the match and wait until the program is ready."""
        self._call({"type": "match"}, self._match, end)

    def ask(self, state: State, history: Sequence[WireMove], budget: MoveBudget) -> SeatAnswer:
        """Request a move after `history`; raise `SeatFault` if none comes, `SeatKilled`."""
        self._passed_over, self._heard_any, self._answer = "", False, None
        try:
            return super().ask(state, history, budget)
        except SeatFault as fault:
            if fault.termination is Termination.TIME_FORFEIT:
                fault.detail += self._excuse()
            raise

    def question(self, state: State, history: Sequence[WireMove], budget: MoveBudget) -> str:
        """Return the request, complete enough for a stateless program."""
        told: dict[str, object] = {
            "game": self._match["game"],
            "seat": self._match["seat"],
            "seconds": move_time_s(budget),
            "depth": budget.depth,
            "nodes": budget.nodes,
        }
        if budget.left_s:
            told["clocks"] = budget.left_s
            told["increment"] = budget.increments_s[budget.seat]
            told["moves_to_go"] = budget.moves_to_go
        if isinstance(state, View):
            told["events"] = state.events
        else:
            self._follow(history)
            told["moves"] = self._texts
        if self._wanted["legal"]:
            told["legal"] = [state.text(move) for move in state.legal_moves()]
        if self._wanted["fen"] and (fen := state.fen()):
            told["fen"] = fen
        if self._wanted["board"]:
            told["board"] = state.render()
        return self._line_of({"type": "move"}, told)

    def heard(self, state: State, line: str) -> WireMove | None:
        """Process one line; return the move, or None if more lines must come."""
        self._heard_any = True
        message = self._message(line)
        if message is None:
            return None
        if message.get("resign") is True:
            raise SeatFault(Termination.RESIGNATION, "resigned")
        move = message.get("move")
        if type(move) not in (str, int):
            raise _nonsense("answered no move", line)
        self._answer = state, message
        # As text, so that `4` is column 4, as in `legal`.
        return str(move)

    def report(self) -> ReportRecord | None:
        """Return the program's report on its last move."""
        if self._answer is None:
            return None
        state, message = self._answer
        return _with_moves(state, report_of(message))

    def _call(self, kind: dict[str, object], told: dict[str, object], end: int) -> dict[str, Any]:
        """Send a request without position, return its answer; raise `ProcessLate`, `SeatFault`."""
        self.say(self._line_of(kind, told), end)
        while (message := self._message(self.listen(end))) is None:
            pass
        return message

    def _line_of(self, kind: dict[str, object], told: dict[str, object]) -> str:
        self._asked += 1
        return _write({**kind, "id": self._asked, **told}) + "\n"

    def _message(self, line: str) -> dict[str, Any] | None:
        """Return the answer to the latest request; None for harmless other lines.

        Raises `SeatFault` for a malformed answer.
        """
        if not line.startswith("{"):
            # Stray prints are the most common student mistake: log them and go on.
            self._pass_over(line)
            return None
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            raise _nonsense("wrote invalid JSON", line) from None
        number = message.get("id")
        if type(number) is int and 0 < number < self._asked:
            # A duplicate answer to an earlier request.
            self._pass_over(line)
            return None
        if type(number) is not int or number != self._asked:
            raise _nonsense(f'answered without "id":{self._asked}', line)
        return dict(message)

    def _pass_over(self, line: str) -> None:
        if line.strip():
            self._passed_over = line
            self.strays += 1

    def _excuse(self) -> str:
        if self._passed_over:
            return f"; it wrote {brief(self._passed_over)}, which answers nothing"
        if self._heard_any:
            return ""
        return "; no whole line came: does it end its lines, and flush its output?"

    def _follow(self, history: Sequence[WireMove]) -> None:
        """Append the texts of the moves since the last request."""
        state = self._state
        for wire in history[len(self._texts) :]:
            move = wire if type(wire) is int else state.parse(str(wire))
            self._texts.append(state.text(move))
            state = state.play(move)
        self._state = state


def _with_moves(state: State, report: ReportRecord | None) -> ReportRecord | None:
    """Return the report with its moves in stored form, up to the first illegal one."""
    if report is None or not report.pv:
        return report
    if isinstance(state, View):
        # What follows a move depends on what the program does not see.
        return replace(report, pv=())
    line = legal_line(state, map(str, report.pv), lambda at, text: at.parse(text))
    return replace(report, pv=line)


def _rules(game: Game) -> dict[str, object]:
    # Programs may pass all of this to a board that only knows the default initial position.
    told = {name: value for name, value in game.values.items() if name != "fen" or value}
    return {name: _plain(value) for name, value in told.items()}


def _plain(value: object) -> object:
    return value if isinstance(value, bool | int | float | str) else str(value)


def _nonsense(what: str, line: str) -> SeatFault:
    return SeatFault(Termination.ILLEGAL_MOVE, f"{what}: {brief(line)}")


SEAT = ExecSeat
