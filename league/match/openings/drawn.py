"""Openings that make matches differ: random, from a seed, distinct, and decided by nobody."""

import random

from bots.alphabeta import search
from games.support.game import CHANCE, Game, State
from games.support.moves import WireMove, draw_move, encode_move
from league.match.openings.opening import Opening
from league.match.seeds import seed_of

TRIES = 200
"""How many random lines are tried for one opening before a repeated one is taken."""

CLEAR_DEPTH = 2
"""Nobody may have a win within so many plies of the opening's end."""


class DrawnOpenings:
    """Openings of `plies` random moves each, the same ones for the same seed.

    They end in positions that are distinct up to the game's symmetries, none over and none decided
    within `CLEAR_DEPTH` plies, for as long as the game has such. Shorter ones are made where the
    game can't last so long. Each is drawn when it is first asked for, after those of smaller
    numbers.
    """

    def __init__(self, game: Game, plies: int, seed: int) -> None:
        self._game = game
        self._plies = plies
        self._seed = seed
        self._seen: set[object] = set()
        self._made: list[Opening] = []
        self._is_spent = False

    def __getitem__(self, number: int) -> Opening:
        """Return the opening of that number, from 0."""
        made = self._made
        return made[number % self.distinct(number + 1)]

    def distinct(self, most: int) -> int:
        """Return how many of the first `most` openings are distinct."""
        made = self._made
        while len(made) < most and not self._is_spent:
            line = self._draw(random.Random(seed_of(self._seed, "opening", len(made))))
            # The game has hardly a new one left, and each further search for it would be long.
            self._is_spent = line is None
            if line is not None or not made:
                made.append(Opening(self._game.spec, line or ()))
        return min(most, len(made))

    def _draw(self, source: random.Random) -> tuple[WireMove, ...] | None:
        """Return a new line of moves; the first of a game may be shorter. None is none."""
        for length in range(self._plies, -1, -1):
            for _ in range(TRIES if length else 1):
                state, line = _walk(self._game, length, source)
                if len(line) == length and state.key() not in self._seen and is_open(state):
                    self._seen.update(key for key, _ in state.symmetries())
                    self._seen.add(state.key())
                    return line
            if self._seen:
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
