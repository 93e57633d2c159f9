"""Ignores every signal that can be ignored, and never answers."""

import contextlib
import signal
import time

from bots import Clock
from games import State


def choose(state: State, clock: Clock) -> object:
    """Be deaf."""
    for number in range(1, signal.NSIG):
        if number not in (signal.SIGKILL, signal.SIGSTOP):
            with contextlib.suppress(OSError, ValueError):
                signal.signal(number, signal.SIG_IGN)
    while True:
        time.sleep(1)
