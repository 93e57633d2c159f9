"""Showing a tournament in play: a live bar on a terminal, plain lines in a pipe."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from league.render.text.printable import clean
from league.tournament.progress import OnProgress, Progress

LINE_EVERY_S = 5.0
DRAW_EVERY_S = 0.1


@contextmanager
def shown_progress(names: dict[int, str], is_quiet: bool) -> Iterator[OnProgress]:
    """Yield what shows each `Progress`; `names` are the bots by version."""
    if is_quiet:
        yield lambda progress: None
    elif sys.stderr.isatty():
        with _live(names) as show:
            yield show
    else:
        yield _lines(names)


def _lines(names: dict[int, str]) -> OnProgress:
    last = time.monotonic()

    def show(progress: Progress) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= LINE_EVERY_S:
            last = now
            click.echo(_summary(progress, names), err=True)
            if progress.says:
                click.echo(f"  {clean(progress.says)}", err=True)

    return show


@contextmanager
def _live(names: dict[int, str]) -> Iterator[OnProgress]:
    from rich.console import Console, Group
    from rich.live import Live
    from rich.progress_bar import ProgressBar
    from rich.text import Text

    # No refresh thread: the runner forks, and a fork must not find a lock taken.
    with Live(console=Console(stderr=True), auto_refresh=False, transient=True) as live:
        last = 0.0

        def show(progress: Progress) -> None:
            nonlocal last
            if time.monotonic() - last < DRAW_EVERY_S:
                return
            last = time.monotonic()
            lines: list[Any] = [Text(_summary(progress, names))]
            if progress.expected:
                bar = ProgressBar(total=progress.expected, completed=progress.done, width=60)
                lines = [bar, Text(""), *lines]  # a bar alone does not end its line
            if progress.says:
                lines.append(Text(clean(progress.says)))
            lines += [Text(_pairing(job.versions), style="dim") for job in progress.in_play[:3]]
            live.update(Group(*lines), refresh=True)

        yield show


def _summary(progress: Progress, names: dict[int, str]) -> str:
    total, expected = progress.total, progress.expected
    if expected is not None and expected <= progress.done:
        # It was guessed some matches ago.
        expected = total
    of = f"/{total}" if total is not None else "" if expected is None else f" of about {expected}"
    parts = [f"{progress.done}{of} matches", f"{progress.rate:.1f}/s"]
    if progress.rate > 0 and expected is not None:
        parts.append(f"{duration(max(0, expected - progress.done) / progress.rate)} left")
    if progress.points:
        leader = max(progress.points, key=lambda one: progress.points[one] / progress.matches[one])
        share = progress.points[leader] / progress.matches[leader]
        parts.append(f"leader {clean(names[leader])} {share:.0%}")
    if progress.waits:
        parts.append("waiting for workers")
    if progress.voids:
        parts.append(f"{progress.voids} void")
    return "  ".join(parts)


def _pairing(versions: Any) -> str:
    return "  in play: " + " – ".join(clean(version.name) for version in versions)


def duration(seconds: float) -> str:
    """Write a span of time as people say it: 45 s, 3 min 20 s, 2 h 5 min."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
