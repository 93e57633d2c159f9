"""The time of one answer: when it is late, and what it is charged."""

import time

from league.model.records import TICK_NS, ReportRecord, Termination, in_ticks
from league.platform.cpu_usage import CpuUsage
from league.seats.process.bot_process import CPU_S, Aside, BotProcess, ProcessLate
from league.seats.process.idle_bots import IdleBots
from league.seats.seat import MoveBudget, SeatAnswer, SeatFault

COMPUTES_NS = 100_000
"""A mover that has used so much processor time computes, and has not only begun to read."""

COUNT_NS, COUNT_SHARE = 10_000_000, 20
"""After so long, or this part of a longer limit, the bot's processor time is first looked at.

Under a shorter limit it is looked at after a quarter.
"""

STALL_NS = 50_000_000
"""A referee that wakes up later than planned by so much was itself stopped, not only delayed.

A shorter delay is no excuse: an answer that came meanwhile is read, and a bot that was kept waiting
has its own count.
"""

FURTHER_NS = 1_000_000
"""The least by which a deadline moves."""

PATIENCE = 20
PATIENCE_NS = 10_000_000_000
"""A bot that is kept from computing gets at most this factor of its time plus this time more."""


class Stopwatch:
    """Measures one answer, starting when the bot has been resumed and before the request.

    A bot is late if it has not answered within its limit and the grace, not counting the time for
    which it was kept from computing: it was ready to run, and others had the processor, or the
    referee itself was held up, together at most the time in which no process of the bot computed.
    A bot that sleeps, or whose own threads and children crowd each other out, therefore gains
    nothing. The clock stands while `idle_bots` are suspended. The bot's own resuming is not
    counted, but what its processes do meanwhile is.
    """

    __slots__ = (
        *("_before", "_budget", "_counted", "_cpu", "_first_end", "_idle_bots", "_looked", "_next"),
        *("_process", "_stalled", "_used", "_wall", "begin", "end", "until"),
    )

    def __init__(
        self,
        process: BotProcess,
        budget: MoveBudget,
        idle_bots: IdleBots | None = None,
    ) -> None:
        self._process = process
        self._budget = budget
        if idle_bots is not None and idle_bots.make_way(process):
            idle_bots = None
        self._idle_bots = idle_bots
        self._cpu = process.cpu_ns()
        self.begin = self._looked = begin = _resumed(process)
        limit_s = budget.limit_s
        self.until = None if limit_s is None else begin + int(limit_s * 1e9)
        allowed = int(budget.allowed_s * 1e9)
        self.end = self._first_end = begin + allowed
        self._counted = begin + min(max(COUNT_NS, allowed // COUNT_SHARE), allowed // 4)
        self._next = self._counted
        if idle_bots is not None:
            self._next = min(self._next, begin + idle_bots.pause_ns(process, 0))
        self._before: CpuUsage | None = None
        self._stalled = 0
        self._wall = 0
        self._used: int | None = None

    def read_line(self, aside: Aside | None = None) -> bytes:
        """Return the bot's next line that is not `aside`; raise like `BotProcess.read_line`."""
        while True:
            try:
                return self._process.read_line(self._next, aside)
            except ProcessLate:
                if not self._goes_on():
                    raise

    def look(self) -> None:
        """Do what is due while nobody reads a line; raise `ProcessLate` if the bot is late."""
        if time.monotonic_ns() >= self._next and not self._goes_on():
            raise ProcessLate

    def stop(self) -> None:
        """Record the time of an answer."""
        stopped = time.monotonic_ns()
        after = self._process.cpu_ns()
        self._process.rest(after)
        self._used = None if self._cpu is None or after is None else after - self._cpu
        self._wall = stopped - self.begin
        self._process.has_computed = (self._used or 0) > COMPUTES_NS
        if stopped > (self._first_end if self.until is None else self.until):
            self._stalled += max(0, stopped - self.end)
            self._wall = min(self._wall - self._excused_ns(stopped), self._first_end - self.begin)

    def answer(self, wire: object, report: ReportRecord | None) -> SeatAnswer:
        """Return the answer with its measured cost."""
        wall, until, used = self._wall, self.until, self._used
        over = 0 if until is None else self.begin + wall - until
        return SeatAnswer(
            wire,
            wall - wall % TICK_NS,
            None if used is None else used - used % TICK_NS,
            in_ticks(over) if over > 0 else 0,
            report,
        )

    def late(self, more: str = "") -> SeatFault:
        """Return the fault of a late answer; `more` is appended to its text."""
        wall = time.monotonic_ns() - self.begin
        now = self._process.cpu_ns()
        used = None if now is None or self._cpu is None else now - self._cpu
        told = "" if used is None else f", {used / 1e9:.3f} s of it computing"
        allowed = self._budget.allowed_text
        if self._is_spent():
            allowed = "as much processor time as the process of a bot has"
        elif kept := self.end - self._first_end:
            allowed += f", and {kept / 1e9:.3f} s in which it was kept from computing"
        return SeatFault(
            Termination.TIME_FORFEIT,
            f"had not moved after {wall / 1e9:.3f} s{told}; allowed: {allowed}{more}",
            in_ticks(wall),
            None if used is None else in_ticks(used),
        )

    def _goes_on(self) -> bool:
        """Do what is due, and set the time to look again; return False if the bot is late."""
        now = time.monotonic_ns()
        if now - self._next >= STALL_NS:
            # When within its wait the referee was stopped can't be told.
            self._stalled += now - self._looked
        self._looked = now
        if self._idle_bots is not None:
            self._make_way(self._idle_bots, now)
        if now >= self._counted and self._before is None:
            self._before = self._process.usage()
        if self._is_spent():
            return False
        if self._next < self.end:
            self._next = self._counted if self._next < self._counted else self.end
            if self._idle_bots is not None:
                pause = self._idle_bots.pause_ns(self._process, now - self.begin)
                self._next = min(self._next, now + pause)
            return True
        allowed = self._first_end - self.begin
        kept = min(self._excused_ns(now), PATIENCE * allowed + PATIENCE_NS)
        end = self._first_end + kept
        if end < now + FURTHER_NS:
            return False
        self._next = self.end = end
        return True

    def _make_way(self, idle_bots: IdleBots, now: int) -> None:
        """Suspend other bots if that is due; the clock stands meanwhile."""
        if idle_bots.freeze_restless(self._process):
            took = time.monotonic_ns() - now
            self.begin += took
            self.end += took
            self._first_end += took
            self._counted += took
            self._looked += took
            if self.until is not None:
                self.until += took

    def _is_spent(self) -> bool:
        """Whether the bot, or it with its children, has used up its CPU time."""
        with_children = self._before.used_ns if self._before else 0
        return max(self._process.cpu_ns() or 0, with_children) > CPU_S * 1e9

    def _excused_ns(self, now: int) -> int:
        """Return how long the bot was kept from computing."""
        used = (self._process.cpu_ns() or 0) - (self._cpu or 0)
        waited = 0
        if self._before is not None:
            usage = self._process.usage()
            used = max(used, usage.used_since(self._before))
            waited = usage.waited_since(self._before)
        return max(0, min(max(waited, self._stalled), now - self.begin - used))


def _resumed(process: BotProcess) -> int:
    """Resume a bot, and return when its clock starts.

    That is later by the time that this thread needed, and earlier by what the bot has computed
    although it was suspended.
    """
    if not process.is_frozen:
        return time.monotonic_ns()
    begin, mine = time.monotonic_ns(), time.thread_time_ns()
    stolen = process.thaw()
    return begin + time.thread_time_ns() - mine - stolen
