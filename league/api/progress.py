"""The progress of a run, shown on a terminal or in a notebook."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from league.tournament.progress import OnProgress, Progress

BAR = 30
DRAW_EVERY_S = 0.2

ShowProgress: TypeAlias = bool | Callable[["Progress"], None]
"""True for a bar where somebody looks, False for nothing, or a function of each `Progress`."""


@contextmanager
def shown(progress: ShowProgress) -> Iterator[OnProgress]:
    """Yield the function to call at each step of a run."""
    if callable(progress):
        yield progress
    elif progress and (sys.stderr.isatty() or "ipykernel" in sys.modules):
        bar = _Bar(sys.stderr.write)
        try:
            yield bar.show
        finally:
            bar.end()
    else:
        yield lambda progress: None


class _Bar:
    """One line that is written again and again."""

    def __init__(self, write: Callable[[str], object]) -> None:
        self._write = write
        self._drawn_s = 0.0
        self._width = 0

    def show(self, progress: Progress) -> None:
        now = time.monotonic()
        if now - self._drawn_s >= DRAW_EVERY_S:
            self._drawn_s = now
            self._line(_text(progress))

    def end(self) -> None:
        """Take the line away."""
        self._line("")
        self._write("\r")

    def _line(self, text: str) -> None:
        self._write(f"\r{text:<{self._width}}")
        self._width = len(text)


def _text(progress: Progress) -> str:
    done, total = progress.done, progress.total or progress.expected
    if not total:
        return f"{done:,} matches  {progress.rate:.1f}/s"
    filled = round(BAR * min(1.0, done / total))
    bar = "█" * filled + "░" * (BAR - filled)
    return f"{bar} {done:,}/{total:,} matches  {progress.rate:.1f}/s"
