"""Looks one ply ahead."""

from dataclasses import dataclass

from bots import minimax
from bots.contract import Clock
from bots.search import Result, Shuffle
from bots.searcher import SearchBot
from games.contract import Evaluation, State


@dataclass
class Greedy(SearchBot):
    """Takes the move whose position is worth most."""

    def find(
        self,
        state: State,
        depth: int | None,
        evaluation: Evaluation,
        clock: Clock,
        shuffle: Shuffle,
    ) -> Result:
        """Compare the positions after each move."""
        return minimax.search(state, depth=1, evaluation=evaluation, clock=clock, shuffle=shuffle)


BOT = Greedy
