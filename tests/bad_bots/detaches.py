"""Leaves a child in a session of its own that computes for ever, and plays properly."""

import os

from bots import Clock
from games import State


def _leave_child() -> None:
    if os.fork():
        return
    os.setsid()
    if os.fork():
        os._exit(0)
    while True:
        pass


def choose(state: State, clock: Clock) -> object:
    """Leave one more child behind, then move."""
    _leave_child()
    return state.legal_moves()[0]
