"""Fails with an exception."""

from bots import Clock
from games import State


def choose(state: State, clock: Clock) -> object:
    """Divide by zero."""
    return 1 // (len(state.legal_moves()) - len(state.legal_moves()))
