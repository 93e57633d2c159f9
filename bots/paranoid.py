"""Paranoid: of many seats, all others are taken for one side that minimises.

Source: N. Sturtevant and R. Korf, On Pruning Techniques for Multi-Player Games (2000). Seats that
win together with the mover maximise with it; all the rest share one bound, so that alpha-beta cuts
across them as it does across two sides.
"""

from dataclasses import dataclass

from bots.alphabeta import AlphaBeta
from games.options import option


@dataclass
class Paranoid(AlphaBeta):
    """Alpha-beta against all other sides at once; its depth is in rounds of all seats."""

    rounds: int | None = option(
        1, help="rounds to search, every seat once; none is by plies", low=1
    )


BOT = Paranoid
