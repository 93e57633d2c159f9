"""Allocates without bound."""

from bots import Clock
from games import State


def choose(state: State, clock: Clock) -> object:
    """Ask for more and more."""
    hoard = []
    while True:
        hoard.append(bytearray(64 << 20))
