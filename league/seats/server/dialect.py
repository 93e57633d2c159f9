"""The contract of dialects: what is said of a match to a bot that is a web server."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from games.support.catalogue import Catalogue, subclass_of
from games.support.game import Game, State
from games.support.moves import WireMove
from league.model.records import ReportRecord
from league.seats.seat import MoveBudget
from league.seats.server.connection import Request


class Dialect(ABC):
    """The conversation with one server; each way to lead one is a subclass.

    `options` are the bot's own. Requests that may be None are not made then.
    """

    def __init__(self, options: Mapping[str, str]) -> None:
        self.options = options

    def refusal(self, game: Game) -> str:
        """Return why a game can't be told; '' if it can."""
        return ""

    @abstractmethod
    def greeting(self) -> Request:
        """Return the first request to a server."""

    @abstractmethod
    def greeted(self, answer: Mapping[str, Any]) -> str:
        """Return the author whom the answer to the greeting names, '' for none.

        Raises `SeatFault` for the answer of a server that does not speak the dialect.
        """

    @abstractmethod
    def new_match(self, game: Game, seat: int, seed: int) -> Request | None:
        """Keep a match, and return the request after which the server is ready for it.

        `seed` is the bot's own in this match: no other seat and no other match has it. A match that
        goes on after a fault is announced again.
        """

    def begin(self, state: State, budget: MoveBudget) -> Request | None:
        """Return the request before the first move, whose answer does not matter."""
        return None

    @abstractmethod
    def question(self, state: State, history: Sequence[WireMove], budget: MoveBudget) -> Request:
        """Return the request for a move after `history`."""

    @abstractmethod
    def move_of(self, answer: Mapping[str, Any], body: str) -> WireMove:
        """Return the move of an answer, legal or not; `body` is the answer as it came.

        Raises `SeatFault` if there is no move in it.
        """

    @abstractmethod
    def report_on(self, state: State, answer: Mapping[str, Any]) -> ReportRecord | None:
        """Return the report in an answer that has a move, None for none."""

    def end(self, final: State | None) -> Request | None:
        """Return the request that says that the match is over.

        `final` is the last position as the seat sees it, None if it is not known.
        """
        return None


DIALECTS: Catalogue[type[Dialect]] = Catalogue(
    kind="dialect",
    package="league.seats.dialects",
    attribute="DIALECT",
    group="botleague.dialects",
    is_part=subclass_of(Dialect),
)
