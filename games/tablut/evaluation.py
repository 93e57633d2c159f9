"""Evaluations of Tablut positions: pieces, the king's freedom, the siege around him.

The compiled evaluation uses the same weights.
"""

from typing import Protocol

from games.support.game import Evaluation
from games.tablut.board import BESIDE, CAMPS, CELLS, CROSS, OUTSIDE, THRONE, squares_of

WHITE_WORTH, BLACK_WORTH = 100, 55
"""The values of a white piece, other than the king, and of a black one."""

MOVE_WORTH, NEAR_WORTH = 4, 25
"""The values of each of the king's moves, and of each that prepares an escape."""

EXITS_WORTH = (0, 250, 900, 900, 900)
"""The value of the king's escapes, by their number: Black can't close two."""

BESIEGER_WORTH, RING_WORTH = 40, 8
"""The penalties for a black piece beside the king, and for one on the ring."""

RING = squares_of("b3 c2 g2 h3 b7 c8 g8 h7 c3 g3 c7 g7")
"""The squares from which Black closes the king's diagonals."""


class Rules(Protocol):
    """The rules that evaluations depend on."""

    @property
    def goals(self) -> int:
        """The squares where the king escapes."""


class TablutPosition(Protocol):
    """A position that can be evaluated."""

    white: int
    black: int
    king: int
    is_white: bool
    to_move: int

    @property
    def game(self) -> Rules:
        """The game with its rules."""


def siege(state: TablutPosition, seat: int) -> int:
    """Weigh pieces, the king's freedom and escapes, and the besiegers around him."""
    king = state.king
    walls = state.white | state.black | THRONE | CAMPS
    moves = OUTSIDE[king][CROSS[king] & walls]
    goals = state.game.goals
    exits = near = 0
    for move in moves:
        target = move % CELLS
        if 1 << target & goals:
            exits += 1
        elif any(1 << each % CELLS & goals for each in OUTSIDE[target][CROSS[target] & walls]):
            near += 1
    worth = WHITE_WORTH * state.white.bit_count() - BLACK_WORTH * state.black.bit_count()
    worth += MOVE_WORTH * len(moves) + NEAR_WORTH * near + EXITS_WORTH[exits]
    worth -= BESIEGER_WORTH * (BESIDE[king] & state.black).bit_count()
    worth -= RING_WORTH * (state.black & RING).bit_count()
    return worth if (seat == state.to_move) == state.is_white else -worth


def pieces(state: TablutPosition, seat: int) -> int:
    """Count two for each white piece and one for each black one."""
    worth = 2 * state.white.bit_count() - state.black.bit_count()
    return worth if (seat == state.to_move) == state.is_white else -worth


EVALUATIONS = (
    Evaluation(
        "siege", "pieces, the king's freedom, ways out and besiegers", siege, -2500, 2500, 100_000
    ),
    Evaluation("pieces", "two for a white piece, one for a black one", pieces, -16, 16, 1000),
)
