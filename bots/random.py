"""Random: plays any legal move."""

import random
from collections.abc import Sequence

from bots.support.bot import Bot, Clock
from games.support.game import Game, Move, State


class Random(Bot):
    """Draws uniformly from the legal moves, by the seed of the match."""

    def __init__(self) -> None:
        self._source = random.Random(0)

    @property
    def prepares(self) -> bool:
        """Whether a class made from this one overrides `new_match`."""
        return type(self).new_match is not Random.new_match

    def new_match(self, game: Game, seat: int, seed: int) -> None:
        """Reseed the random source."""
        self._source = random.Random(seed)

    def policy(self, state: State) -> Sequence[float]:
        """Return the same for each move."""
        moves = state.legal_moves()
        return [1 / len(moves)] * len(moves)

    def choose(self, state: State, clock: Clock) -> Move:
        """Draw a move."""
        return self._source.choice(state.legal_moves())


BOT = Random
