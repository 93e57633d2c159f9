"""Random openings from a seed: distinct, and not yet decided."""

import random

from bots.alphabeta import search
from games.support.game import CHANCE, Game, State
from games.support.moves import WireMove, draw_move, encode_move
from league.match.openings.opening import Opening
from league.match.seeds import seed_of

TRIES = 200
"""How many random lines to try for one opening before openings repeat."""

CLEAR_DEPTH = 2
"""Neither side may have a forced win within this many plies of the opening's end."""


class DrawnOpenings:
    """Openings of `plies` random moves each; the same seed gives the same openings.

    While the game has such positions, they end in ones that are distinct up to symmetry, not over
    and not decided within `CLEAR_DEPTH` plies. If the game can't last `plies` moves, they are
    shorter. Each is drawn on first use, after all those with smaller numbers.
    """

    def __init__(self, game: Game, plies: int, seed: int) -> None:
        self._game = game
        self._plies = plies
        self._seed = seed
        self._seen: set[object] = set()
        self._made: list[Opening] = []
        self._is_spent = False

    def __getitem__(self, number: int) -> Opening:
        """Return an opening by number, from 0."""
        made = self._made
        return made[number % self.distinct(number + 1)]

    def distinct(self, most: int) -> int:
        """Return how many of the first `most` openings are distinct."""
        made = self._made
        while len(made) < most and not self._is_spent:
            line = self._draw(random.Random(seed_of(self._seed, "opening", len(made))))
            # With hardly any new openings left, every further search would take long.
            self._is_spent = line is None
            if line is not None or not made:
                made.append(Opening(self._game.spec, line or ()))
        return min(most, len(made))

    def _draw(self, source: random.Random) -> tuple[WireMove, ...] | None:
        """Return a new line of moves, or None; the first of a game may be shorter."""
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
    """Whether nobody has won or can force a win in `CLEAR_DEPTH` plies; True at chance nodes."""
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
