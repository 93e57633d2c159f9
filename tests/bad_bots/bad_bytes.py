"""Answers with NUL bytes and what is no UTF-8."""

from pipe import raw  # type: ignore[import-not-found]  # beside it, as a user's would be

from bots import Clock
from games import State


def choose(state: State, clock: Clock) -> object:
    """Write bytes."""
    raw(b'{"ask":1,\x00"move":\xff\xfe}\n')
    return 3
