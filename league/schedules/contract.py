"""What a tournament format is."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Encounter:
    """The matches between the same entrants from the same opening, every seat rotated.

    `number` is unique in its tournament, from 0; `round` counts from 0 and chooses the opening;
    `entrants` are positions in the tournament's list, in the seats of the first match.
    """

    number: int
    round: int
    entrants: tuple[int, ...]

    def rotation(self, number: int) -> tuple[int, ...]:
        """Return the entrants by seat in the match of that rotation, 0 to seats - 1."""
        return self.entrants[number:] + self.entrants[:number]


class Format(Protocol):
    """A module of this folder hands out an instance as `FORMAT`."""

    @property
    def name(self) -> str:
        """What a user calls it on the command line."""

    def encounters(self, entrants: int, seats: int, rounds: int) -> Iterator[Encounter]:
        """Yield every encounter in the order to play them.

        `entrants` and `seats` are counts; raises `ValueError` with a reason when they don't fit.
        """
