"""A harmless bot that thinks for two seconds about its first move of a match."""

import time

from bots import Bot, Clock
from games import Game, State


class Slow(Bot):
    """Wait once, then move."""

    def new_match(self, game: Game, seat: int, seed: int) -> None:
        """Begin."""
        self.pause_s = 2.0

    def choose(self, state: State, clock: Clock) -> object:
        """Play the first legal move."""
        time.sleep(self.pause_s)
        self.pause_s = 0.0
        return state.legal_moves()[0]
