"""Paranoid: with many seats, all opponents count as one side that minimises.

Source: N. Sturtevant and R. Korf, On Pruning Techniques for Multi-Player Games (2000). Seats of the
mover's side maximise; all others share one bound, so that alpha-beta cuts across them as with two
sides.
"""

from dataclasses import dataclass

from bots.alphabeta import AlphaBeta
from games.support.game import Game
from games.support.options import option


@dataclass
class Paranoid(AlphaBeta):
    """Alpha-beta against all other sides at once; its depth is in rounds of all seats."""

    depth: int | None = option(None, help="plies to search instead of rounds", low=1)
    rounds: int | None = option(
        None, help="rounds to search, every seat once; one where no depth is given either", low=1
    )

    def plies(self, game: Game) -> int | None:
        """Return one round's plies if neither depth nor rounds is given."""
        return super().plies(game) or game.seats


BOT = Paranoid
