"""Blocks inside C with the interpreter lock held: no signal handler and no thread runs."""

from bots import Clock
from games import State


def choose(state: State, clock: Clock) -> object:
    """Compute one power for minutes."""
    return 3 ** (10**9) % 7
