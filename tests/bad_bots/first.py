"""A harmless bot for the other seat: the first legal move."""

from bots import Clock
from games import State


def choose(state: State, clock: Clock) -> object:
    """Answer at once."""
    return state.legal_moves()[0]
