"""A bot that leaves a row which is its own mirror image, where it can."""

from dataclasses import dataclass

from bots.support.bot import Bot


@dataclass
class Mirror(Bot):
    """Bowls the middle first, and then answers each move with its mirror image."""

    def choose(self, state, clock):
        moves = state.legal_moves()
        mirrored = [move for move in moves if _is_mirrored(state.play(move).pins)]
        return (mirrored or moves)[0]


def _is_mirrored(pins):
    return pins == pins[::-1]
