"""A module of an installed package, with a part of every kind but a game."""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from bots.support.bot import Bot, Clock
from games.support.game import Game, Move, State
from games.support.options import option
from league.analysis.replay import Replay
from league.formats.format import Encounter, EncounterResult, Field, Format
from league.ratings.rating_system import SystemRatings, TotalsSystem
from league.ratings.result_table import ResultColumns
from league.seats.protocols.exec import ExecSeat

NUMBER = 3
"""No part of any kind."""


@dataclass
class LastMove(Bot):
    """Plays the last legal move."""

    skip: int = option(0, help="how many moves from the end to leave out", low=0)

    def choose(self, state: State, clock: Clock) -> Move:
        """Return the last move, or one before it."""
        moves = state.legal_moves()
        return moves[-1 - min(self.skip, len(moves) - 1)]


class Undescribed(LastMove):  # noqa: D101 (a package may leave it out)
    pass


@dataclass(frozen=True)
class Neighbours(Format):
    """Each entrant meets the next one in the list."""

    name = "neighbours"
    title = "Neighbours"
    help = "each entrant meets the next one"
    rounds_are = "rounds, each from an opening of its own"
    lag = None

    apart: int = option(1, help="how far opponents are apart in the list", low=1)

    def stage(
        self, number: int, field: Field, results: Collection[EncounterResult]
    ) -> list[Encounter]:
        """Return a round."""
        if number >= field.rounds:
            return []
        pairs = zip(field.present, field.present[self.apart :], strict=False)
        return [Encounter(number, number, pair) for pair in pairs]


@dataclass(frozen=True)
class Percent(TotalsSystem):
    """The share of the points, in percent."""

    name = "percent"
    title = "Percent"
    help = "the share of the points"
    digits = 1

    def rate(
        self, bots: int, tallies: ResultColumns, anchor: int | None = None, at: float | None = None
    ) -> SystemRatings:
        """Add up points and matches."""
        who, counts = tallies.bots.ravel(), np.repeat(tallies.counts, tallies.seats)
        points = np.bincount(who, tallies.scores.ravel() * counts, bots)
        return SystemRatings(100 * points / np.bincount(who, counts, bots))


class HeapsSeat(ExecSeat):
    """The protocol of programs that play one game alone."""

    plays = "heaps"


class Lines:
    """A line for each match."""

    name = "lines"
    suffix = ".txt"
    media_type = "text/plain"
    is_single = False

    def refusal(self, game: Game) -> str:
        """Refuse no game."""
        return ""

    def is_usual(self, game: Game) -> bool:
        """Be no game's usual format."""
        return False

    def head(self, game: Game) -> str:
        """Begin with the game."""
        return f"matches of {game.title}\n"

    def text(self, replay: Replay) -> str:
        """Write who played, and the points."""
        names = " – ".join(version.bot for version in replay.row.versions)
        return f"{names}: {' – '.join(f'{score:g}' for score in replay.record.scores)}\n"


LINES = Lines()
