"""The contract of dialects: what is said of a match to a bot that is a web server."""

from abc import ABC, abstractmethod
from typing import Any, ClassVar

from games.support.catalogue import Catalogue, subclass_of
from games.support.game import Game, State
from games.support.moves import WireMove
from league.model.records import Limits
from league.seats.seat import MoveBudget
from league.seats.server.connection import Request


class Dialect(ABC):
    """A match as it is told to a server; each way to tell one is a subclass.

    `seed` is the bot's own in this match: no other seat and no other match has it.
    """

    plays: ClassVar[str]
    """The name of its game."""

    def __init__(self, game: Game, seat: int, seed: int) -> None:
        self.game, self.seat, self.seed = game, seat, seed

    @classmethod
    def refusal(cls, game: Game, limits: Limits) -> str:
        """Return why a match can't be told under these options or `limits`; '' if it can."""
        return ""

    @abstractmethod
    def begin(self, state: State, budget: MoveBudget) -> Request:
        """Return the request that announces a match; `state` is the first that the seat sees."""

    @abstractmethod
    def question(self, state: State, budget: MoveBudget) -> Request:
        """Return the request for a move."""

    @abstractmethod
    def move_of(self, answer: dict[str, Any]) -> WireMove | None:
        """Return the move of an answer, legal or not; None if there is none in it."""

    def remark_of(self, answer: dict[str, Any]) -> str:
        """Return what the bot says of its move; '' for nothing."""
        return ""

    @abstractmethod
    def end(self) -> Request:
        """Return the request that says that the match is over."""


DIALECTS: Catalogue[type[Dialect]] = Catalogue(
    kind="dialect",
    package="league.seats.dialects",
    attribute="DIALECT",
    group="botleague.dialects",
    is_part=subclass_of(Dialect),
)


def dialect_for(game: Game) -> type[Dialect] | None:
    """Return the dialect of a game; None if there is none."""
    found = map(DIALECTS.find, DIALECTS.names())
    return next((each for each in found if each.plays == game.name), None)
