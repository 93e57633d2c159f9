"""One match of a trial: whole, or up to the first fault of the bot under trial."""

import math
import time
from collections.abc import Sequence
from dataclasses import replace

from games.support.game import Game, State
from league.match.adjudication import Adjudicated, Adjudicator
from league.match.openings import DrawnOpenings
from league.match.play import MatchSetup, play_match
from league.match.seeds import seed_of
from league.model.records import NO_ADJUDICATION, Limits, MatchRecord, ReportRecord
from league.seats.bot_seat import BotSeat
from league.seats.seat import Seat


def played(
    game: Game, seats: Sequence[Seat], limits: Limits, number: int, end: float = math.inf
) -> MatchRecord:
    """Play the trial match of that number; raise `MatchVoid` like `play_match`.

    After `end`, a time of `time.monotonic`, no seat is asked for more than its first move.
    """
    setup = MatchSetup(
        game=game,
        versions=[0] * game.seats,
        opening=DrawnOpenings(game, game.random_plies, seed=number + 1)[0].moves,
        limits=limits,
        seed=seed_of(number, "check"),
    )
    try:
        return play_match(setup, seats, judge=_Bell(game, len(setup.opening), end))
    finally:
        for seat in seats:
            if isinstance(seat, BotSeat):
                seat.rest()


def told(record: MatchRecord) -> str:
    """Say how and when a match ended by a fault."""
    ply = len(record.opening) + len(record.moves) + 1
    return f"{record.termination} at ply {ply}: {record.detail}"


def up_to_fault(record: MatchRecord, own: Sequence[int]) -> MatchRecord:
    """Return a match as if the first fault of the seats `own` had ended it."""
    for place, move in enumerate(record.moves):
        if move.fault and move.fault.seat in own:
            seat, kind, detail = move.fault
            moves = record.moves[:place]
            return replace(record, moves=moves, fault_seat=seat, termination=kind, detail=detail)
    return record


class _Bell(Adjudicator):
    """Ends a match as a draw after a time, once every seat has moved."""

    def __init__(self, game: Game, opening: int, end: float) -> None:
        super().__init__(NO_ADJUDICATION, game, None)
        self._least, self._end = opening + game.seats, end
        self._draw = Adjudicated((0.5,) * game.seats, "ended early")

    def settle(
        self, seat: int, report: ReportRecord | None, plies: int, state: State
    ) -> Adjudicated | None:
        """Return a draw after the end, None before."""
        is_over = plies >= self._least and time.monotonic() > self._end
        return self._draw if is_over else None
