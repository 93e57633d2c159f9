"""What a bot is: `choose(state, clock) -> move`, and what a search bot shares."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from games.support.game import Game, Move, State


@dataclass(frozen=True, slots=True)
class Clock:
    """The limits of one move: every one that is given holds.

    `deadline_ns` is a reading of `time.monotonic_ns`; None where time is free. In a match with
    clocks it is where a bot should end that spreads its time evenly. One that knows better goes by
    `remaining_s`, what each seat's clock showed when the move was asked for, `increments_s`, what
    each gets after its moves (both () without clocks), and `moves_to_go`, its own moves until its
    time is added again (None where it never is).
    """

    deadline_ns: int | None = None
    depth: int | None = None
    nodes: int | None = None
    remaining_s: tuple[float, ...] = ()
    increments_s: tuple[float, ...] = ()
    moves_to_go: int | None = None

    @classmethod
    def of(
        cls, move_s: float | None = None, depth: int | None = None, nodes: int | None = None
    ) -> "Clock":
        """Make a clock that runs from now, with `move_s` seconds for the move."""
        deadline = None if move_s is None else time.monotonic_ns() + round(move_s * 1e9)
        return cls(deadline_ns=deadline, depth=depth, nodes=nodes)

    def left_s(self) -> float:
        """Return the seconds left for the move; infinity where time is free, never negative."""
        if self.deadline_ns is None:
            return float("inf")
        return max(0.0, (self.deadline_ns - time.monotonic_ns()) / 1e9)


TEXT_MAX = 500
"""How many characters of a report's text are kept."""

PV_MAX = 64
"""How many moves of a report's principal variation are kept."""


@dataclass(frozen=True, slots=True)
class Report:
    """What a bot tells about its move.

    `score` is in the unit of the bot's evaluation, from the mover's point of view; `pv` holds the
    expected moves, the answered one first. At most `PV_MAX` moves and `TEXT_MAX` characters are
    kept.
    """

    depth: int | None = None
    nodes: int | None = None
    score: float | None = None
    pv: tuple[Move, ...] = ()
    text: str = ""


class Bot:
    """A base for bots: override `choose`; the rest has working defaults.

    Options are dataclass fields declared by `games.option`. A module of this folder hands out its
    class as `BOT`. A plain function `choose(state, clock)` is a bot too.
    """

    name: ClassVar[str] = ""

    report: Report | None = None
    """What the bot tells about its latest move; read after each `choose`."""

    @property
    def is_deterministic(self) -> bool:
        """Whether it draws nothing: but for limits of time, equal matches get equal moves."""
        return False

    def new_match(self, game: Game, seat: int, seed: int) -> None:
        """Prepare for a match: the seat to play and the seed of all random choices."""

    def choose(self, state: State, clock: Clock) -> Move:
        """Return a legal move of `state` before the clock's deadline."""
        raise NotImplementedError(f"{type(self).__name__} does not override choose(state, clock)")


class FunctionBot(Bot):
    """A bot made of a plain function `choose(state, clock) -> move`."""

    def __init__(self, function: Callable[[State, Clock], Move]) -> None:
        self._function = function

    def choose(self, state: State, clock: Clock) -> Move:
        """Ask the function."""
        return self._function(state, clock)
