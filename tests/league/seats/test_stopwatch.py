"""What an answer costs is taken when it is there, whatever follows."""

import time
from typing import cast

import pytest

from league.records import Termination
from league.seats.base import Stopwatch
from league.seats.contract import Budget, SeatFault
from league.seats.process import BotProcess


class Busy:
    """A process that computes a millisecond at a time."""

    def __init__(self) -> None:
        self.spent = 0

    def cpu_ns(self) -> int:
        """Return a millisecond more than last time."""
        self.spent += 1_000_000
        return self.spent


def watch(budget: Budget) -> Stopwatch:
    """Return a watch over a busy process."""
    return Stopwatch(cast(BotProcess, Busy()), budget)


def test_what_follows_the_answer_is_not_counted() -> None:
    timed = watch(Budget(move_s=10.0))
    timed.stop()
    time.sleep(0.05)
    answer = timed.answer(3, None)
    assert answer.wall_ns < 50_000_000
    assert (answer.wire, answer.cpu_ns, answer.over_ns) == (3, 1_000_000, 0)


def test_an_answer_may_be_late_within_the_grace() -> None:
    timed = watch(Budget(move_s=0.001, grace_s=10.0))
    time.sleep(0.01)
    timed.stop()
    assert timed.answer(3, None).over_ns > 8_000_000


def test_an_answer_after_the_grace_is_none() -> None:
    timed = watch(Budget(move_s=0.001, grace_s=0.001))
    time.sleep(0.01)
    with pytest.raises(
        SeatFault, match=r"had not moved after 0\.\d+ s, 0\.001 s of it computing"
    ) as late:
        timed.stop()
    assert late.value.termination is Termination.TIME_FORFEIT
