"""Answers with numbers that no memory holds."""

from pipe import raw  # type: ignore[import-not-found]  # beside it, as a user's would be

from bots import Clock
from games import State


def choose(state: State, clock: Clock) -> object:
    """Count to the end of the universe."""
    raw(b'{"ask":1,"move":' + b"9" * 100_000 + b"}\n")
    return 3
