"""A harmless bot that takes a while."""

import time

from bots import Clock
from games import State


def choose(state: State, clock: Clock) -> object:
    """Wait, then move."""
    time.sleep(0.05)
    return state.legal_moves()[0]
