"""What an answer costs is taken when it is there, whatever follows."""

from types import SimpleNamespace
from typing import cast

import pytest

from league.model.records import Termination
from league.seats.process.bot_process import BotProcess
from league.seats.process_seat import Stopwatch
from league.seats.seat import MoveBudget, SeatFault


class Busy:
    """A process that computes a millisecond at a time."""

    def __init__(self) -> None:
        self.spent = 0

    def cpu_ns(self) -> int:
        """Return a millisecond more than last time."""
        self.spent += 1_000_000
        return self.spent


class Now:
    """The time, which the test lets pass."""

    def __init__(self) -> None:
        self.ns = 10**12

    def monotonic_ns(self) -> int:
        """Return the time."""
        return self.ns


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> Now:
    """Give the watches the time of the test."""
    made = Now()
    clock = SimpleNamespace(monotonic_ns=made.monotonic_ns)
    monkeypatch.setattr("league.seats.process_seat.time", clock)
    return made


def watch(budget: MoveBudget) -> Stopwatch:
    """Return a watch over a busy process."""
    return Stopwatch(cast(BotProcess, Busy()), budget)


def test_what_follows_the_answer_is_not_counted(now: Now) -> None:
    timed = watch(MoveBudget(move_s=10.0))
    now.ns += 30_000_000
    timed.stop()
    now.ns += 50_000_000
    answer = timed.answer(3, None)
    assert (answer.wire, answer.wall_ns, answer.cpu_ns) == (3, 30_000_000, 1_000_000)
    assert answer.over_ns == 0


def test_an_answer_may_be_late_within_the_grace(now: Now) -> None:
    timed = watch(MoveBudget(move_s=0.001, grace_s=0.01))
    now.ns += 10_000_000
    timed.stop()
    assert timed.answer(3, None).over_ns == 9_000_000


def test_an_answer_after_the_grace_is_none(now: Now) -> None:
    timed = watch(MoveBudget(move_s=0.001, grace_s=0.001))
    now.ns += 10_000_000
    with pytest.raises(
        SeatFault, match=r"had not moved after 0\.010 s, 0\.001 s of it computing"
    ) as late:
        timed.stop()
    assert late.value.termination is Termination.TIME_FORFEIT
