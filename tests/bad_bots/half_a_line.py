"""Begins an answer and falls silent."""

import time

from pipe import raw  # type: ignore[import-not-found]  # beside it, as a user's would be

from bots import Clock
from games import State


def choose(state: State, clock: Clock) -> object:
    """Stop in the middle."""
    raw(b'{"ask":1,"mov')
    while True:
        time.sleep(1)
