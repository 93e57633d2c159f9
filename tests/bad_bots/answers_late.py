"""Answers long after its time."""

import time

from bots import Clock
from games import State


def choose(state: State, clock: Clock) -> object:
    """Oversleep, then move."""
    time.sleep(0.6)
    return state.legal_moves()[0]
