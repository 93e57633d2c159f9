"""Shortcuts past python-chess for ordinary positions and moves.

Each gives the answer of python-chess, or None if only python-chess can tell. They assume one king a
side. A move is an int, as in `games.chess.rules`.
"""

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import chess

_Ways = tuple[tuple[int, int], ...]

_STRAIGHT_WAYS = ((1, 0), (0, 1), (-1, 0), (0, -1))
_DIAGONAL_WAYS = ((1, 1), (-1, 1), (-1, -1), (1, -1))
_LEAPS = ((1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1))


def _way(square: int, file: int, rank: int) -> Iterator[int]:
    """Yield the squares up to the edge, in steps of so many files and ranks."""
    at_file, at_rank = square % 8 + file, square // 8 + rank
    while 0 <= at_file < 8 and 0 <= at_rank < 8:
        yield at_rank * 8 + at_file
        at_file, at_rank = at_file + file, at_rank + rank


def _reached(ways: _Ways, far: int = 7) -> list[int]:
    """Return, by square, the set of squares at most `far` steps away in these directions."""
    return [
        sum(1 << each for way in ways for each in islice(_way(square, *way), far))
        for square in range(64)
    ]


def _behind(square: int) -> dict[int, int]:
    """Return, for each square in line with `square`, the set of those beyond it."""
    return {
        each: sum(1 << further for further in line[index + 1 :])
        for line in (list(_way(square, *way)) for way in _STRAIGHT_WAYS + _DIAGONAL_WAYS)
        for index, each in enumerate(line)
    }


_STRAIGHT = _reached(_STRAIGHT_WAYS)
_DIAGONAL = _reached(_DIAGONAL_WAYS)
_KNIGHT = _reached(_LEAPS, 1)
_KING = _reached(_STRAIGHT_WAYS + _DIAGONAL_WAYS, 1)
_PAWN = (_reached(((-1, -1), (1, -1)), 1), _reached(((-1, 1), (1, 1)), 1))
"""The squares that a pawn attacks: Black's, then White's."""

_BEHIND = [_behind(square) for square in range(64)]

SQUARES = [f"{file}{rank}" for rank in range(1, 9) for file in "abcdefgh"]
_LETTERS = "  NBRQ"
"""The letters of pieces by their numbers."""

_new = object.__new__

_LAST_RANKS = 0xFF000000000000FF
_FIRST_RANK, _EIGHTH_RANK = 0xFF, 0xFF << 56
_PROMOTED = (2, 3, 4, 5)
_UNPROMOTED = (0,)
_DOUBLE = (16, -16)


def is_check(board: "chess.Board") -> bool:
    """Whether the side to move is in check; always known."""
    turn = board.turn
    king = (board.kings & board.occupied_co[turn]).bit_length() - 1
    theirs = board.occupied_co[not turn]
    near = board.knights & _KNIGHT[king] | board.pawns & _PAWN[turn][king]
    if near & theirs:
        return True
    far = (board.rooks | board.queens) & _STRAIGHT[king] | (
        board.bishops | board.queens
    ) & _DIAGONAL[king]
    return bool(far & theirs and board.attackers_mask(not turn, king))


def has_move(board: "chess.Board") -> bool | None:
    """Whether there is a legal move when not in check; never False.

    A piece on no line with its king can't be pinned: any of its moves is legal.
    """
    turn = board.turn
    own = board.occupied_co[turn]
    king = (board.kings & own).bit_length() - 1
    free = own & ~(_STRAIGHT[king] | _DIAGONAL[king])
    pawns = free & board.pawns
    if (pawns << 8 if turn else pawns >> 8) & ~board.occupied:
        return True
    pieces = free & ~board.pawns & ~board.kings
    while pieces:
        square = pieces.bit_length() - 1
        if board.attacks_mask(square) & ~own:
            return True
        pieces ^= 1 << square
    steps = _KING[king] & ~own
    while steps:
        square = steps.bit_length() - 1
        if not board.attackers_mask(not turn, square):
            return True
        steps ^= 1 << square
    return None


def is_legal(board: "chess.Board", move: int) -> bool | None:
    """Whether `move` is legal, not in check; None for castling, en passant and possible pins."""
    turn = board.turn
    own, theirs = board.occupied_co[turn], board.occupied_co[not turn]
    origin, target, promoted = move & 63, move >> 6 & 63, move >> 12
    start, end = 1 << origin, 1 << target
    if not own & start:
        return False
    if own & end:
        # In Chess960 the king castles onto its rook.
        return None if board.chess960 else False
    if board.pawns & start:
        if promoted not in (_PROMOTED if end & _LAST_RANKS else _UNPROMOTED):
            return False
        if _PAWN[turn][origin] & end:
            if not theirs & end:
                return None if target == board.ep_square else False
        elif not _is_pushed(board, origin, target):
            return False
    elif promoted:
        return False
    elif board.kings & start:
        if not _KING[origin] & end:
            return None
        return not board.attackers_mask(not turn, target)
    elif not board.attacks_mask(origin) & end:
        return False
    behind = _BEHIND[(board.kings & own).bit_length() - 1].get(origin, 0)
    return None if behind & theirs & (board.bishops | board.rooks | board.queens) else True


def _is_pushed(board: "chess.Board", origin: int, target: int) -> bool:
    """Whether a pawn can advance straight from `origin` to `target`."""
    ahead, first = (8, 1) if board.turn else (-8, 6)
    if board.occupied >> target & 1:
        return False
    return target - origin == ahead or (
        target - origin == 2 * ahead
        and origin >> 3 == first
        and not board.occupied >> (origin + ahead) & 1
    )


def played(old: "chess.Board", move: int) -> "chess.Board | None":
    """Return a copy after a legal `move`; None for castling, promotions and en passant."""
    turn = old.turn
    origin, target = move & 63, move >> 6 & 63
    start, end = 1 << origin, 1 << target
    pawns, theirs = old.pawns, old.occupied_co[not turn]
    if move >> 12 or (target == old.ep_square and pawns & start):
        return None
    rights = old.castling_rights & ~(start | end)
    if old.kings & start:
        if not _KING[origin] & end or old.occupied_co[turn] & end:
            return None
        rights &= _EIGHTH_RANK if turn else _FIRST_RANK
    # A copy of python-chess empties a new board first, which takes most of its time.
    board = _new(type(old))
    both = start | end
    # One line for the moving and the captured piece, which may be of the same kind.
    board.pawns = pawns & ~both | (end if pawns & start else 0)
    board.knights = old.knights & ~both | (end if old.knights & start else 0)
    board.bishops = old.bishops & ~both | (end if old.bishops & start else 0)
    board.rooks = old.rooks & ~both | (end if old.rooks & start else 0)
    board.queens = old.queens & ~both | (end if old.queens & start else 0)
    board.kings = old.kings ^ both if old.kings & start else old.kings
    board.promoted = old.promoted & ~both | (end if old.promoted & start else 0)
    own, left = old.occupied_co[turn] ^ both, theirs & ~end
    board.occupied_co = [left, own] if turn else [own, left]
    board.occupied = own | left
    board.castling_rights = rights
    is_double = pawns & start and target - origin in _DOUBLE
    board.ep_square = (origin + target) // 2 if is_double else None
    board.halfmove_clock = 0 if (pawns & start or theirs & end) else old.halfmove_clock + 1
    board.fullmove_number = old.fullmove_number + (not turn)
    board.turn = not turn
    board.chess960 = old.chess960
    board.move_stack, board._stack = [], []
    return board


def written(board: "chess.Board", move: int) -> str | None:
    """Write a legal `move` in algebraic notation, without the sign of a check.

    None for castling and where another piece of its kind attacks the target.
    """
    origin, target, promoted = move & 63, move >> 6 & 63, move >> 12
    start, end, turn = 1 << origin, 1 << target, board.turn
    name = SQUARES[target]
    if board.pawns & start:
        way = f"{SQUARES[origin][0]}x{name}" if (target - origin) & 7 else name
        return f"{way}={_LETTERS[promoted]}" if promoted else way
    own = board.occupied_co[turn]
    if board.kings & start:
        if not _KING[origin] & end or own & end:
            return None
        rivals, letter = 0, "K"
    elif board.knights & start:
        rivals, letter = board.knights & _KNIGHT[target], "N"
    elif board.bishops & start:
        rivals, letter = board.bishops & _DIAGONAL[target], "B"
    elif board.rooks & start:
        rivals, letter = board.rooks & _STRAIGHT[target], "R"
    else:
        rivals, letter = board.queens & (_STRAIGHT[target] | _DIAGONAL[target]), "Q"
    rivals &= own & ~start
    if rivals and rivals & board.attackers_mask(turn, target):
        return None
    return f"{letter}x{name}" if board.occupied & end else letter + name
