"""The messages of JSON lines as requests to `/hello`, `/match` and `/move`, for every game."""

from collections.abc import Mapping, Sequence
from typing import Any

from games.support.game import Game, State
from games.support.moves import WireMove
from league.model.records import ReportRecord
from league.seats.json_lines import JsonLines, move_of, report_on_move, write
from league.seats.seat import MoveBudget
from league.seats.server.connection import Request
from league.seats.server.dialect import Dialect


class JsonLinesDialect(Dialect):
    """Each message is the body of a request to its own path."""

    def __init__(self, options: Mapping[str, str]) -> None:
        super().__init__(options)
        self._lines = JsonLines(options)
        self._match = ""

    def greeting(self) -> Request:
        """Return `POST /hello`."""
        return _post(self._lines.hello())

    def greeted(self, answer: Mapping[str, Any]) -> str:
        """Keep which fields the server wants; raise `SeatFault` for another version."""
        self._lines.greeted(answer)
        author = answer.get("author")
        return author if isinstance(author, str) else ""

    def new_match(self, game: Game, seat: int, seed: int) -> Request:
        """Return `POST /match`."""
        self._lines.set_up(game, seat, seed)
        # A server may sit in several seats at the same time, and must not take one for another.
        self._match = f"{seed:016x}"
        return _post({**self._lines.match(), "match": self._match})

    def question(self, state: State, history: Sequence[WireMove], budget: MoveBudget) -> Request:
        """Return `POST /move`."""
        return _post({**self._lines.move(state, history, budget), "match": self._match})

    def move_of(self, answer: Mapping[str, Any], body: str) -> WireMove:
        """Return the `move`; raise `SeatFault` for none, or a resignation."""
        return move_of(answer, body)

    def report_on(self, state: State, answer: Mapping[str, Any]) -> ReportRecord | None:
        """Return the `report`."""
        return report_on_move(state, answer)


def _post(message: Mapping[str, object]) -> Request:
    return Request("POST", str(message["type"]), write(message).encode())


DIALECT = JsonLinesDialect
