"""Answers with brackets a hundred thousand deep."""

from pipe import raw  # type: ignore[import-not-found]  # beside it, as a user's would be

from bots import Clock
from games import State


def choose(state: State, clock: Clock) -> object:
    """Nest."""
    raw(b"[" * 100_000 + b"]" * 100_000 + b"\n")
    return 3
