"""Openings that are given, and how they are kept as text."""

import json
from collections.abc import Iterable, Sequence

from league.match.openings.opening import Opening


class BookOpenings:
    """Given openings, in the order to play."""

    def __init__(self, openings: Sequence[Opening]) -> None:
        self._openings = tuple(openings)

    def __getitem__(self, number: int) -> Opening:
        """Return the opening of that number, from 0."""
        return self._openings[number % len(self._openings)]

    def distinct(self, most: int) -> int:
        """Return how many of the first `most` openings are distinct: those of a book all are."""
        return min(most, len(self._openings))


def pack(openings: Iterable[Opening]) -> str:
    """Write openings as JSON: a list of the game's spec and the moves for each."""
    rows = [(opening.game, *opening.moves) for opening in openings]
    return json.dumps(rows, separators=(",", ":"))


def unpack(text: str) -> tuple[Opening, ...]:
    """Read what `pack` wrote."""
    return tuple(Opening(game, tuple(moves)) for game, *moves in json.loads(text))
