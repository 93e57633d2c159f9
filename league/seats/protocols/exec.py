"""JSON lines: `exec:COMMAND`, for programs in any language; see docs/reference/json-lines.md."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from games.support.errors import brief
from games.support.game import Game, State
from games.support.moves import WireMove
from league.model.records import BotVersion, Limits, ReportRecord, Termination
from league.seats.engine.engine_seat import EngineSeat
from league.seats.json_lines import JsonLines, move_of, nonsense, report_on_move, write
from league.seats.process.environment import NO_ENVIRONMENT, BotEnvironment
from league.seats.seat import MoveBudget, SeatAnswer, SeatFault


class ExecSeat(EngineSeat):
    """A program that answers each request with a JSON line with the same `id`."""

    carries_views = True
    usual_start_s = 10.0
    """As of a Python bot: its author should be told soon of a program that hangs."""

    def __init__(
        self, version: BotVersion, limits: Limits, environment: BotEnvironment = NO_ENVIRONMENT
    ) -> None:
        super().__init__(version, limits, environment)
        self._lines = JsonLines(version.options)
        self._answer: tuple[State, dict[str, Any]] | None = None
        self._passed_over = ""
        self._heard_any = False

    def greet(self, end: int) -> None:
        """Exchange protocol versions with the program."""
        self._lines.greeted(self._call(self._lines.hello(), end))

    def set_up(self, game: Game, seat: int, seed: int, opening: Sequence[WireMove]) -> None:
        """Store the next match."""
        self._lines.set_up(game, seat, seed)

    def prepare(self, end: int) -> None:
        """Announce the match and wait until the program is ready."""
        self._call(self._lines.match(), end)

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
        return f"{write(self._lines.move(state, history, budget))}\n"

    def heard(self, state: State, line: str) -> WireMove | None:
        """Process one line; return the move, or None if more lines must come."""
        self._heard_any = True
        message = self._message(line)
        if message is None:
            return None
        move = move_of(message, line)
        self._answer = state, message
        return move

    def report(self) -> ReportRecord | None:
        """Return the program's report on its last move."""
        return None if self._answer is None else report_on_move(*self._answer)

    def _call(self, request: Mapping[str, object], end: int) -> dict[str, Any]:
        """Send a request without position, return its answer; raise `ProcessLate`, `SeatFault`."""
        self.say(f"{write(request)}\n", end)
        while (message := self._message(self.listen(end))) is None:
            pass
        return message

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
            raise nonsense("wrote invalid JSON", line) from None
        number, asked = message.get("id"), self._lines.asked
        if type(number) is int and 0 < number < asked:
            # A duplicate answer to an earlier request.
            self._pass_over(line)
            return None
        if type(number) is not int or number != asked:
            raise nonsense(f'answered without "id":{asked}', line)
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


SEAT = ExecSeat
