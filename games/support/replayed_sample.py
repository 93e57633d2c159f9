"""Draw a position that agrees with a view by the rules alone: replay a match that shows the same.

A game can use it that knows no better way. Moves are drawn at random, luck's by their
probabilities; where the seat would have seen something else, other moves are tried.
"""

from collections.abc import Iterator
from random import Random

from games.support.errors import GameError
from games.support.game import CHANCE, Move, State
from games.support.view import HiddenState, View

POSITIONS_MAX = 2_000
"""The most positions to look at: a match that shows the same may be hard to find."""


def replayed_sample(view: View, random: Random) -> State:
    """Return a position that agrees with a view; raise `GameError` if none is found soon."""
    branches: list[Iterator[State]] = [iter([view.game.initial()])]
    for _ in range(POSITIONS_MAX):
        state = next(branches[-1], None)
        if state is None:
            branches.pop()
            if not branches:
                break
        elif _may_lead_to(state, view):
            if state.view(view.seat) == view:
                return state
            branches.append(_following(state, random))
    raise GameError(
        f"{view.game.title} can't draw a position that agrees with a view", view.game.spec
    )


def _may_lead_to(state: State, view: View) -> bool:
    assert isinstance(state, HiddenState)  # noqa: S101 (a game with secrets has no others)
    seen = state.events(view.seat)
    return state.outcome() is None and seen == view.events[: len(seen)]


def _following(state: State, random: Random) -> Iterator[State]:
    """Yield the positions after each move in random order, after likelier ones of luck earlier."""
    luck: dict[Move, float] = dict(state.chance()) if state.to_move == CHANCE else {}
    moves = list(luck) or list(state.legal_moves())
    while moves:
        weights = [luck[move] for move in moves] if luck else None
        move = random.choices(moves, weights)[0]
        moves.remove(move)
        yield state.play(move)
