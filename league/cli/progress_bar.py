"""Showing a tournament in play: a live bar on a terminal, plain lines in a pipe."""

import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TextIO

import click

from games.support.printable import cut, printable
from league.model.number_format import exact_span
from league.render.text_width import width_of
from league.store.record_codec.packed_match import PackedMatch
from league.tournament.progress import OnProgress, Progress

LINE_EVERY_S = 5.0
COUNT_EVERY_S = 60.0
"""Longest time without a line while no match ends."""

DRAW_EVERY_S = 0.1
BAR_WIDTH = 60
COLUMNS = 79


@contextmanager
def shown_progress(names: dict[int, str], is_quiet: bool) -> Iterator[OnProgress]:
    """Yield what shows each `Progress`; `names` are the bots by version."""
    if is_quiet:
        yield lambda progress: None
    elif sys.stderr.isatty():
        with _live(names) as show:
            yield show
    else:
        lines = PlainLines(names)
        try:
            yield lines.show
        finally:
            lines.finish()


class PlainLines:
    """Lines for a pipe or a file: the matches that ended, in batches.

    If so many ended that not all are known, or none for a while, the line is their count. A run
    that is over before the first batch writes nothing.
    """

    def __init__(self, names: dict[int, str]) -> None:
        self._names = names
        self._shown_s = self._counted_s = time.monotonic()
        self._done: int | None = None
        self._progress: Progress | None = None

    def show(self, progress: Progress) -> None:
        """Write what is new, if it is time."""
        self._progress = progress
        self._done = progress.played_before if self._done is None else self._done
        if time.monotonic() - self._shown_s >= LINE_EVERY_S:
            self._write(progress, self._done)

    def finish(self) -> None:
        """Write what is new at the end of a run, unless that was short."""
        progress = self._progress
        if progress is None or progress.done == self._done:
            return
        if time.monotonic() - progress.begin_s >= LINE_EVERY_S:
            self._write(progress, self._done or 0)

    def _write(self, progress: Progress, before: int) -> None:
        now, done = time.monotonic(), progress.done
        new, self._done, self._shown_s = done - before, done, now
        known = list(progress.ended)[-new:] if new else []
        progress.ended.clear()
        if 0 < new <= len(known):
            self._write_matches(known, progress)
        elif new or now - self._counted_s >= COUNT_EVERY_S or progress.waits:
            click.echo(_summary(progress, self._names), err=True)
        else:
            return
        self._counted_s = now
        if progress.says:
            click.echo(f"  {printable(progress.says)}", err=True)

    def _write_matches(self, matches: Sequence[PackedMatch], progress: Progress) -> None:
        from league.cli.finished_matches import finished_line

        of = "" if progress.total is None else f"/{progress.total}"
        for number, match in enumerate(matches, progress.done - len(matches) + 1):
            click.echo(finished_line(match, f"{number}{of}", self._names), err=True)


@contextmanager
def _live(names: dict[int, str]) -> Iterator[OnProgress]:
    lines = LiveLines(sys.stderr)
    last = 0.0

    def show(progress: Progress) -> None:
        nonlocal last
        if time.monotonic() - last < DRAW_EVERY_S:
            return
        last = time.monotonic()
        shown = [_summary(progress, names)]
        if progress.expected:
            shown.insert(0, bar(progress.done / progress.expected, min(BAR_WIDTH, lines.width)))
        if progress.says:
            shown.append(printable(progress.says))
        lines.draw([*shown, *(_pairing(job.versions) for job in progress.in_play[:3])])

    try:
        yield show
    finally:
        lines.clear()


class LiveLines:
    """Lines at the bottom of a terminal that are drawn again and again, also after a resize.

    A terminal that gets narrower folds the lines that are there: they are counted as they stand
    now. No thread draws them: the runner forks, and a fork must not find a lock taken.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._drawn: list[str] = []

    @property
    def width(self) -> int:
        """Maximum width of a line; the last column stays free, because terminals differ there."""
        try:
            return max(1, os.get_terminal_size(self._stream.fileno()).columns - 1)
        except OSError:
            return COLUMNS

    def draw(self, lines: Sequence[str]) -> None:
        """Replace the lines drawn before; those that are too wide are cut."""
        width = self.width
        self._write([cut(line, width) for line in lines])

    def clear(self) -> None:
        """Take the lines away."""
        self._write([])

    def _write(self, lines: list[str]) -> None:
        columns = self.width + 1
        up = sum(max(1, -(-width_of(line) // columns)) for line in self._drawn)
        back = f"\x1b[{up}F\x1b[J" if up else ""
        self._stream.write(back + "".join(f"{line}\n" for line in lines))
        self._stream.flush()
        self._drawn = lines


def bar(share: float, width: int) -> str:
    """Draw how much is done; the rest is drawn too, so that no colour has to tell them apart."""
    done = round(max(0.0, min(1.0, share)) * width)
    return "━" * done + "─" * (width - done)


def _summary(progress: Progress, names: dict[int, str]) -> str:
    total, expected = progress.total, progress.expected
    if expected is not None and expected <= progress.done:
        # It was guessed some matches ago.
        expected = total
    of = f"/{total}" if total is not None else "" if expected is None else f" of about {expected}"
    parts = [f"{progress.done}{of} matches", f"{progress.rate:.1f}/s"]
    if progress.rate > 0 and expected is not None:
        parts.append(f"{exact_span(max(0, expected - progress.done) / progress.rate)} left")
    if len(progress.points) > 1:
        leader = max(progress.points, key=lambda one: progress.points[one] / progress.matches[one])
        share = progress.points[leader] / progress.matches[leader]
        parts.append(f"leader {printable(names[leader])} {share:.0%}")
    if progress.waits:
        parts.append("waiting for workers")
    if progress.voids:
        parts.append(f"{progress.voids} void")
    return "  ".join(parts)


def _pairing(versions: Any) -> str:
    return "  in play: " + " – ".join(printable(version.name) for version in versions)
