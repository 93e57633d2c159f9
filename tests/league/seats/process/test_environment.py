"""The environment of bots: their turn to start."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from league.model.records import BotVersion, Limits
from league.seats.process.environment import BotEnvironment, StartSlots
from league.seats.protocols.exec import ExecSeat
from league.seats.python.python_seat import PythonSeat
from tests.league.seats.scripted import engine

LIMITS = Limits(depth=1, start_s=20.0)
GREETS = [(r'"id":(\d+)', r'{"id":\1,"protocol":1}')]


class CountedSlots(StartSlots):
    """Slots that count how often one was taken and given back."""

    taken = given_back = 0

    @contextmanager
    def one(self) -> Iterator[None]:
        """Take a slot, and give it back."""
        with super().one():
            self.taken += 1
            yield
        self.given_back += 1


@pytest.mark.parametrize(
    ("seat", "version"),
    [(PythonSeat, BotVersion("a", "random")), (ExecSeat, engine("exec", GREETS))],
    ids=["a Python bot", "a program"],
)
def test_a_bot_takes_a_slot_while_it_starts_and_no_longer(
    seat: type[PythonSeat | ExecSeat], version: BotVersion
) -> None:
    slots = CountedSlots(1)
    bot = seat(version, LIMITS, BotEnvironment(slots=slots))
    try:
        for _ in range(2):
            # The second time it runs already.
            bot.start()
            assert (slots.taken, slots.given_back) == (1, 1)
    finally:
        bot.stop()
