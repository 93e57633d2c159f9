"""Leaves a child in a session of its own that computes for ever, and plays properly."""

import os

from bots import Clock
from games import State

LEFT: list[int] = []


def _leave_child() -> None:
    child = os.fork()
    if child:
        # The grandchild is an orphan before the match ends, however busy the machine is.
        os.waitpid(child, 0)
        LEFT.append(child)
        return
    os.setsid()
    if os.fork():
        os._exit(0)
    while True:
        pass


def choose(state: State, clock: Clock) -> object:
    """Leave a child behind, once, and move."""
    if not LEFT:
        _leave_child()
    return state.legal_moves()[0]
