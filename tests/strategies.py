"""Hypothesis strategies: positions that random play reaches."""

import random

from hypothesis import strategies as st

from games import catalogue
from games.contract import State

SPECS = (
    "tictactoe",
    "connectfour",
    "connectfour?columns=5&rows=4&connect=3",
    "connectfour?columns=4&rows=4&connect=4",
    "connectfour?columns=9&rows=7&connect=5",
    "connectfour?columns=3&rows=1&connect=2",
    "connectfour?columns=1&rows=3&connect=2",
    "connectfour?columns=2&rows=2&connect=9",
)


def walk(spec: str, seed: int, plies: int) -> list[State]:
    """Return the positions of a random match of at most `plies` plies, the first one included."""
    source = random.Random(seed)
    states: list[State] = [catalogue.find(spec).initial()]
    while len(states) <= plies and states[-1].outcome() is None:
        states.append(states[-1].play(source.choice(list(states[-1].legal_moves()))))
    return states


def walks(spec: str, plies: int = 200) -> st.SearchStrategy[list[State]]:
    """Draw random matches of a game."""
    return st.builds(walk, st.just(spec), st.integers(0, 2**32), st.integers(0, plies))


def positions(spec: str, plies: int = 200) -> st.SearchStrategy[State]:
    """Draw positions of a game, decided ones too."""
    return walks(spec, plies).map(lambda states: states[-1])


def open_positions(spec: str, plies: int = 200) -> st.SearchStrategy[State]:
    """Draw positions of a game that are not over."""
    return walks(spec, plies).map(
        lambda states: states[-1] if states[-1].outcome() is None else states[-2]
    )
