"""Random lines from Polyglot opening books, read by python-chess.

Source: F. Letouzey, PolyGlot (2004), for the format.
"""

import random
from pathlib import Path
from typing import TYPE_CHECKING

from games.chess.rules import Chess
from games.support.errors import PositionError

if TYPE_CHECKING:
    import chess.polyglot

TRIES = 200
"""The search for lines ends after this many draws in a row without a new one."""


def draw_lines(
    path: Path, game: Chess, plies: int, count: int, source: random.Random
) -> list[tuple[int, ...]]:
    """Return up to `count` distinct lines of `plies` moves from the first position of `game`.

    Moves are drawn by the book's weights; a line ends early where the book does. A larger `count`
    with the same `source` extends the list of a smaller one. Raises `PositionError` if the file is
    no such book or lacks the first position.
    """
    import chess.polyglot  # noqa: PLC0415 (only this module reads such books)

    found: dict[tuple[int, ...], None] = {}
    misses = 0
    try:
        reader = chess.polyglot.open_reader(path)
    except OSError:
        raise PositionError("which is no Polyglot book: expected entries of 16 bytes") from None
    with reader:
        while len(found) < count and misses < TRIES:
            line = _draw(reader, game, plies, source)
            misses = misses + 1 if line is None or line in found else 0
            if line is not None:
                found[line] = None
    if not any(found):
        raise PositionError(f"which has no move in the first position of {game.spec}")
    return list(found)


def _draw(
    reader: "chess.polyglot.MemoryMappedReader", game: Chess, plies: int, source: random.Random
) -> tuple[int, ...] | None:
    """Draw one line; None if the match is over at its end."""
    state = game.initial()
    line: list[int] = []
    while len(line) < plies and (entries := list(reader.find_all(state.board))):
        (entry,) = source.choices(entries, [entry.weight for entry in entries])
        line.append(state.decode(entry.move.uci()))
        state = state.play(line[-1])
    return tuple(line) if state.outcome() is None else None
