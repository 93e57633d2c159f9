"""Random openings from a seed: distinct, and not yet decided."""

import random
from itertools import count

from bots.alphabeta import search
from bots.support.bot import Clock
from games.support.game import CHANCE, Game, State
from games.support.moves import WireMove, draw_move, encode_move
from league.match.openings.opening import Opening
from league.match.seeds import seed_of

TRIES = 200
"""Number of random lines to try for one opening before openings repeat."""

CLEAR_DEPTH = 2
"""Neither side may have a forced win within this many plies of the opening's end."""

PROOF_NODES = 300
"""Maximum number of nodes to prove that an opening is won: below a millisecond in Connect
Four, some in chess. It finds forced wins of three plies or more."""


class DrawnOpenings:
    """Openings of `plies` random moves each; the same seed gives the same openings.

    While the game has such positions, they end in ones that are distinct up to symmetry, not over,
    not decided within `CLEAR_DEPTH` plies, and not proved won by a search of `PROOF_NODES` nodes.
    If every opening is proved won, the proof is left out: then it tells nothing. If the game can't
    last `plies` moves, openings are shorter. Each is drawn on first use, after all those with
    smaller numbers.
    """

    def __init__(self, game: Game, plies: int, seed: int) -> None:
        self._game = game
        self._plies = plies
        self._seed = seed
        self._is_proving = True
        self._seen: set[object] = set()
        self._won: set[object] = set()
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
                if len(line) == length and self._is_new(state):
                    self._seen |= _keys(state)
                    return line
            if self._seen:
                return None
            if self._won:
                self._won.clear()
                self._is_proving = False
                return self._draw(source)
        return None

    def _is_new(self, state: State) -> bool:
        key = state.key()
        if key in self._seen or key in self._won or not is_open(state):
            return False
        if self._is_proving and is_proved_won(state, PROOF_NODES):
            self._won |= _keys(state)
            return False
        return True


def is_open(state: State) -> bool:
    """Whether nobody has won or can force a win in `CLEAR_DEPTH` plies.

    True at chance nodes, and in games with secrets, where a search proves nothing.
    """
    if state.outcome() is not None:
        return False
    if state.to_move == CHANCE or state.game.has_secrets:
        return True
    null = state.game.evaluation("null")
    return search(state, depth=CLEAR_DEPTH, evaluation=null).value == 0


def is_proved_won(state: State, nodes: int) -> bool:
    """Whether a search of at most `nodes` nodes proves that either side wins.

    False in games with luck or more than two sides, where a value proves nothing.
    """
    game = state.game
    if game.has_chance or game.has_secrets or len(set(game.sides)) != 2:
        return False
    null = game.evaluation("null")
    for depth in count(CLEAR_DEPTH + 1):
        found = search(state, depth=depth, evaluation=null, clock=Clock(nodes=nodes))
        if not found.is_complete or found.value or found.is_solved:
            # A search that was cut short has proved a win, but no loss.
            return found.value > 0 or (found.is_complete and found.value != 0)
        nodes -= found.nodes
        if nodes <= 0:
            return False
    raise AssertionError("the count of depths ended")


def _keys(state: State) -> set[object]:
    return {state.key(), *(key for key, _ in state.symmetries())}


def _walk(game: Game, plies: int, source: random.Random) -> tuple[State, tuple[WireMove, ...]]:
    state = game.initial()
    line: list[WireMove] = []
    while len(line) < plies and state.outcome() is None:
        move = draw_move(state, source)
        line.append(encode_move(state, move))
        state = state.play(move)
    return state, tuple(line)
