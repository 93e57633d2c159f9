"""The book that keeps the calls of a match."""

from typing import Protocol

from league.model.model_calls import ModelCall


class CallBook(Protocol):
    """The calls of the match in play, kept at once; it may raise `DatabaseError`."""

    @property
    def ply(self) -> int:
        """The number of plies of the match so far."""

    def find(self, call: ModelCall) -> ModelCall | None:
        """Return the answered call of this match that asks the same at the same place."""

    def note(self, call: ModelCall) -> int:
        """Keep a call that is about to be sent, and return its number."""

    def settle(self, number: int, call: ModelCall) -> None:
        """Replace the call of that number by what became of it."""

    def spent(self, version: int) -> float:
        """Return the cost of all calls of a version in the tournament, as far as it is known."""


class NoBook:
    """The book of a match of no tournament: it keeps nothing."""

    ply = 0

    def find(self, call: ModelCall) -> ModelCall | None:
        """Find nothing."""
        return None

    def note(self, call: ModelCall) -> int:
        """Keep nothing."""
        return 0

    def settle(self, number: int, call: ModelCall) -> None:
        """Keep nothing."""

    def spent(self, version: int) -> float:
        """Know of no cost."""
        return 0.0
