"""Ends its process as if all were well."""

import os

from bots import Clock
from games import State


def choose(state: State, clock: Clock) -> object:
    """Exit."""
    os._exit(0)
