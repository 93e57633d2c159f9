"""The supervisor of a host: starts its processes, restarts what dies or hangs, ends them all."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from league.hosting.supervisor.events import Tell

FIRST_WAIT_S, LONGEST_WAIT_S = 1.0, 60.0
"""The pauses before a restart; each is twice as long as the one before."""

HEALTHY_S = 60.0
"""After so long a process has recovered, and its next restart waits for the first pause again."""

SILENT_S = 60.0
"""A process without a heartbeat for so long hangs."""

LOOK_S = 0.1
"""Interval between checks for ended processes while all are to end."""


class Process(Protocol):
    """A process that was started."""

    pid: int

    def poll(self) -> int | None:
        """Return how it ended, None while it runs."""

    def terminate(self) -> None:
        """Ask it to end."""

    def kill(self) -> None:
        """End it at once."""


Start = Callable[[str], Process]
"""Starts the process of that name."""

Beats = Callable[[], Mapping[str, int] | None]
"""Returns the latest heartbeat by process, None while the database can't be read."""


@dataclass(slots=True)
class _Kept:
    """A process that is kept running, and how often it has failed in a row."""

    name: str
    process: Process | None = None
    started_s: float = 0.0
    due_s: float = 0.0
    failures: int = 0
    restarts: int = 0
    beat: int | None = None
    beat_s: float = 0.0


class Supervisor:
    """Keeps processes running; call `look` often, and `end` at last.

    A heartbeat is a number that must change, so that a clock that is set does no harm. `sweep` is
    called after a process has ended, to end what it left behind.
    """

    def __init__(
        self,
        names: Sequence[str],
        start: Start,
        beats: Beats,
        tell: Tell,
        *,
        sweep: Callable[[], None] = lambda: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._kept = [_Kept(name) for name in names]
        self._start = start
        self._beats = beats
        self._tell = tell
        self._sweep = sweep
        self._clock = clock

    @property
    def restarts(self) -> dict[str, int]:
        """Return the number of restarts of each process."""
        return {each.name: each.restarts for each in self._kept}

    @property
    def pids(self) -> dict[str, int]:
        """The processes that run, by name."""
        return {each.name: each.process.pid for each in self._kept if each.process is not None}

    def look(self) -> None:
        """Start what is due, note what has ended, and end what hangs."""
        for each in self._kept:
            self._look_at(each)
        beats = self._beats()
        for each in self._kept:
            self._listen_to(each, beats)

    def end(self, grace_s: float, pause: Callable[[float], None] = time.sleep) -> bool:
        """Ask all processes to end, and kill those that take longer; return whether none did."""
        for each in self._kept:
            if each.process is not None:
                each.process.terminate()
        end_s = self._clock() + grace_s
        while self._living() and self._clock() < end_s:
            pause(LOOK_S)
        late = self._living()
        for each in late:
            self._tell("killed", f"{each.name} did not end within {grace_s:g} s", each.name)
            if each.process is not None:
                each.process.kill()
        while self._living():
            pause(LOOK_S)
        self._sweep()
        return not late

    def _living(self) -> list[_Kept]:
        return [each for each in self._kept if each.process and each.process.poll() is None]

    def _look_at(self, kept: _Kept) -> None:
        at_s = self._clock()
        if kept.process is not None:
            status = kept.process.poll()
            if status is None:
                if at_s - kept.started_s >= HEALTHY_S:
                    kept.failures = 0
                return
            self._ended(kept, status, at_s)
        if at_s < kept.due_s:
            return
        is_again = kept.started_s > 0 or kept.failures > 0
        try:
            kept.process = self._start(kept.name)
        except OSError as error:
            kept.process = None
            kept.failures += 1
            kept.due_s = at_s + _wait_s(kept.failures)
            self._tell("failed", f"{kept.name} can't be started: {error}", kept.name)
            return
        kept.restarts += is_again
        kept.started_s = kept.beat_s = at_s
        kept.beat = None
        self._tell("started", f"{kept.name} started (process {kept.process.pid})", kept.name)

    def _ended(self, kept: _Kept, status: int, at_s: float) -> None:
        if at_s - kept.started_s >= HEALTHY_S:
            kept.failures = 0
        kept.process = None
        kept.failures += 1
        wait_s = _wait_s(kept.failures)
        kept.due_s = at_s + wait_s
        how = f"was killed by signal {-status}" if status < 0 else f"ended with status {status}"
        self._tell("ended", f"{kept.name} {how}: started again in {wait_s:g} s", kept.name)
        self._sweep()

    def _listen_to(self, kept: _Kept, beats: Mapping[str, int] | None) -> None:
        if kept.process is None:
            return
        at_s = self._clock()
        beat = None if beats is None else beats.get(kept.name)
        # While nobody can read the database, nobody can write a heartbeat either.
        if beats is None or beat != kept.beat:
            kept.beat, kept.beat_s = beat, at_s
        elif at_s - kept.beat_s >= SILENT_S:
            told = f"{kept.name} has shown no sign of life for {SILENT_S:g} s: it is ended"
            self._tell("silent", told, kept.name)
            kept.process.kill()
            kept.beat_s = at_s


def _wait_s(failures: int) -> float:
    return min(FIRST_WAIT_S * 2.0 ** (min(failures, 10) - 1), LONGEST_WAIT_S)
