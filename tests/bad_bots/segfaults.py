"""Reads where it must not."""

import ctypes

from bots import Clock
from games import State


def choose(state: State, clock: Clock) -> object:
    """Crash the interpreter itself."""
    ctypes.string_at(0)
    return 0
