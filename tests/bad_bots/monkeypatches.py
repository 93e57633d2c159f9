"""Rewrites the rules in its process, and plays by its own."""

import games.connectfour
from bots import Clock
from games import State


def choose(state: State, clock: Clock) -> object:
    """Make everything legal, and play it."""
    for each in type(state).__mro__[:-1]:
        if "legal_moves" in vars(each) and "abc" not in each.__module__:
            each.legal_moves = lambda self: (99,)  # type: ignore[attr-defined]  # on purpose
    games.connectfour.GAME = None  # type: ignore[assignment]  # on purpose
    return 99
