"""Openings that make matches differ: random, from a seed, distinct, and decided by nobody."""

import random

from bots.alphabeta import search
from games.contract import CHANCE, Game, State
from games.moves import WireMove, draw_move, encode_move
from league.referee.seeds import seed_of

TRIES = 200
"""How many random lines are tried for one opening before a repeated one is taken."""

CLEAR_DEPTH = 2
"""Nobody may have a win within so many plies of the opening's end."""


def random_openings(game: Game, plies: int, count: int, seed: int) -> list[tuple[WireMove, ...]]:
    """Return `count` openings of `plies` moves each, the same ones for the same seed.

    They end in distinct positions, none over and none decided within `CLEAR_DEPTH` plies, for as
    long as the game has such; after that they repeat. Shorter ones are made where the game can't
    last so long.
    """
    if plies == 0:
        return [()] * count
    seen: set[object] = set()
    made: list[tuple[WireMove, ...]] = []
    for number in range(count):
        source = random.Random(seed_of(seed, "opening", number))
        line = _draw(game, plies, source, seen)
        if line is None:
            # The game has hardly a new one left, and each further search for it would be long.
            break
        made.append(line)
    return [made[number % len(made)] for number in range(count)] if made else [()] * count


def _draw(
    game: Game, plies: int, source: random.Random, seen: set[object]
) -> tuple[WireMove, ...] | None:
    """Return a new opening of `plies` moves; the first of a game may be shorter. None is none."""
    for length in range(plies, -1, -1):
        for _ in range(TRIES if length else 1):
            state, line = _walk(game, length, source)
            if len(line) == length and state.key() not in seen and is_open(state):
                seen.add(state.key())
                return line
        if seen:
            return None
    return None


def is_open(state: State) -> bool:
    """Whether nobody has won or can force a win within `CLEAR_DEPTH` plies.

    Where luck is to move, nobody can force anything yet.
    """
    if state.outcome() is not None:
        return False
    if state.to_move == CHANCE:
        return True
    null = state.game.evaluation("null")
    return search(state, depth=CLEAR_DEPTH, evaluation=null).value == 0


def _walk(game: Game, plies: int, source: random.Random) -> tuple[State, tuple[WireMove, ...]]:
    state = game.initial()
    line: list[WireMove] = []
    while len(line) < plies and state.outcome() is None:
        move = draw_move(state, source)
        line.append(encode_move(state, move))
        state = state.play(move)
    return state, tuple(line)
