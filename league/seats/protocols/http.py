"""Web servers: `http://HOST:PORT` is a bot; see docs/reference/protocols.md."""

import json
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from bots.support.bot import TEXT_MAX
from games.support.errors import brief
from games.support.game import Game, State
from games.support.moves import WireMove
from league.model.records import BotVersion, Limits, ReportRecord, Termination, in_ticks
from league.seats.bot_seat import BotKind, ProtocolSeat
from league.seats.process.environment import NO_ENVIRONMENT, BotEnvironment
from league.seats.seat import MoveBudget, SeatAnswer, SeatFault
from league.seats.server.address import address_of
from league.seats.server.connection import Request, ServerConnection, ServerFailed, ServerLate
from league.seats.server.dialect import Dialect, dialect_for

TOLD_LINES = 40
"""Number of lines of the conversation that the log keeps."""

TOLD_BYTES = 1000
"""Size limit of each of these lines."""

END_S = 1.0
"""Longest time for a server to take note that a match is over."""


class HttpSeat(ProtocolSeat):
    """A bot that is a web server somewhere: there is nothing to start, to isolate or to suspend.

    Each game has a dialect, which says what is asked. Its time is that of each request, with all
    that the network takes.
    """

    kind = BotKind.SERVER
    is_elsewhere = True
    plays = "snakes"
    carries_views = True

    def __init__(
        self, version: BotVersion, limits: Limits, environment: BotEnvironment = NO_ENVIRONMENT
    ) -> None:
        super().__init__(version, limits, environment)
        self._server = ServerConnection(address_of(version.spec))
        self._is_up = self._has_begun = False
        self._dialect: Dialect | None = None
        self._talk: deque[str] = deque(maxlen=TOLD_LINES)

    @classmethod
    def refusal(cls, game: Game, limits: Limits) -> str:
        """Refuse games that no dialect is for, and what the dialect refuses."""
        dialect = dialect_for(game)
        if dialect is None:
            return f"web servers play {cls.plays}, not {game.spec}"
        return dialect.refusal(game, limits)

    @property
    def log(self) -> str:
        """The last lines of the conversation."""
        return "\n".join(self._talk)

    @property
    def output(self) -> str:
        """Nothing: what a server prints stays there."""
        return ""

    def start(self) -> int:
        """Ask the server for `/` unless it has answered before; raise `SeatFault`."""
        if self._is_up:
            return 0
        self._talk.clear()
        if options := self.version.options:
            told = f"takes no option {next(iter(options))!r}: a server has settings of its own"
            raise SeatFault(Termination.CRASH, told)
        begin = time.monotonic_ns()
        limit_s = self.start_limit_s(self._limits)
        try:
            greeting = self._ask(Request("GET"), begin + int(limit_s * 1e9))
        except ServerLate:
            text = f"did not answer GET / within {self._start_limit}"
            raise SeatFault(Termination.TIME_FORFEIT, text) from None
        author = greeting.get("author")
        self.keep_identity(author=author if isinstance(author, str) else "")
        self._is_up = True
        return time.monotonic_ns() - begin

    def new_match(self, game: Game, seat: int, seed: int, opening: Sequence[WireMove]) -> None:
        """Keep the match, which the server is told of with its first position."""
        before = self._dialect
        if before is not None and (before.game, before.seat, before.seed) == (game, seat, seed):
            # It goes on after a fault.
            return
        self.rest()
        self._talk.clear()
        dialect, refusal = dialect_for(game), self.refusal(game, self._limits)
        if dialect is None or refusal:
            raise SeatFault(Termination.CRASH, f"can't play: {refusal}")
        self._dialect = dialect(game, seat, seed)

    def ask(self, state: State, history: Sequence[WireMove], budget: MoveBudget) -> SeatAnswer:
        """Request a move; raise `SeatFault` if none comes."""
        dialect = self._dialect
        if dialect is None:
            raise SeatFault(Termination.CRASH, "knows no match")
        allowed = int(budget.allowed_s * 1e9)
        if not self._has_begun:
            self._has_begun = True
            request = dialect.begin(state, budget)
            # Nobody waits for this answer: a server that has failed fails with the move, too.
            with suppress(ServerLate, SeatFault):
                self._ask(request, time.monotonic_ns() + allowed, is_json=False)
        request = dialect.question(state, budget)
        begin = time.monotonic_ns()
        try:
            answer = self._ask(request, begin + allowed)
        except ServerLate:
            wall = time.monotonic_ns() - begin
            raise SeatFault(
                Termination.TIME_FORFEIT,
                f"had not answered after {wall / 1e9:.3f} s; allowed: {budget.allowed_text}",
                in_ticks(wall),
            ) from None
        wall = in_ticks(time.monotonic_ns() - begin)
        wire = dialect.move_of(answer)
        if wire is None:
            told = f"answered no move: {brief(self._talk[-1])}"
            raise SeatFault(Termination.ILLEGAL_MOVE, told)
        limit_s = budget.limit_s
        over = 0 if limit_s is None else max(0, in_ticks(wall - int(limit_s * 1e9)))
        remark = dialect.remark_of(answer)[:TEXT_MAX]
        return SeatAnswer(wire, wall, None, over, ReportRecord(text=remark) if remark else None)

    def rest(self) -> None:
        """Tell the server that the match is over."""
        if self._dialect is not None and self._has_begun:
            end = time.monotonic_ns() + int(END_S * 1e9)
            with suppress(ServerLate, SeatFault):
                self._ask(self._dialect.end(), end, is_json=False)
        self._dialect, self._has_begun = None, False
        if not self._is_up:
            self._server.close()

    def stop(self) -> None:
        """End the connection."""
        self._server.close()
        self._is_up = False

    def _ask(self, request: Request, end: int, *, is_json: bool = True) -> dict[str, Any]:
        """Return the object that answers a request, {} unless it `is_json`.

        Raises `ServerLate` at `end`, and `SeatFault`.
        """
        self._tell(f"> {request} {(request.body or b'').decode()}".rstrip())
        try:
            body = self._server.ask(request, end)
        except ServerFailed as failed:
            self._tell(f"! {failed}")
            raise SeatFault(Termination.CRASH, str(failed)) from None
        except ServerLate:
            self._tell("! no answer in time")
            raise
        self._tell(f"< {body[:TOLD_BYTES].decode('utf-8', 'replace').strip()}")
        if not is_json:
            return {}
        try:
            answer = json.loads(body)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            told = f"answered {request} with no object of JSON: {brief(self._talk[-1][2:])}"
            raise SeatFault(Termination.ILLEGAL_MOVE, told)
        return answer

    def _tell(self, line: str) -> None:
        self._talk.append(line[:TOLD_BYTES])


SEAT = HttpSeat
