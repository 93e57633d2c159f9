"""Seats made of the bot files of the tests."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from league.records import Limits
from league.seats.python import PythonSeat
from league.snapshot import take_snapshot

BAD_BOTS = Path(__file__).parents[2] / "bad_bots"


@contextmanager
def seated(limits: Limits, *names: str) -> Iterator[list[PythonSeat]]:
    """Yield a seat for each bot file, and end them all."""
    seats = [
        PythonSeat(take_snapshot(name, str(BAD_BOTS / f"{name}.py"), {}), limits) for name in names
    ]
    try:
        yield seats
    finally:
        for seat in seats:
            seat.stop()
