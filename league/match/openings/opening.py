"""An opening, and the protocol for a tournament's openings."""

from dataclasses import dataclass
from typing import Protocol

from games.support.moves import WireMove


@dataclass(frozen=True, slots=True)
class Opening:
    """The start of a match: the initial position of `game`, then `moves` that no bot chooses.

    `game` is a canonical spec: the tournament's, possibly with its own initial position.
    """

    game: str
    moves: tuple[WireMove, ...] = ()


class Openings(Protocol):
    """A tournament's openings, fixed by number from 0; they repeat once all are used."""

    def __getitem__(self, number: int) -> Opening:
        """Return the opening with that number."""

    def distinct(self, most: int) -> int:
        """Return how many of the first `most` openings are distinct."""
