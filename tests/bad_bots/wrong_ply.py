"""Answers a question that nobody asked, and no other."""

import time

from pipe import raw  # type: ignore[import-not-found]  # beside it, as a user's would be

from bots import Clock
from games import State


def choose(state: State, clock: Clock) -> object:
    """Answer the thousandth."""
    raw(b'{"ask":1000,"move":3}\n')
    while True:
        time.sleep(1)
