"""Boards in the style of FEN: rows from the top, empty squares counted, then the mover."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from games.support.drawing import BoardMark
from games.support.errors import PositionError, brief

_RUN = re.compile(r"[0-9]{1,2}|.")


def write_board(rows: Iterable[Sequence[BoardMark]], signs: str) -> str:
    """Write both seats' stones with two `signs`: `7/7/7/7/3y3/2rr3`."""
    return "/".join("".join(_runs(row, signs)) for row in rows)


def _runs(row: Sequence[BoardMark], signs: str) -> Iterator[str]:
    for is_empty, marks in groupby(row, lambda mark: mark is BoardMark.EMPTY):
        if is_empty:
            yield str(len(list(marks)))
        else:
            yield from (signs[not mark.is_first] for mark in marks)


def read_board(text: str, columns: int, bits: Sequence[int], signs: str) -> tuple[int, int]:
    """Read the output of `write_board` into a bitboard for each of two `signs`.

    `bits` holds each square's bit in the order of the text. Case matters only if both signs are the
    same letter. Raises `PositionError`.
    """
    found = text.split("/")
    rows = len(bits) // columns
    if len(found) != rows:
        raise PositionError(f"board {brief(text)}: expected {rows} rows, here are {len(found)}")
    is_cased = signs[0].lower() == signs[1].lower()
    boards = [0, 0]
    for number, row in enumerate(found):
        column = 0
        for run in _RUN.findall(row if is_cased else row.lower()):
            if run[0] in "0123456789":
                column += int(run)
                continue
            if run not in signs:
                expected = f"expected {signs[0]}, {signs[1]} or numbers"
                raise PositionError(f"{run!r} in board row {brief(row)}: {expected}")
            if column < columns:
                boards[signs.index(run)] |= bits[number * columns + column]
            column += 1
        if column != columns:
            raise PositionError(f"board row {brief(row)}: {column} squares, expected {columns}")
    return boards[0], boards[1]


def read_mover(words: Sequence[str], signs: str) -> int:
    """Return the seat named by the word after the board; raise `PositionError`."""
    word = words[1].lower() if len(words) > 1 else ""
    if len(word) != 1 or word not in signs:
        raise PositionError(
            f"{brief(word)} is nobody to move: expected {signs[0]} or {signs[1]} after the board"
        )
    return signs.index(word)
