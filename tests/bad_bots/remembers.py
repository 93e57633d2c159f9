"""Plays one match as it should, and fails in the next that the same process plays."""

from bots import Clock
from games import Game, State


class Remembers:
    """Counts the matches of its process."""

    def __init__(self) -> None:
        self.matches = 0

    def new_match(self, game: Game, seat: int, seed: int) -> None:
        """Count one more."""
        self.matches += 1

    def choose(self, state: State, clock: Clock) -> object:
        """Play in the first match alone."""
        if self.matches > 1:
            raise RuntimeError("has played already")
        return state.legal_moves()[0]
