"""Clocks of seats, as the referee has them in a match."""

from league.model.time_control import SeatClock, TimeControl


def clock(control: str, moves: int = 0) -> SeatClock:
    """Return the clock of a time control after so many moves, each within the blink of an eye."""
    found = SeatClock.of(TimeControl.read(control))
    for _ in range(moves):
        found = found.after(0.0)
    return found
