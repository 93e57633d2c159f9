"""Reports a megabyte with each move."""

from bots import Bot, Clock, Report
from games import State


class Talker(Bot):
    """Plays the first legal move."""

    def choose(self, state: State, clock: Clock) -> object:
        """Say too much about it."""
        moves = state.legal_moves()
        self.report = Report(text="x" * 1_000_000, pv=(moves[0],) * 1000)
        return moves[0]
