"""Sets an attribute of the position it is given."""

from typing import Any

from bots import Clock


def choose(state: Any, clock: Clock) -> object:
    """Take the move of its opponent away, and move."""
    state.to_move = 1 - state.to_move
    return state.legal_moves()[0]
