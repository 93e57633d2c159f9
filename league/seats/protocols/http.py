"""Web servers: `http://HOST:PORT` is a bot; see docs/reference/protocols.md."""

import json
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from games.support.game import Game, State
from games.support.moves import WireMove
from league.model.records import BotVersion, Limits, Termination, in_ticks
from league.seats.bot_seat import BotKind, ElsewhereSeat
from league.seats.json_lines import nonsense
from league.seats.process.environment import NO_ENVIRONMENT, BotEnvironment
from league.seats.seat import MoveBudget, SeatAnswer, SeatFault
from league.seats.server.address import address_of
from league.seats.server.connection import Request, ServerConnection, ServerFailed, ServerLate
from league.seats.server.dialect import DIALECTS, Dialect
from league.seats.server.options import ServerOptions

TOLD_BYTES = 1000
"""Size limit of each of these lines."""

END_S = 1.0
"""Longest time for a server to take note that a match is over."""

TRIED = ("battlesnake", "json_lines")
"""The dialects in which a server is greeted, in this order, unless its options name one."""


class HttpSeat(ElsewhereSeat):
    """A bot that is a web server somewhere: there is nothing to start, to isolate or to suspend.

    Its dialect says what is asked. Its time is that of each request, with all that the network
    takes.
    """

    kind = BotKind.SERVER

    def __init__(
        self, version: BotVersion, limits: Limits, environment: BotEnvironment = NO_ENVIRONMENT
    ) -> None:
        super().__init__(version, limits, environment)
        self._options = ServerOptions.read(version.options)
        url = address_of(version.spec)
        self._server = ServerConnection(url, only_public=self._options.is_public)
        self._is_up = self._has_begun = False
        self._dialect: Dialect | None = None
        self._match: tuple[Game, int, int] | None = None
        self._final: State | None = None

    def start(self) -> int:
        """Greet the server unless it has answered before; raise `SeatFault`."""
        if self._is_up:
            return 0
        self._talk.clear()
        self._server.secret = self._options.secret()
        begin = time.monotonic_ns()
        end = self._start_end()
        if self._dialect is not None:
            self._greet(self._dialect, end)
        elif self._options.dialect:
            self._dialect = self._spoken(self._options.dialect, end)
        else:
            self._dialect = self._found(end)
        self._is_up = True
        return time.monotonic_ns() - begin

    def _found(self, end: int) -> Dialect:
        """Return the first dialect that the server speaks; raise `SeatFault` for none."""
        *others, last = TRIED
        for name in others:
            try:
                return self._spoken(name, end)
            except SeatFault as fault:
                if fault.termination is Termination.TIME_FORFEIT:
                    raise
        return self._spoken(last, end)

    def _spoken(self, name: str, end: int) -> Dialect:
        """Return the dialect of that name if the server speaks it; raise `SeatFault` if not."""
        dialect = DIALECTS.find(name)(self._options.others)
        self._greet(dialect, end)
        return dialect

    def _greet(self, dialect: Dialect, end: int) -> None:
        self.keep_identity(author=dialect.greeted(self._prepare(dialect.greeting(), end)))

    def new_match(self, game: Game, seat: int, seed: int, opening: Sequence[WireMove]) -> None:
        """Announce a new match, or again one that goes on after a fault; raise `SeatFault`."""
        dialect = self._dialect
        if dialect is None:
            raise SeatFault(Termination.CRASH, "has not answered yet")
        if self._match != (game, seat, seed):
            self.rest()
            self._talk.clear()
        if refusal := dialect.refusal(game):
            raise SeatFault(Termination.CRASH, f"can't play: {refusal}")
        self._match = (game, seat, seed)
        if request := dialect.new_match(game, seat, seed):
            self._prepare(request, self._start_end())

    def ask(self, state: State, history: Sequence[WireMove], budget: MoveBudget) -> SeatAnswer:
        """Request a move; raise `SeatFault` if none comes."""
        dialect = self._dialect
        if dialect is None or self._match is None:
            raise SeatFault(Termination.CRASH, "knows no match")
        allowed = int(budget.allowed_s * 1e9)
        if not self._has_begun:
            self._has_begun = True
            # A server that has failed fails with the move, too.
            self._tell_of(dialect.begin(state, budget), time.monotonic_ns() + allowed)
        request = dialect.question(state, history, budget)
        begin = time.monotonic_ns()
        try:
            body = self._ask(request, begin + allowed)
        except ServerLate:
            wall = time.monotonic_ns() - begin
            raise SeatFault(
                Termination.TIME_FORFEIT,
                f"had not answered after {wall / 1e9:.3f} s; allowed: {budget.allowed_text}",
                in_ticks(wall),
            ) from None
        wall = in_ticks(time.monotonic_ns() - begin)
        answer = _object_in(request, body)
        wire = dialect.move_of(answer, _text(body))
        limit_s = budget.limit_s
        over = 0 if limit_s is None else max(0, in_ticks(wall - int(limit_s * 1e9)))
        return SeatAnswer(wire, wall, None, over, dialect.report_on(state, answer))

    def see_end(self, state: State) -> None:
        """Keep the last position of the match, to tell the server with its end."""
        self._final = state

    def rest(self) -> None:
        """Tell the server that the match is over."""
        if self._dialect is not None and self._has_begun:
            end = time.monotonic_ns() + int(END_S * 1e9)
            self._tell_of(self._dialect.end(self._final), end)
        self._match, self._final, self._has_begun = None, None, False
        if not self._is_up:
            self._server.close()

    def stop(self) -> None:
        """End the connection."""
        self._server.close()
        self._is_up = False

    def _start_end(self) -> int:
        return time.monotonic_ns() + int(self.start_limit_s(self._limits) * 1e9)

    def _prepare(self, request: Request, end: int) -> dict[str, Any]:
        """Return the answer to a request before the moves; raise `SeatFault`."""
        try:
            return _object_in(request, self._ask(request, end))
        except ServerLate:
            text = f"did not answer {request} within {self._start_limit}"
            raise SeatFault(Termination.TIME_FORFEIT, text) from None

    def _tell_of(self, request: Request | None, end: int) -> None:
        """Make a request whose answer does not matter."""
        if request is not None:
            with suppress(ServerLate, SeatFault):
                self._ask(request, end)

    def _ask(self, request: Request, end: int) -> bytes:
        """Return the answer to a request; raise `ServerLate` at `end`, and `SeatFault`."""
        self._tell(f"> {request} {(request.body or b'').decode()}".rstrip())
        try:
            body = self._server.ask(request, end)
        except ServerFailed as failed:
            self._tell(f"! {failed}")
            raise SeatFault(Termination.CRASH, str(failed)) from None
        except ServerLate:
            self._tell("! no answer in time")
            raise
        self._tell(f"< {_text(body)}")
        return body

    def _tell(self, line: str) -> None:
        self._talk.append(line[:TOLD_BYTES])


def _text(body: bytes) -> str:
    """Return the beginning of an answer."""
    return body[:TOLD_BYTES].decode("utf-8", "replace").strip()


def _object_in(request: Request, body: bytes) -> dict[str, Any]:
    """Return the object of JSON that an answer is; raise `SeatFault` if it is none."""
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, dict):
        text = _text(body)
        is_page = text.startswith("<")
        kind = "a web page, so look at the address" if is_page else "no object of JSON"
        raise nonsense(f"answered {request} with {kind}", text)
    return answer


SEAT = HttpSeat
