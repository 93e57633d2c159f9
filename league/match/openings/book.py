"""Openings from a book, and their text form."""

import json
from collections.abc import Iterable, Sequence

from league.match.openings.opening import Opening


class BookOpenings:
    """Openings of a book in playing order."""

    def __init__(self, openings: Sequence[Opening]) -> None:
        self._openings = tuple(openings)

    def __getitem__(self, number: int) -> Opening:
        """Return an opening by number, from 0."""
        return self._openings[number % len(self._openings)]

    def distinct(self, most: int) -> int:
        """Return how many of the first `most` openings are distinct; a book has no duplicates."""
        return min(most, len(self._openings))


def pack(openings: Iterable[Opening]) -> str:
    """Encode openings as JSON: for each, a list of the game's spec and the moves."""
    rows = [(opening.game, *opening.moves) for opening in openings]
    return json.dumps(rows, separators=(",", ":"))


def unpack(text: str) -> tuple[Opening, ...]:
    """Decode the output of `pack`."""
    return tuple(Opening(game, tuple(moves)) for game, *moves in json.loads(text))
