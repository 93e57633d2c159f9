"""Closes every descriptor it has, and stays."""

import os
import time

from bots import Clock
from games import State


def choose(state: State, clock: Clock) -> object:
    """Hang up."""
    os.closerange(0, 64)
    while True:
        time.sleep(1)
