"""Writes to its log without end."""

import sys

from bots import Clock
from games import State


def choose(state: State, clock: Clock) -> object:
    """Write for ever."""
    while True:
        sys.stderr.write("x" * 65536)
