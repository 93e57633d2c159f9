"""Sets an attribute of the position it is given."""

from bots import Clock
from games import State


def choose(state: State, clock: Clock) -> object:
    """Take the move of its opponent away, and move."""
    state.to_move = 1 - state.to_move  # type: ignore[misc]  # the attack itself
    return state.legal_moves()[0]
