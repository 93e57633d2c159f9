"""Looks one ply ahead."""

from dataclasses import dataclass

from bots import minimax
from bots.search import Result
from bots.searcher import Asked, SearchBot
from games.contract import Game, State


@dataclass
class Greedy(SearchBot):
    """Takes the move whose position is worth most."""

    def plies(self, game: Game) -> int | None:
        """Return 1."""
        return 1

    def find(self, state: State, asked: Asked) -> Result:
        """Compare the positions after each move."""
        return minimax.search(state, **asked)


BOT = Greedy
