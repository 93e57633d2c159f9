"""A line that tells how a long computation goes, on a terminal alone."""

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from games.support.printable import cut, printable

PAUSE_S = 1.0
"""The time between two lines, and before the first."""

_WIDTH = 79


@contextmanager
def heartbeat(tell: Callable[[], str]) -> Iterator[None]:
    """Show the seconds and what `tell` says on standard error, over and over, then wipe it out."""
    if not sys.stderr.isatty():
        yield
        return
    is_over, begin = threading.Event(), time.monotonic()

    def beat() -> None:
        while not is_over.wait(PAUSE_S):
            told = f"{time.monotonic() - begin:.0f} s: {printable(tell())}"
            click.echo(f"\r\x1b[K{cut(told, _WIDTH)}", nl=False, err=True)

    thread = threading.Thread(target=beat, daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()
        click.echo("\r\x1b[K", nl=False, err=True)
