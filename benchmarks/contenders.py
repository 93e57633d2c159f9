"""Who takes part in a comparison, what they need, and how they take turns under a time limit."""

import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median
from types import FrameType

from benchmarks.measures import Run, digits, time_of

Work = Callable[[int], Run]
"""What a contender does, given a size: a depth in plies, or a number of simulations."""


class Missing(Exception):
    """What a contender needs is not installed."""


class Overtime(Exception):
    """A run took longer than it may."""


@dataclass(frozen=True, slots=True)
class Contender:
    """One that takes part: `make` prepares its work, and `get` is how to get what that needs.

    `make` raises `ImportError` or `Missing`. `is_plain` marks the searches that make exactly the
    nodes of alpha-beta.
    """

    name: str
    get: str
    make: Callable[[], Work]
    is_plain: bool = False


@dataclass(frozen=True, slots=True)
class Times:
    """What the runs of one contender at one size took; `is_over` where one ran into the limit."""

    runs: tuple[Run, ...]
    limit_s: float
    is_over: bool = False

    def cell(self) -> str:
        """Write the median in milliseconds."""
        return f"over {self.limit_s:g} s" if self.is_over else digits(1e3 * time_of(self.runs))

    def times_of(self, other: "Times") -> str:
        """Write how many times as long as the other this one took."""
        if other.is_over:
            return "–"
        if self.is_over:
            return f"> {digits(self.limit_s / time_of(other.runs))}"
        pairs = zip(self.runs, other.runs, strict=True)
        return digits(median(mine.time_s / theirs.time_s for mine, theirs in pairs))

    def rate(self) -> float:
        """Return nodes or simulations a second, of runs that counted them."""
        return median((run.nodes or 0) / run.time_s for run in self.runs)

    def nodes(self) -> str:
        """Write the nodes or simulations of a run."""
        is_known = self.runs and self.runs[0].nodes is not None
        return f"{self.runs[0].nodes:,}" if is_known else "–"


def ready(contenders: Sequence[Contender]) -> tuple[dict[str, Work], list[str]]:
    """Prepare all that can be; return their work by name, and a line for each that is missing."""
    works: dict[str, Work] = {}
    missing: list[str] = []
    for each in contenders:
        try:
            works[each.name] = each.make()
        except (ImportError, Missing) as error:
            missing.append(f"missing: {each.name} ({error}); to get it: {each.get}")
    return works, missing


def race(works: dict[str, Work], size: int, rounds: int, limit_s: float) -> dict[str, Times]:
    """Run all in turn, `rounds` times; who runs into the limit once takes part no longer."""
    runs: dict[str, list[Run]] = {name: [] for name in works}
    late: set[str] = set()
    for _ in range(rounds):
        for name, work in works.items():
            if name in late:
                continue
            try:
                with limited(limit_s):
                    runs[name].append(work(size))
            except Overtime:
                late.add(name)
    return {name: Times(tuple(done), limit_s, name in late) for name, done in runs.items()}


@contextmanager
def limited(limit_s: float) -> Iterator[None]:
    """Raise `Overtime` in what runs within, after so many seconds; for the main thread alone."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise Overtime

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, limit_s)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
