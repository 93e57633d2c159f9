"""Evaluations of chess positions: material, piece-square tables, numbers of pieces.

Squares are numbered from 0 (a1) rank by rank to 63 (h8); sets of them are bitboards.
"""

from typing import Protocol

from games.support.game import Evaluation
from games.support.memo import Memo

MATERIAL = (100, 320, 330, 500, 900, 0)
"""The values of pawn, knight, bishop, rook, queen and king (which neither side ever lacks)."""

# fmt: off
# From White's view, a8 first, h1 last. Source of these and of the values above: Tomasz Michniewski,
# Simplified Evaluation Function, in the Chess Programming Wiki.
_PAWN = (
      0,   0,   0,   0,   0,   0,   0,   0,
     50,  50,  50,  50,  50,  50,  50,  50,
     10,  10,  20,  30,  30,  20,  10,  10,
      5,   5,  10,  25,  25,  10,   5,   5,
      0,   0,   0,  20,  20,   0,   0,   0,
      5,  -5, -10,   0,   0, -10,  -5,   5,
      5,  10,  10, -20, -20,  10,  10,   5,
      0,   0,   0,   0,   0,   0,   0,   0,
)
_KNIGHT = (
    -50, -40, -30, -30, -30, -30, -40, -50,
    -40, -20,   0,   0,   0,   0, -20, -40,
    -30,   0,  10,  15,  15,  10,   0, -30,
    -30,   5,  15,  20,  20,  15,   5, -30,
    -30,   0,  15,  20,  20,  15,   0, -30,
    -30,   5,  10,  15,  15,  10,   5, -30,
    -40, -20,   0,   5,   5,   0, -20, -40,
    -50, -40, -30, -30, -30, -30, -40, -50,
)
_BISHOP = (
    -20, -10, -10, -10, -10, -10, -10, -20,
    -10,   0,   0,   0,   0,   0,   0, -10,
    -10,   0,   5,  10,  10,   5,   0, -10,
    -10,   5,   5,  10,  10,   5,   5, -10,
    -10,   0,  10,  10,  10,  10,   0, -10,
    -10,  10,  10,  10,  10,  10,  10, -10,
    -10,   5,   0,   0,   0,   0,   5, -10,
    -20, -10, -10, -10, -10, -10, -10, -20,
)
_ROOK = (
      0,   0,   0,   0,   0,   0,   0,   0,
      5,  10,  10,  10,  10,  10,  10,   5,
     -5,   0,   0,   0,   0,   0,   0,  -5,
     -5,   0,   0,   0,   0,   0,   0,  -5,
     -5,   0,   0,   0,   0,   0,   0,  -5,
     -5,   0,   0,   0,   0,   0,   0,  -5,
     -5,   0,   0,   0,   0,   0,   0,  -5,
      0,   0,   0,   5,   5,   0,   0,   0,
)
_QUEEN = (
    -20, -10, -10,  -5,  -5, -10, -10, -20,
    -10,   0,   0,   0,   0,   0,   0, -10,
    -10,   0,   5,   5,   5,   5,   0, -10,
     -5,   0,   5,   5,   5,   5,   0,  -5,
      0,   0,   5,   5,   5,   5,   0,  -5,
    -10,   5,   5,   5,   5,   5,   0, -10,
    -10,   0,   5,   0,   0,   0,   0, -10,
    -20, -10, -10,  -5,  -5, -10, -10, -20,
)
_KING = (
    -30, -40, -40, -50, -50, -40, -40, -30,
    -30, -40, -40, -50, -50, -40, -40, -30,
    -30, -40, -40, -50, -50, -40, -40, -30,
    -30, -40, -40, -50, -50, -40, -40, -30,
    -20, -30, -30, -40, -40, -30, -30, -20,
    -10, -20, -20, -20, -20, -20, -20, -10,
     20,  20,   0,   0,   0,   0,  20,  20,
     20,  30,  10,   0,   0,  10,  30,  20,
)
_KING_LATE = (
    -50, -40, -30, -20, -20, -30, -40, -50,
    -30, -20, -10,   0,   0, -10, -20, -30,
    -30, -10,  20,  30,  30,  20, -10, -30,
    -30, -10,  30,  40,  40,  30, -10, -30,
    -30, -10,  30,  40,  40,  30, -10, -30,
    -30, -10,  20,  30,  30,  20, -10, -30,
    -30, -30,   0,   0,   0,   0, -30, -30,
    -50, -30, -30, -30, -30, -30, -30, -50,
)
# fmt: on


class ChessBoard(Protocol):
    """The bitboards that the evaluations read; `occupied_co` is Black's squares, then White's."""

    pawns: int
    knights: int
    bishops: int
    rooks: int
    queens: int
    kings: int
    occupied_co: list[int]


class EvaluatedPosition(Protocol):
    """A position that can be evaluated."""

    board: ChessBoard


def _worths(table: tuple[int, ...], each: int, *, is_white: bool) -> Memo[int, int]:
    """Return the value of one seat's pieces of one kind, memoised by their squares.

    A search meets few sets of squares, each of them often: a look-up takes a tenth of the time of a
    sum.
    """
    # The table's first rank is the eighth, so White's squares are flipped.
    turned = 56 if is_white else 0
    sign = 1 if is_white else -1
    worths = tuple(sign * (each + table[square ^ turned]) for square in range(64))
    return Memo(lambda squares: sum(worths[n] for n in range(64) if squares >> n & 1))


_TABLES = (_PAWN, _KNIGHT, _BISHOP, _ROOK, _QUEEN, _KING)
_WHITE = [_worths(t, m, is_white=True) for t, m in zip(_TABLES, MATERIAL, strict=True)]
_BLACK = [_worths(t, m, is_white=False) for t, m in zip(_TABLES, MATERIAL, strict=True)]
_WHITE_KING_LATE = _worths(_KING_LATE, 0, is_white=True)
_BLACK_KING_LATE = _worths(_KING_LATE, 0, is_white=False)


def is_late(board: ChessBoard) -> bool:
    """Whether each seat with a queen has at most one knight or bishop beside it.

    Then the king leaves its shelter. Source: as for the tables.
    """
    if not board.queens:
        return True
    pieces = board.knights | board.bishops | board.rooks | board.queens
    for own in board.occupied_co:
        if board.queens & own and (board.rooks & own or (pieces & own).bit_count() > 2):
            return False
    return True


def position(state: EvaluatedPosition, seat: int) -> int:
    """Sum the values of pieces and of their squares, less the other seat's."""
    board = state.board
    black, white = board.occupied_co
    pawns, knights, bishops = board.pawns, board.knights, board.bishops
    rooks, queens, kings = board.rooks, board.queens, board.kings
    worths = _WHITE
    total = (
        worths[0][pawns & white]
        + worths[1][knights & white]
        + worths[2][bishops & white]
        + worths[3][rooks & white]
        + worths[4][queens & white]
    )
    worths = _BLACK
    total += (
        worths[0][pawns & black]
        + worths[1][knights & black]
        + worths[2][bishops & black]
        + worths[3][rooks & black]
        + worths[4][queens & black]
    )
    if is_late(board):
        total += _WHITE_KING_LATE[kings & white] + _BLACK_KING_LATE[kings & black]
    else:
        total += _WHITE[5][kings & white] + worths[5][kings & black]
    return -total if seat else total


def material(state: EvaluatedPosition, seat: int) -> int:
    """Sum the values of the seat's pieces, less the other's."""
    board = state.board
    black, white = board.occupied_co
    kinds = (board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings)
    total = 0
    for worth, squares in zip(MATERIAL, kinds, strict=True):
        total += worth * ((squares & white).bit_count() - (squares & black).bit_count())
    return -total if seat else total


def pieces(state: EvaluatedPosition, seat: int) -> int:
    """Count the seat's pieces, pawns included, less the other's."""
    black, white = state.board.occupied_co
    total = white.bit_count() - black.bit_count()
    return -total if seat else total


# Fifteen queens and a king on their best squares against a lone king on its worst.
_MOST = 15 * (900 + 5) + 40 + 50

_LIKELY = 270
"""The lead that wins about 73 of 100 games between people (lichess.org, "Accuracy")."""

EVALUATIONS = (
    Evaluation(
        "position",
        "what pieces are worth, with what they gain or lose by where they stand",
        position,
        -_MOST,
        _MOST,
        100_000,
        likely=_LIKELY,
    ),
    Evaluation(
        "material",
        "what pieces are worth: 100, 320, 330, 500, 900",
        material,
        -15 * 900,
        15 * 900,
        100_000,
        likely=_LIKELY,
    ),
    Evaluation("pieces", "pieces, pawns too, less the other's", pieces, -15, 15, 1000, 2),
)
