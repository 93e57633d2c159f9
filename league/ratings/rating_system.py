"""The rating system contract: from results to a value and a 95% interval for each bot."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

import numpy as np

from league.ratings.result_table import Floats, ResultColumns


@dataclass(frozen=True, slots=True, eq=False)
class SystemRatings:
    """The ratings of bots by position.

    `values` and `errors` have the shape (bots,); `errors` are half-widths of 95% intervals,
    infinite if nothing is known, None if the system has none. `covariance` has the shape (bots,
    bots); None if the errors of two bots are independent. `shares` are each bot's part of the
    pool's mix of the best bots, 0 to 1, None if the system knows no mix.
    """

    values: Floats
    errors: Floats | None = None
    covariance: Floats | None = None
    shares: Floats | None = None


class SystemBase:
    """Base of all systems; options are dataclass fields declared by `games.option`.

    Each module of this folder exports its class, a `TotalsSystem` or a `MatchSystem`, as `SYSTEM`.
    """

    name: ClassVar[str]
    """The name on the command line; the module's name."""

    title: ClassVar[str]
    help: ClassVar[str]
    """One line on what it does."""

    digits: ClassVar[int] = 0
    """Number of decimals of a value to show."""

    has_anchor: ClassVar[bool] = False
    """Whether one bot's value can be fixed as a reference for the others."""

    def check(self) -> None:
        """Raise `ValueError` with a reason if the system can't be used here."""


class TotalsSystem(SystemBase):
    """A system that needs only totals: the order of matches does not matter."""

    def rate(
        self, bots: int, results: ResultColumns, anchor: int | None = None, at: float | None = None
    ) -> SystemRatings:
        """Rate the bots; `anchor` gets the value `at`, else the mean does, or the system's own."""
        raise NotImplementedError(f"{type(self).__name__} does not override rate")


class Live:
    """Ratings that change with every match; bots are any numbers.

    `sides` are the game's, by seat; without them each seat plays for itself.
    """

    def take(self, bots: Sequence[int], scores: Sequence[float]) -> None:
        """Rate one match: bots and their points by seat."""
        raise NotImplementedError

    def rated(self, bots: Sequence[int]) -> SystemRatings:
        """Return the current ratings of these bots; the initial one for a bot without matches."""
        raise NotImplementedError

    def state(self) -> Any:
        """Return all that is needed to continue, as JSON values; numbers are exact."""
        raise NotImplementedError


class MatchSystem(SystemBase):
    """A system that needs every match, in the schedule's order."""

    def start(self, sides: Sequence[int] = (), state: str = "") -> Live:
        """Start, or continue from a JSON `state`; the same matches then give the same values."""
        return self.live(tuple(sides), json.loads(state) if state else None)

    def live(self, sides: tuple[int, ...], state: Any) -> Live:
        """Make the result of `start`; `state` is from `Live.state` of this system, or None."""
        raise NotImplementedError(f"{type(self).__name__} does not override live")


RatingSystem: TypeAlias = TotalsSystem | MatchSystem


def opponents(seats: int, sides: Sequence[int]) -> list[list[int]]:
    """List for each seat the seats of its opponents."""
    teams = sides or range(seats)
    return [
        [other for other in range(seats) if teams[other] != teams[seat]] for seat in range(seats)
    ]


def share(mine: float, theirs: float) -> float:
    """Return a seat's part of the one point between it and another."""
    return 1.0 if mine > theirs else 0.5 if mine == theirs else 0.0


def floats(values: Sequence[float]) -> Floats:
    """Return numbers as an array."""
    return np.array(values, dtype=np.float64)
