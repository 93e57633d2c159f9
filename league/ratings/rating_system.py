"""What a rating system is: from results to a value and a 95% interval for each bot."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

import numpy as np

from league.ratings.result_table import Floats, ResultColumns


@dataclass(frozen=True, slots=True, eq=False)
class SystemRatings:
    """What a system says of bots by position.

    `values` has the shape (bots,); so has `errors`, halves of 95% intervals, infinite where nothing
    is known, None where the system has none. `covariance` has the shape (bots, bots); None where
    the errors of two bots are independent.
    """

    values: Floats
    errors: Floats | None = None
    covariance: Floats | None = None


class SystemBase:
    """What all systems have; options are dataclass fields declared by `games.option`.

    A module of this folder hands out its class as `SYSTEM`: a `TotalsSystem` or a `MatchSystem`.
    """

    name: ClassVar[str]
    """What a user calls it on the command line; the module's name."""

    title: ClassVar[str]
    help: ClassVar[str]
    """What it does, in one line."""

    digits: ClassVar[int] = 0
    """How many decimals of a value are worth showing."""

    has_anchor: ClassVar[bool] = False
    """Whether a bot may be given a value that the others are rated by."""

    def check(self) -> None:
        """Raise `ValueError` with a reason where the system can't be used here."""


class TotalsSystem(SystemBase):
    """A system that needs totals alone: the order of the matches says nothing."""

    def rate(
        self, bots: int, results: ResultColumns, anchor: int | None = None, at: float | None = None
    ) -> SystemRatings:
        """Rate the bots that are in these matches.

        Bot `anchor` is given the value `at`; without one the mean is, or the system's own.
        """
        raise NotImplementedError(f"{type(self).__name__} does not override rate")


class Live:
    """Ratings that move with every match; bots are any numbers.

    `sides` are the game's, by seat; each seat is for itself where there are none.
    """

    def take(self, bots: Sequence[int], scores: Sequence[float]) -> None:
        """Rate one match: bots and their points by seat."""
        raise NotImplementedError

    def rated(self, bots: Sequence[int]) -> SystemRatings:
        """Return what these bots are rated by now; one without matches has what bots begin with."""
        raise NotImplementedError

    def state(self) -> Any:
        """Return all that it takes to go on, in JSON's values; numbers exact."""
        raise NotImplementedError


class MatchSystem(SystemBase):
    """A system that needs every match, in the schedule's order."""

    def start(self, sides: Sequence[int] = (), state: str = "") -> Live:
        """Begin, or go on from a `state` as JSON; the same matches then give the same values."""
        return self.live(tuple(sides), json.loads(state) if state else None)

    def live(self, sides: tuple[int, ...], state: Any) -> Live:
        """Make what `start` returns; `state` is what a `Live` of this system told, or None."""
        raise NotImplementedError(f"{type(self).__name__} does not override live")


RatingSystem: TypeAlias = TotalsSystem | MatchSystem


def opponents(seats: int, sides: Sequence[int]) -> list[list[int]]:
    """List for each seat the seats that play against it."""
    teams = sides or range(seats)
    return [
        [other for other in range(seats) if teams[other] != teams[seat]] for seat in range(seats)
    ]


def share(mine: float, theirs: float) -> float:
    """Return what a seat gets of the one point between it and another."""
    return 1.0 if mine > theirs else 0.5 if mine == theirs else 0.0


def floats(values: Sequence[float]) -> Floats:
    """Return numbers as an array."""
    return np.array(values, dtype=np.float64)
