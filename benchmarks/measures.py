"""Runs that take turns, what they come to, and how that is written."""

import datetime
import os
import platform
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import floor, log10
from pathlib import Path
from statistics import median

Row = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Run:
    """One timed piece of work: its seconds, the nodes or simulations it made, the value it found.

    Seconds are of processor time: other work on the machine counts for little then. None is what
    was not counted or is not told.
    """

    time_s: float
    nodes: int | None
    value: float | None


def alternate(rounds: int, *runs: Callable[[], Run]) -> list[list[Run]]:
    """Run everything in turn `rounds` times; return the runs of each, in order."""
    done = [[run() for run in runs] for _ in range(rounds)]
    return [list(column) for column in zip(*done, strict=True)]


def time_of(runs: Sequence[Run]) -> float:
    """Return the median time in seconds."""
    return median(run.time_s for run in runs)


def ratio(over: Sequence[Run], under: Sequence[Run]) -> float:
    """Return how many times as long the first took, as the median over the rounds."""
    return median(a.time_s / b.time_s for a, b in zip(over, under, strict=True))


def table(headings: Sequence[str], rows: Sequence[Row]) -> str:
    """Write a Markdown table."""
    lines = [headings, ["---"] * len(headings), *([str(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


HEADINGS = ("work", "peer or goal", "its median", "our median", "times better", "spread of both")
"""The columns of what `compared` returns."""


def compared(
    work: str, peer: str, theirs: Sequence[float], ours: Sequence[float], *, is_cost: bool
) -> Row:
    """Return a row of figures that were taken in turn.

    How many times better ours are is the median over the rounds. A goal is one figure for all.
    """
    if len(theirs) == 1:
        theirs = [*theirs] * len(ours)
    ratios = [a / b if is_cost else b / a for a, b in zip(theirs, ours, strict=True)]
    spread = ", ".join(f"{digits(min(each))}–{digits(max(each))}" for each in (theirs, ours))
    figures = digits(median(theirs)), digits(median(ours))
    return (work, peer, *figures, f"{median(ratios):.2f}", spread)


def digits(number: float) -> str:
    """Write a positive number by its first three digits: 0.0123, 4.56, 1,234."""
    places = max(0, 2 - floor(log10(number)))
    return f"{number:,.{places}f}"


def machine() -> str:
    """Say where and when the numbers come from."""
    version = f"{platform.python_implementation()} {platform.python_version()}"
    where = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores{_processor()}"
    return f"{version}, {where}, {datetime.datetime.now(datetime.UTC).date()}"


def _processor() -> str:
    """Name the processor where Linux knows it."""
    path = Path("/proc/cpuinfo")
    lines = path.read_text().splitlines() if path.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return f" of {names[0]}" if names else ""
