"""Writes a hundred megabytes that are no line."""

from pipe import raw  # type: ignore[import-not-found]  # beside it, as a user's would be

from bots import Clock
from games import State


def choose(state: State, clock: Clock) -> object:
    """Write them where the answer goes."""
    for _ in range(100):
        raw(b"x" * (1 << 20))
    return 3
