"""Lines drawn from Polyglot opening books.

Source: F. Letouzey, PolyGlot (2004), the format of its books. They are read by python-chess.
"""

import random
from pathlib import Path
from typing import TYPE_CHECKING

from games.chess.rules import Chess
from games.support.errors import PositionError

if TYPE_CHECKING:
    import chess.polyglot

TRIES = 200
"""So many draws in a row that give no new line end the search for one."""


def draw_lines(
    path: Path, game: Chess, plies: int, count: int, source: random.Random
) -> list[tuple[int, ...]]:
    """Return up to `count` distinct lines of `plies` moves from the first position of `game`.

    Each move is drawn by the weights of the book; a line ends sooner where the book does. More
    lines from the same `source` begin with those that fewer would be. Raises `PositionError` where
    the file is no such book or does not know the first position.
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
    """Draw one line; None where the match is over at its end."""
    state = game.initial()
    line: list[int] = []
    while len(line) < plies and (entries := list(reader.find_all(state.board))):
        (entry,) = source.choices(entries, [entry.weight for entry in entries])
        line.append(state.decode(entry.move.uci()))
        state = state.play(line[-1])
    return tuple(line) if state.outcome() is None else None
