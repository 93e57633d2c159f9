"""Ends its process without a word."""

import os

from bots import Clock
from games import State


def choose(state: State, clock: Clock) -> object:
    """Exit."""
    os._exit(3)
