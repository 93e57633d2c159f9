"""When an answer is late, and what it is charged."""

from types import SimpleNamespace
from typing import cast

import pytest

from league.model.records import Termination
from league.platform.cpu_usage import CpuUsage, ThreadUsage
from league.seats import stopwatch
from league.seats.process.bot_process import BotProcess, ProcessLate
from league.seats.process.idle_bots import IdleBots
from league.seats.seat import MoveBudget
from league.seats.stopwatch import Stopwatch

MS = 1_000_000


class Scripted:
    """A process on a clock of its own, and the referee beside it.

    It answers at `answers_at` (ns from the start, None for never). Each millisecond it computes
    with `computes` of its threads, and `waits` of them wait for a processor. The referee sleeps
    through `asleep`, a span in ms.
    """

    def __init__(
        self,
        answers_at: int | None = None,
        computes: float = 0.0,
        waits: float = 0.0,
        asleep: tuple[int, int] = (0, 0),
    ) -> None:
        self.ns = self.begin = 10**12
        self.answers_at, self.computes, self.waits = answers_at, computes, waits
        self.asleep = asleep
        self.is_ready = self.is_frozen = self.has_computed = False
        self.mine_ns = self.stolen_ns = 0

    def monotonic_ns(self) -> int:
        """Return the time."""
        return self.ns

    def thread_time_ns(self) -> int:
        """Return the processor time that the referee has used."""
        return self.mine_ns

    def thaw(self) -> int:
        """Go on after 100 ms, of which the referee needs 70; return what it used suspended."""
        self.is_frozen = False
        self.ns += 100 * MS
        self.mine_ns += 70 * MS
        return self.stolen_ns

    def cpu_ns(self) -> int:
        """Return the processor time used."""
        return int(self.computes * (self.ns - self.begin))

    def usage(self) -> CpuUsage:
        """Return what its threads used and waited for."""
        waited = int(self.waits * (self.ns - self.begin))
        thread = ThreadUsage(self.cpu_ns(), 0 if self.is_ready else waited, self.is_ready)
        return CpuUsage(self.ns, self.cpu_ns(), {1: thread})

    def rest(self, used_ns: int | None) -> None:
        """Stand still."""

    def read_line(self, deadline_ns: int, aside: object = None) -> bytes:
        """Return the answer, once it is there and the referee looks."""
        there = None if self.answers_at is None else self.begin + self.answers_at
        self.ns = max(self.ns, deadline_ns if there is None else min(there, deadline_ns))
        begin, end = (self.begin + ms * MS for ms in self.asleep)
        if begin < self.ns < end:
            self.ns = end
        if there is not None and there <= self.ns:
            return b"4"
        raise ProcessLate


def watched(
    monkeypatch: pytest.MonkeyPatch,
    process: Scripted,
    budget: MoveBudget = MoveBudget(move_s=0.05, grace_s=0.01),  # noqa: B008 (frozen)
    idle_bots: IdleBots | None = None,
) -> Stopwatch:
    """Return a watch over the process, on its clock."""
    clock = SimpleNamespace(
        monotonic_ns=process.monotonic_ns, thread_time_ns=process.thread_time_ns
    )
    monkeypatch.setattr(stopwatch, "time", clock)
    return Stopwatch(cast(BotProcess, process), budget, idle_bots)


def charged_ms(watch: Stopwatch) -> float:
    """Let it answer, and return what that is charged."""
    watch.read_line()
    watch.stop()
    return watch.answer(b"4", None).wall_ns / MS


def test_what_follows_the_answer_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    process = Scripted(30 * MS, computes=0.5)
    watch = watched(monkeypatch, process)
    watch.read_line()
    watch.stop()
    process.ns += 50 * MS
    answer = watch.answer(3, None)
    assert (answer.wire, answer.wall_ns, answer.cpu_ns) == (3, 30 * MS, 15 * MS)
    assert answer.over_ns == 0


def test_an_answer_may_be_late_within_the_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    watch = watched(monkeypatch, Scripted(59 * MS))
    watch.read_line()
    watch.stop()
    assert watch.answer(3, None).over_ns == 9 * MS


def test_a_bot_is_not_charged_for_its_resuming_but_for_what_it_does_meanwhile(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    process = Scripted(130 * MS, computes=0.5)
    process.is_frozen = True
    assert charged_ms(watched(monkeypatch, process)) == 60


def test_a_bot_is_charged_for_what_it_computed_while_suspended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    process = Scripted(110 * MS)
    process.is_frozen, process.stolen_ns = True, 7 * MS
    assert charged_ms(watched(monkeypatch, process)) == 47


class Crowd(IdleBots):
    """Another bot, which takes 300 ms to suspend, and computes from 10 ms on."""

    def __init__(self, process: Scripted) -> None:
        super().__init__()
        self.process = process
        self.suspended = 0

    def freeze_restless(self, mover: BotProcess) -> bool:
        """Take long."""
        if self.process.ns < self.process.begin + 10 * MS or self.suspended:
            return False
        self.process.ns += 300 * MS
        self.suspended += 1
        return True


@pytest.mark.parametrize("expected", [True, False])
def test_the_clock_stands_while_another_bot_that_computes_is_suspended(
    expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = Scripted(340 * MS, computes=0.9)
    process.has_computed = expected
    crowd = Crowd(process)
    watch = watched(monkeypatch, process, idle_bots=crowd)
    assert charged_ms(watch) == 40
    assert watch.answer(b"4", None).over_ns == 0
    assert crowd.suspended == 1


@pytest.mark.parametrize(
    ("computes", "waits"),
    [(1.0, 0.0), (0.0, 0.0), (1.0, 7.0), (0.9, 0.1)],
    ids=["computes", "sleeps", "is crowded by its own threads", "waits a little"],
)
def test_a_slow_bot_is_late(computes: float, waits: float, monkeypatch: pytest.MonkeyPatch) -> None:
    watch = watched(monkeypatch, Scripted(200 * MS, computes, waits))
    with pytest.raises(ProcessLate):
        watch.read_line()
    fault = watch.late()
    assert fault.termination is Termination.TIME_FORFEIT
    assert "s of it computing; allowed: 0.05 s and 0.01 s grace" in fault.detail


def test_a_referee_that_looks_late_excuses_nobody_who_sleeps(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    watch = watched(monkeypatch, Scripted(80 * MS, asleep=(5, 45)))
    with pytest.raises(ProcessLate):
        watch.read_line()


def test_a_bot_without_a_processor_has_longer_and_is_charged_less(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It got a tenth of a processor: after 10 ms, from when that is counted, 90% is not its own."""
    watch = watched(monkeypatch, Scripted(200 * MS, computes=0.1, waits=0.9))
    assert charged_ms(watch) == pytest.approx(10 + 190 * 0.1, abs=0.1)


def test_a_wait_that_has_not_ended_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel tells of it only afterwards."""
    process = Scripted(200 * MS)
    process.is_ready = True
    assert charged_ms(watched(monkeypatch, process)) == pytest.approx(10, abs=0.1)


def test_a_bot_without_a_processor_does_not_have_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    process = Scripted(None, computes=0.01, waits=0.99)
    watch = watched(monkeypatch, process)
    with pytest.raises(ProcessLate):
        watch.read_line()
    assert process.ns - process.begin < 20 * 10**9
    assert "in which it was kept from computing" in watch.late().detail


def test_a_bot_that_has_used_up_its_processor_time_is_late(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stopwatch, "CPU_S", 0.005)
    watch = watched(monkeypatch, Scripted(30_000 * MS, computes=1.0), MoveBudget())
    with pytest.raises(ProcessLate):
        watch.read_line()
    assert "allowed: as much processor time as" in watch.late().detail


@pytest.mark.parametrize("budget", [MoveBudget(move_s=0.05, grace_s=0.01), MoveBudget(cap_s=0.06)])
@pytest.mark.parametrize("answers_ms", [20, 55, 3000])
def test_a_referee_that_was_stopped_charges_nobody(
    answers_ms: int, budget: MoveBudget, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer is there when it looks again; when it came can't be told."""
    watch = watched(monkeypatch, Scripted(answers_ms * MS, asleep=(15, 9000)), budget)
    assert charged_ms(watch) <= 60


def test_all_were_stopped_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bot, stopped too, answers soon after."""
    watch = watched(monkeypatch, Scripted(9020 * MS, asleep=(15, 9000)))
    assert charged_ms(watch) <= 60


def test_a_bot_that_computed_while_the_referee_was_stopped_is_late(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    watch = watched(monkeypatch, Scripted(9020 * MS, computes=1.0, asleep=(15, 9000)))
    with pytest.raises(ProcessLate):
        watch.read_line()
