"""Greedy: looks one ply ahead."""

from dataclasses import dataclass

from bots import minimax
from bots.support.search import SearchRequest, SearchResult
from bots.support.search_bot import SearchBot
from games.support.game import Game, State


@dataclass
class Greedy(SearchBot):
    """Takes the move whose position is worth most."""

    def plies(self, game: Game) -> int | None:
        """Return 1."""
        return 1

    def find(self, state: State, asked: SearchRequest) -> SearchResult:
        """Compare the positions after each move."""
        return minimax.search(state, **asked)


BOT = Greedy
