"""A line that tells how a long computation goes, on a terminal alone."""

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

import click

from games.support.printable import cut, printable

PAUSE_S = 1.0
"""The time between two lines, and before the first."""

_WIDTH = 79
_WIPE = "\r\x1b[K"


@contextmanager
def heartbeat(
    tell: Callable[[], str],
) -> Iterator[Callable[[], AbstractContextManager[None]]]:
    """Show the seconds and what `tell` says on standard error, over and over, then wipe it out.

    Yields what wipes it out while something else is printed.
    """
    if not sys.stderr.isatty():
        yield nullcontext
        return
    is_over, lock, begin = threading.Event(), threading.Lock(), time.monotonic()

    def beat() -> None:
        while not is_over.wait(PAUSE_S):
            told = f"{time.monotonic() - begin:.0f} s: {printable(tell())}"
            with lock:
                click.echo(f"{_WIPE}{cut(told, _WIDTH)}", nl=False, err=True)

    @contextmanager
    def wiped() -> Iterator[None]:
        with lock:
            click.echo(_WIPE, nl=False, err=True)
            yield

    thread = threading.Thread(target=beat, daemon=True)
    thread.start()
    try:
        yield wiped
    finally:
        is_over.set()
        thread.join()
        click.echo(_WIPE, nl=False, err=True)
