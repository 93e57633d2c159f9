"""Hunts for the referee's pipe and writes nonsense on every descriptor it finds."""

import os

from bots import Clock
from games import State


def choose(state: State, clock: Clock) -> object:
    """Write half-right messages, NUL bytes and broken UTF-8."""
    for descriptor in range(3, 20):
        try:
            os.write(descriptor, b'\xff\x00{"ask": \n[[[[[\n')
        except OSError:
            continue
    return state.legal_moves()[0]
