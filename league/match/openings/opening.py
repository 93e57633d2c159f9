"""What an opening is."""

from dataclasses import dataclass
from typing import Protocol

from games.support.moves import WireMove


@dataclass(frozen=True, slots=True)
class Opening:
    """Where a match begins: in the first position of `game`, after `moves` nobody is asked for.

    `game` is a canonical spec: the tournament's, or the same with a first position of its own.
    """

    game: str
    moves: tuple[WireMove, ...] = ()


class Openings(Protocol):
    """The openings of a tournament by number, from 0 without end: when all are used they repeat.

    A number is always the same opening, however many are asked for and in whatever order.
    """

    def __getitem__(self, number: int) -> Opening:
        """Return the opening of that number."""

    def distinct(self, most: int) -> int:
        """Return how many of the first `most` openings are distinct."""
