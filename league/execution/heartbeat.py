"""A worker's signs of life, in memory that it shares with the runner."""

import mmap
from collections.abc import Container
from dataclasses import dataclass

from league.model.records import MatchKey
from league.platform import shared_memory

_BEATS, _ENCOUNTER, _ROTATION, _SEAT, _WATCHED = range(5)
_BYTES = 40


@dataclass(frozen=True, slots=True)
class Sign:
    """The last state that a worker showed: its number of beats, its match and the seat to move."""

    beats: int
    key: MatchKey
    seat: int


class Heartbeat:
    """Four numbers that a worker writes and the runner reads; neither waits for the other.

    A fifth one, written by the runner, tells the worker whether somebody watches its match.

    A worker that is stopped, traced or stuck in foreign code stops beating. The match that it
    played and the seat to move stay readable.
    """

    def __init__(self, descriptor: int) -> None:
        self._cells = memoryview(mmap.mmap(descriptor, _BYTES)).cast("q")

    @classmethod
    def descriptor(cls) -> int:
        """Return the descriptor of new memory for one worker."""
        return shared_memory(_BYTES)

    def beat(self) -> None:
        """Show that this process is alive."""
        self._cells[_BEATS] += 1

    def begin(self, key: MatchKey) -> "memoryview[int]":
        """Show which match begins, and return the cell for the seat to move."""
        self._cells[_ENCOUNTER], self._cells[_ROTATION] = key.encounter, key.rotation
        return self._cells[_SEAT:]

    def sign(self) -> Sign:
        """Return what the worker has last shown."""
        beats, encounter, rotation, seat, _ = self._cells
        return Sign(beats, MatchKey(encounter, rotation), seat)

    @property
    def is_watched(self) -> bool:
        """Whether somebody watches the match of this worker."""
        return bool(self._cells[_WATCHED])

    def watch(self, keys: Container[MatchKey]) -> None:
        """Tell the worker whether its match is one of those that somebody watches."""
        self._cells[_WATCHED] = self.sign().key in keys
