"""Looks one ply ahead."""

from dataclasses import dataclass

from bots import minimax
from bots.contract import Bot, Clock
from games.contract import Move, State
from games.options import option


@dataclass
class Greedy(Bot):
    """Takes the move whose position is worth most; of equal ones the first."""

    evaluate: str = option("", help="evaluation by name; the game's first when empty")

    def choose(self, state: State, clock: Clock) -> Move:
        """Compare the positions after each move."""
        evaluation = state.game.evaluation(self.evaluate)
        found = minimax.search(state, depth=1, evaluation=evaluation, clock=clock)
        self.report = found.report(evaluation, state.game)
        return found.move


BOT = Greedy
