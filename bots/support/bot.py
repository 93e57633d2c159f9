"""The bot contract, `choose(state, clock) -> move`, and the base class."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar

from games.support.errors import GameError
from games.support.game import CHANCE, Game, Move, State
from games.support.moves import draw_move


@dataclass(frozen=True, slots=True)
class Clock:
    """The limits of one move; all that are given apply.

    `deadline_ns` is a reading of `time.monotonic_ns`; None without a time limit. In a match with
    clocks it is a suggestion that spreads the time evenly. A bot can do better with `remaining_s`,
    each seat's clock at the start of the move, `increments_s`, each seat's increment per move (both
    () without clocks), and `moves_to_go`, its own moves until time is added again (None if never).
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
        """Return the seconds left for the move, never negative; infinite without a time limit."""
        if self.deadline_ns is None:
            return float("inf")
        return max(0.0, (self.deadline_ns - time.monotonic_ns()) / 1e9)


TEXT_MAX = 500
"""The maximum length of a report's text in characters; the rest is dropped."""

TRIAL_PLIES = 60
"""The plies of a random match in which a game must draw positions that agree with views."""

PV_MAX = 64
"""The maximum length of a report's principal variation in moves; the rest is dropped."""


@dataclass(frozen=True, slots=True)
class Report:
    """A bot's report on its move.

    `score` is in evaluation units, from the mover's view; `pv` holds the expected moves, the
    answered one first. At most `PV_MAX` moves and `TEXT_MAX` characters are kept.
    """

    depth: int | None = None
    nodes: int | None = None
    score: float | None = None
    pv: tuple[Move, ...] = ()
    text: str = ""


class Bot:
    """Base class of bots: override `choose`; everything else has a default.

    Options are dataclass fields declared by `games.option`. Each module of this folder exports its
    class as `BOT`. A plain function `choose(state, clock)` is a bot too.
    """

    name: ClassVar[str] = ""

    report: Report | None = None
    """The report on the latest move; read after each `choose`."""

    @property
    def is_deterministic(self) -> bool:
        """Whether it uses no randomness: apart from time limits, equal matches get equal moves."""
        return False

    @classmethod
    def refusal(cls, game: Game) -> str:
        """Return why bots of this class can't play a game, '' if they can."""
        return ""

    @property
    def prepares(self) -> bool:
        """Whether `new_match` may take time; if not, a match is announced with its first question.

        Whoever overrides `new_match` has time for it, apart from the clock of the match.
        """
        return type(self).new_match is not Bot.new_match

    def new_match(self, game: Game, seat: int, seed: int) -> None:
        """Prepare for a match with the seat to play and the seed of all random choices."""

    def policy(self, state: State) -> Sequence[float] | None:
        """Return how likely it plays each legal move; None (the default) if it can't tell."""
        return None

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


def told_shares(state: State, shares: Sequence[float]) -> str:
    """Write how likely each legal move is: `pass 25%, bet 75%`."""
    pairs = zip(state.legal_moves(), shares, strict=True)
    return ", ".join(f"{state.text(move)} {share:.0%}" for move, share in pairs)


def needs_positions(name: str, game: Game) -> str:
    """Return why a bot that searches whole positions can't play a game, '' if it can."""
    if not game.has_secrets:
        return ""
    return f"{name} searches whole positions, and {game.title} does not show them"


def needs_samples(name: str, game: Game) -> str:
    """Return why a bot that guesses whole positions can't play a game, '' if it can."""
    if not game.has_secrets:
        return f"{name} guesses what a seat does not see, and {game.title} shows everything"
    state, source = game.initial(), Random(0)
    try:
        for _ in range(TRIAL_PLIES):
            if state.outcome() is not None:
                break
            if state.to_move != CHANCE:
                game.sample(state.view(state.to_move), source)
            state = state.play(draw_move(state, source))
    except GameError as error:
        return f"{name} guesses whole positions, and {error}"
    return ""
