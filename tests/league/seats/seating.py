"""Seats made of the bot files of the tests."""

from collections.abc import Iterator
from contextlib import contextmanager

from league.model.records import Limits
from league.registration.source_snapshot import take_snapshot
from league.seats.process.environment import NO_ENVIRONMENT, BotEnvironment
from league.seats.python.python_seat import PythonSeat
from tests.paths import BAD_BOTS


@contextmanager
def seated(
    limits: Limits, *names: str, environment: BotEnvironment = NO_ENVIRONMENT
) -> Iterator[list[PythonSeat]]:
    """Yield a seat for each bot file, and end them all."""
    seats = [
        PythonSeat(take_snapshot(name, str(BAD_BOTS / f"{name}.py"), {}), limits, environment)
        for name in names
    ]
    try:
        yield seats
    finally:
        for seat in seats:
            seat.stop()
