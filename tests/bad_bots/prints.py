"""Prints to standard output as students do, a lot of it, and plays properly."""

from bots import Clock
from games import State


def choose(state: State, clock: Clock) -> object:
    """Print, then answer the first legal move."""
    print("thinking " * 2000)
    return state.legal_moves()[0]
