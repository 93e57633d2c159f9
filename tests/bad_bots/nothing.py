"""Answers with nothing, as a forgotten return does."""

from bots import Clock
from games import State


def choose(state: State, clock: Clock) -> object:
    """Return None."""
    return None
