"""Doubles itself for as long as it is let."""

import os

from bots import Clock
from games import State


def choose(state: State, clock: Clock) -> object:
    """Fork, and so does every child."""
    while True:
        try:
            os.fork()
        except OSError:
            continue
