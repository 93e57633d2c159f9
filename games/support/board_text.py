"""Boards as text in the manner of FEN: rows from the top, empty squares counted, then who moves."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from games.support.errors import OptionError, PositionError, brief

_RUN = re.compile(r"[0-9]{1,2}|.")

FEN_HELP = "the first position, as boards are written in a line; empty for the usual one"
"""What games say of their option `fen`."""


def check_fen(fen: str, read: Callable[[str], object]) -> None:
    """Raise `OptionError` where the option `fen` of a game is given and `read` refuses it."""
    if not fen:
        return
    try:
        read(fen)
    except PositionError as error:
        raise OptionError(f"option fen: {error}", "fen") from None


def write_board(rows: Iterable[Sequence[str]]) -> str:
    """Write rows of signs, '' for an empty square: `7/7/7/7/3y3/2rr3`."""
    return "/".join("".join(_runs(row)) for row in rows)


def _runs(row: Sequence[str]) -> Iterator[str]:
    empty = 0
    for sign in row:
        if sign and empty:
            yield str(empty)
            empty = 0
        yield sign
        empty += not sign
    if empty:
        yield str(empty)


def read_board(text: str, columns: int, rows: int, signs: str) -> tuple[int, int]:
    """Read what `write_board` wrote, into a set of squares for each of two `signs`.

    Squares are bits counted row by row from the first square of the text; where the signs are not
    one letter in both cases, their case is left open. Raises `PositionError`.
    """
    found = text.split("/")
    if len(found) != rows:
        raise PositionError(f"board {brief(text)}: expected {rows} rows, here are {len(found)}")
    is_cased = signs[0].lower() == signs[1].lower()
    sets = [0, 0]
    for number, row in enumerate(found):
        column = 0
        for run in _RUN.findall(row if is_cased else row.lower()):
            if run[0] in "0123456789":
                column += int(run)
                continue
            if run not in signs:
                expected = f"expected {signs[0]}, {signs[1]} or numbers"
                raise PositionError(f"{run!r} in board row {brief(row)}: {expected}")
            sets[signs.index(run)] |= 1 << number * columns + column
            column += 1
        if column != columns:
            raise PositionError(f"board row {brief(row)}: {column} squares, expected {columns}")
    return sets[0], sets[1]


def read_mover(words: Sequence[str], signs: str) -> int:
    """Return the seat that the word after the board names; raise `PositionError`."""
    word = words[1].lower() if len(words) > 1 else ""
    if len(word) != 1 or word not in signs:
        raise PositionError(
            f"{brief(word)} is nobody to move: expected {signs[0]} or {signs[1]} after the board"
        )
    return signs.index(word)


def is_board(text: str, signs: str) -> bool:
    """Whether a text looks like a board and who moves, and not like moves."""
    words = text.split()
    return bool(words) and ("/" in words[0] or words[1:2] in ([signs[0]], [signs[1]]))


def squares_in(bits: int) -> Iterator[int]:
    """Yield the numbers of the bits that are set, from the lowest."""
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low
