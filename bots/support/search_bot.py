"""Base classes of searching bots: depth, evaluation, and tie-breaking."""

import random
from dataclasses import dataclass, field

from bots.support.bot import Bot, Clock, needs_positions
from bots.support.search import ORDERS, TIES, SearchRequest, SearchResult
from games.support.game import Evaluation, Game, Move, State
from games.support.options import option


@dataclass
class SearchBot(Bot):
    """Base class of bots that search: override `find`."""

    evaluate: str = option("", help="evaluation by name; the game's first when empty")
    ties: str = option("first", help="which of equal moves is taken", choices=TIES)
    _source: random.Random = field(
        default_factory=lambda: random.Random(0), init=False, repr=False, compare=False
    )

    @classmethod
    def refusal(cls, game: Game) -> str:
        """Refuse games with secrets."""
        return needs_positions(cls.__name__.lower(), game)

    @property
    def is_deterministic(self) -> bool:
        """Whether ties are not broken randomly."""
        return self.ties != "random"

    @property
    def prepares(self) -> bool:
        """Whether a class made from this one overrides `new_match`."""
        return type(self).new_match is not SearchBot.new_match

    def new_match(self, game: Game, seat: int, seed: int) -> None:
        """Reseed the tie-breaking."""
        self._source = random.Random(seed)

    def evaluation(self, game: Game) -> Evaluation:
        """Return the evaluation; raise `UnknownNameError` if the game has none of that name."""
        return game.evaluation(self.evaluate)

    def plies(self, game: Game) -> int | None:
        """Return the depth to search; None is to the end, or until the clock's limits."""
        return None

    def choose(self, state: State, clock: Clock) -> Move:
        """Search the position."""
        evaluation = self.evaluation(state.game)
        shuffle = self._source if self.ties == "random" else None
        asked = SearchRequest(
            depth=self.plies(state.game), evaluation=evaluation, clock=clock, shuffle=shuffle
        )
        found = self.find(state, asked)
        self.report = found.report(evaluation, state.game)
        return found.move

    def find(self, state: State, asked: SearchRequest) -> SearchResult:
        """Search `state` as asked."""
        raise NotImplementedError(f"{type(self).__name__} does not override find")


@dataclass
class DepthBot(SearchBot):
    """Base class of bots that search to a depth."""

    depth: int | None = option(None, help="plies to search; none is to the end", low=1)
    rounds: int | None = option(
        None, help="rounds to search, every seat once, instead of plies", low=1
    )

    def plies(self, game: Game) -> int | None:
        """Return `rounds` times the number of seats if given, else `depth`."""
        return self.depth if self.rounds is None else self.rounds * game.seats


@dataclass
class OrderedBot(DepthBot):
    """Base class of bots whose speed depends on move order."""

    order: str = option("given", help="how moves are sorted", choices=ORDERS)
