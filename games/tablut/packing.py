"""Tablut's positions in 64-bit words, for the compiled search.

A position is four words: the 64 lower squares of White's pieces; those of Black's; the 17 upper
squares of both, the king's square and whether White moves; the target of the last move with the
number of earlier positions that must not repeat.
"""

from typing import Any

from games.support.kernel import Packing
from games.tablut.board import CELLS

_WORD, _UPPER = 64, 17
_LOW = (1 << _WORD) - 1
_MOST_MOVES = 16 * 16
_NO_LIMIT = 1 << 20


def packing_of(goals: int, is_armed: bool, repetitions: int | None) -> Packing:
    """Return the packing under some rules."""
    limit = _NO_LIMIT if repetitions is None else repetitions
    return Packing(
        rules=(goals & _LOW, goals >> _WORD, int(is_armed), limit),
        width=4,
        most_moves=_MOST_MOVES,
        evaluations=("siege", "pieces"),
        pack=_pack,
        slots=CELLS * CELLS,
        identity_words=4,
        board_words=3,
    )


def _pack(state: Any) -> list[tuple[int, ...]]:
    """Return a row for each occurrence of an earlier position, then the position's own."""
    boards = [each >> 8 for each in state.seen]
    boards.remove(state.board())
    rows = [_row(board, 0) for board in boards]
    return [*rows, _row(state.board(), len(rows) << 8)]


def _row(board: int, last: int) -> tuple[int, ...]:
    pieces, king, side = board >> 8, board >> 1 & 127, board & 1
    white, black = pieces >> CELLS, pieces & (1 << CELLS) - 1
    rest = white >> _WORD | black >> _WORD << _UPPER | king << 2 * _UPPER
    return white & _LOW, black & _LOW, rest | side << 2 * _UPPER + 7, last
