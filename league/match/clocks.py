"""The clocks of a match."""

from collections.abc import Sequence
from dataclasses import replace

from league.model.records import Limits
from league.seats.seat import MoveBudget


class Clocks:
    """One clock per seat; without a time control, a seat's budget never changes."""

    def __init__(self, limits: Sequence[Limits]) -> None:
        self._fixed = [MoveBudget.of(each, len(limits)) for each in limits]
        self._controls = [each.control for each in limits]
        self._left = [control.first_s if control else 0.0 for control in self._controls]
        self._increments = tuple(
            control.increment_s if control else 0.0 for control in self._controls
        )
        self._moves = [0] * len(limits)

    def left_s(self, seat: int) -> float | None:
        """Return the seconds left on a seat's clock; None if it has none."""
        return self._left[seat] if self._controls[seat] else None

    def budget(self, seat: int) -> MoveBudget:
        """Return the budget for the next move of `seat`."""
        control = self._controls[seat]
        if control is None:
            return self._fixed[seat]
        moves, mine = control.moves, self._left[seat]
        return replace(
            self._fixed[seat],
            # A bot without a clock seems to have as much as its opponent: engines expect a number.
            left_s=tuple(
                left if has_clock else mine
                for left, has_clock in zip(self._left, self._controls, strict=True)
            ),
            increments_s=self._increments,
            seat=seat,
            moves_to_go=None if moves is None else moves - self._moves[seat] % moves,
        )

    def spend(self, seat: int, wall_ns: int) -> None:
        """Deduct a move's time from its seat's clock and add the increment."""
        control = self._controls[seat]
        if control is None:
            return
        # A move within the grace period counts as on time.
        left = control.after_move(self._left[seat], wall_ns / 1e9)
        self._moves[seat] += 1
        if control.moves is not None and self._moves[seat] % control.moves == 0:
            left += control.base_s
        self._left[seat] = left
