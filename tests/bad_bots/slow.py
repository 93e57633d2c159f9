"""A harmless bot that thinks for two seconds about its first move."""

import time

from bots import Clock
from games import State


def choose(state: State, clock: Clock) -> object:
    """Wait, then move."""
    if not MOVES:
        time.sleep(2)
    MOVES.append(state.legal_moves()[0])
    return MOVES[-1]


MOVES: list[object] = []
