"""Writes messages without end that answer nothing."""

from pipe import raw  # type: ignore[import-not-found]  # beside it, as a user's would be

from bots import Clock
from games import State


def choose(state: State, clock: Clock) -> object:
    """Write them where the answer goes."""
    while True:
        raw(b"{}\n" * 10_000)
