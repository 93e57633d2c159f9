"""The ECO code and the name of an opening, by its moves.

Source: lichess-org/chess-openings at 51b88624, in the public domain (CC0 1.0), with the moves
without their numbers, as `openings.tsv.gz`: the code, the name and the moves in SAN.
"""

import gzip
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple


class OpeningName(NamedTuple):
    """A code such as `C60` and a name such as `Ruy Lopez`."""

    eco: str
    name: str


def opening_name(words: Sequence[str]) -> OpeningName | None:
    """Return the most exact name for moves in SAN from the usual position; None if there is none.

    Transpositions are not looked for.
    """
    names, longest = _names()
    for length in range(min(len(words), longest), 0, -1):
        if found := names.get(" ".join(words[:length])):
            return found
    return None


@lru_cache(maxsize=1)
def _names() -> tuple[dict[str, OpeningName], int]:
    """Return all names by their moves, and the largest number of moves."""
    data = files("games.chess").joinpath("openings.tsv.gz").read_bytes()
    rows = [line.split("\t") for line in gzip.decompress(data).decode().splitlines()]
    names = {moves: OpeningName(eco, name) for eco, name, moves in rows}
    return names, max(moves.count(" ") + 1 for moves in names)
