"""Chess positions as FEN: fast writing, and reading with errors that name the wrong field.

Sources: the PGN standard, section 16.1, for the fields, and the Shredder-FEN extension for Chess960
for castling rights by file (`HAha`).
"""

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NoReturn

from games.support.errors import PositionError, brief

if TYPE_CHECKING:
    import chess

_FIELDS = (
    ("pieces", r".*", ""),
    ("side to move", r"[wb]", "w or b"),
    (
        "castling",
        r"-|[KQA-H]{0,2}[kqa-h]{0,2}",
        "- or some of KQkq, in Chess960 also the rooks' files",
    ),
    ("en passant", r"-|[a-h][36]", "- or the square that a pawn has just passed, such as e3"),
    ("fifty-move clock", r"[0-9]{1,4}", "a whole number from 0 to 9999"),
    ("move number", r"[0-9]{1,4}", "a whole number from 0 to 9999"),
)
"""Each field's name, its pattern, and the pattern in words."""

_FEWEST = 4
_FULL_RANK = 8
_GAPS = range(8, 1, -1)
_CORNERS = (("K", 1 << 7), ("Q", 1), ("k", 1 << 63), ("q", 1 << 56))


def write_fen(board: "chess.Board", has_passant: bool) -> str:
    """Write a position as `board.fen()` does, ten times as fast.

    The en passant square is named only if a capture there is legal: `has_passant`.
    """
    pieces = (board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings)
    sets = [each.to_bytes(8, "big") for each in (board.occupied_co[True], *pieces)]
    square = board.ep_square if has_passant else None
    return (
        f"{'/'.join(map(_rank, *sets))} {'w' if board.turn else 'b'} {_castling(board)} "
        f"{'-' if square is None else f'{chr(97 + square % 8)}{square // 8 + 1}'} "
        f"{board.halfmove_clock} {board.fullmove_number}"
    )


@lru_cache(1 << 14)
def _rank(*sets: int) -> str:
    """Write one rank; `sets` are its squares by bits, White's first, then those of each kind."""
    white, *kinds = sets
    signs = ["1"] * 8
    for sign, kind in zip("PNBRQK", kinds, strict=True):
        while kind:
            square = kind & -kind
            signs[square.bit_length() - 1] = sign if white & square else sign.lower()
            kind ^= square
    text = "".join(signs)
    for gap in _GAPS:
        text = text.replace("1" * gap, str(gap))
    return text


def _castling(board: "chess.Board") -> str:
    rights = board.castling_rights
    if not rights:
        return "-"
    if board.chess960:
        # Named by the rook's file if K or Q is ambiguous.
        return board.castling_xfen()
    return "".join(sign for sign, corner in _CORNERS if rights & corner)


def check_fields(fen: str) -> None:
    """Check the form of each field; raise `PositionError` at the first mismatch.

    The two last fields, the halfmove clock and the move number, may be left out.
    """
    fields = fen.split()
    if not _FEWEST <= len(fields) <= len(_FIELDS):
        names = ", ".join(name for name, _, _ in _FIELDS)
        raise PositionError(f"fen {brief(fen)}: expected 6 fields ({names}), got {len(fields)}")
    _check_pieces(fields[0])
    for number, (text, (_, pattern, expected)) in enumerate(zip(fields, _FIELDS, strict=False)):
        if not re.fullmatch(pattern, text):
            _refuse(number, text, f"expected {expected}")


def _check_pieces(text: str) -> None:
    ranks = text.split("/")
    if len(ranks) != _FULL_RANK:
        _refuse(0, text, f"expected 8 ranks from the 8th to the 1st, got {len(ranks)}")
    for index, rank in enumerate(ranks):
        where = f"rank {_FULL_RANK - index}, {brief(rank)}"
        if wrong := re.search(r"[^1-8pnbrqkPNBRQK]", rank):
            _refuse(0, text, f"{where}: expected pnbrqk, PNBRQK or 1 to 8, got {wrong[0]!r}")
        if re.search(r"[1-8]{2}", rank):
            _refuse(0, text, f"{where}: expected one number for squares side by side")
        squares = sum(int(sign) if sign in "12345678" else 1 for sign in rank)
        if squares != _FULL_RANK:
            _refuse(0, text, f"{where}: expected 8 squares, got {squares}")


def check_position(board: "chess.Board", fen: str) -> None:
    """Raise `PositionError` for a position that no match can reach.

    Checks only pieces, side to move, castling and en passant: it is not a full proof. A check that
    no last move can have given is accepted: the rules go on from it as from any other.
    """
    fields = fen.split()
    faults = {flag.name for flag in board.status()} - {"IMPOSSIBLE_CHECK"}
    for name, (number, expected) in _IMPOSSIBLE.items():
        if name in faults:
            _refuse(number, fields[number], expected)
    if faults:
        _refuse(0, fields[0], "no match can lead there")


_IMPOSSIBLE = {
    "EMPTY": (0, "expected a king of each colour, got an empty board"),
    "NO_WHITE_KING": (0, "expected one white king, got none"),
    "NO_BLACK_KING": (0, "expected one black king, got none"),
    "TOO_MANY_KINGS": (0, "expected one king of each colour"),
    "TOO_MANY_WHITE_PAWNS": (0, "expected at most 8 white pawns"),
    "TOO_MANY_BLACK_PAWNS": (0, "expected at most 8 black pawns"),
    "PAWNS_ON_BACKRANK": (0, "expected no pawn on the first or the last rank"),
    "TOO_MANY_WHITE_PIECES": (0, "expected at most 16 white pieces"),
    "TOO_MANY_BLACK_PIECES": (0, "expected at most 16 black pieces"),
    "TOO_MANY_CHECKERS": (0, "expected at most two pieces that give check"),
    "OPPOSITE_CHECK": (1, "expected the other side, as its king stands in check"),
    "BAD_CASTLING_RIGHTS": (
        2,
        "expected rights only where king and rook stand on their first squares"
        " (with chess960 on, any on one rank)",
    ),
    "INVALID_EP_SQUARE": (3, "expected an empty square that a pawn of the other side just passed"),
}


def _refuse(number: int, text: str, expected: str) -> NoReturn:
    raise PositionError(f"fen field {number + 1} ({_FIELDS[number][0]}) {brief(text)}: {expected}")
