"""Random hands of Texas hold'em."""

import random
from typing import Any

from hypothesis import strategies as st

from games.holdem import HoldemState
from games.support.game import CHANCE
from games.support.moves import draw_move
from games.support.specs import find_game

SPECS = (
    "holdem",
    "holdem?sizes=any",
    "holdem?sizes=any&stack=3",
    "holdem?sizes=33,75,150&stack=20",
    "holdem?betting=limit",
    "holdem?betting=limit&stack=7",
    "holdem?stack=1",
)


def choose(state: HoldemState, source: random.Random) -> Any:
    """Draw a move of a seat, mostly one that goes on, and a low bet as often as a high one."""
    moves = state.legal_moves()
    calm = [move for move in moves if move not in ("fold", "all-in")]
    if not calm or source.random() < 0.1:
        return source.choice(moves)
    return calm[min(int(source.expovariate(0.5)), len(calm) - 1)]


def walk(spec: str, seed: int) -> list[HoldemState]:
    """Return the positions of a random hand."""
    source = random.Random(seed)
    state = find_game(spec).initial()
    assert isinstance(state, HoldemState)
    states = [state]
    while state.outcome() is None:
        is_luck = state.to_move == CHANCE
        state = state.play(draw_move(state, source) if is_luck else choose(state, source))
        states.append(state)
    return states


hands = st.builds(walk, st.sampled_from(SPECS), st.integers(0, 2**32))
