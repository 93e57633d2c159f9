"""The clocks of a match."""

from collections.abc import Sequence

from league.model.records import Limits
from league.model.time_control import SeatClock
from league.seats.seat import MoveBudget


class Clocks:
    """One clock per seat; without a time control, a seat's budget never changes.

    If it `shows_own_alone`, the budget of a seat tells nothing of the others' clocks: in a game
    with secrets their increments would tell how often they have moved.
    """

    def __init__(self, limits: Sequence[Limits], *, shows_own_alone: bool = False) -> None:
        self._shows_own_alone = shows_own_alone
        self._fixed = [MoveBudget.of(each, len(limits)) for each in limits]
        controls = [each.control for each in limits]
        self._clocks = [SeatClock.of(control) if control else None for control in controls]

    def left_s(self, seat: int) -> float | None:
        """Return the seconds left on a seat's clock; None if it has none."""
        clock = self._clocks[seat]
        return clock.left_s if clock else None

    def budget(self, seat: int) -> MoveBudget:
        """Return the budget for the next move of `seat`."""
        mine = self._clocks[seat]
        if mine is None:
            return self._fixed[seat]
        shown = [mine] * len(self._clocks) if self._shows_own_alone else self._clocks
        return self._fixed[seat]._replace(
            # A bot without a clock seems to have as much as its opponent: engines expect a number.
            left_s=tuple(clock.left_s if clock else mine.left_s for clock in shown),
            increments_s=tuple(clock.period.increment_s if clock else 0.0 for clock in shown),
            seat=seat,
            clock=mine,
        )

    def spend(self, seat: int, wall_ns: int) -> None:
        """Let a seat's clock run for the time of its move; an hourglass gives it to the other."""
        clock = self._clocks[seat]
        if clock is None:
            return
        self._clocks[seat] = after = clock.after(wall_ns / 1e9)
        other = self._clocks[1 - seat] if clock.control.is_hourglass else None
        if other is not None:
            self._clocks[1 - seat] = other.gained(clock.left_s - after.left_s)
