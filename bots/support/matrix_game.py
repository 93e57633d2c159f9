"""The payoffs of a repeated matrix game, found by playing matches of it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, product, repeat
from math import fsum, isclose
from random import Random

from games.support.errors import GameError
from games.support.game import Game, Move
from games.support.view import Events, TogetherState, View

ROUNDS_MAX = 20_000
"""The most rounds to play in all: a match is played for each pair of moves."""

TRIALS = 5
"""How many random matches are compared with the payoffs."""

Pair = tuple[Move, Move]
"""The moves of both seats in a round."""

Utilities = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class MatrixGame:
    """The first position of a game, the moves of each seat, and what each pair of them pays.

    The payoffs of a round leave out a constant of each seat, which is the same for all pairs.
    """

    start: TogetherState
    moves: tuple[Sequence[Move], Sequence[Move]]
    payoffs: dict[Pair, Utilities]

    def rounds(self, view: View) -> Iterator[Pair]:
        """Yield the moves of the rounds that a view tells of."""
        assert view.seat is not None  # noqa: S101 (a seat asks)
        pairs = {self.told(pair, view.seat): pair for pair in self.payoffs}
        events = iter(view.events[len(self.start.events(view.seat)) :])
        return (pairs[told] for told in zip(*[events] * len(next(iter(pairs))), strict=True))

    def told(self, pair: Pair, seat: int) -> Events:
        """Return what a seat is told of a round."""
        return self.after(self.start, pair).events(seat)[len(self.start.events(seat)) :]

    def after(self, state: TogetherState, pair: Pair) -> TogetherState:
        """Return the position after a round."""
        return state.play(pair[0]).play(pair[1])


@lru_cache(maxsize=4)
def matrix_of(game: Game) -> MatrixGame:
    """Return the matrix of a game that repeats one.

    In such a game both seats choose together, from the same moves in each round, see what was
    chosen, and get the sum of the payoffs of all rounds. Raises `GameError` for other games, and
    if the payoffs take too long to find.
    """
    start = game.initial()
    if game.seats != 2 or game.has_chance or not isinstance(start, TogetherState):
        raise _no_matrix(game)
    moves = tuple(start.choices(0)), tuple(start.choices(1))
    matrix = MatrixGame(start, moves, {})
    usual = moves[0][0], moves[1][0]
    rounds, base, _ = _played(matrix, repeat(usual))
    trials = [_drawn(matrix, rounds, Random(seed)) for seed in range(TRIALS)]
    # Most other games show here what they are, before the many matches.
    matches = [_played(matrix, pairs) for pairs in trials]
    pairs = list(product(*moves))
    if len(pairs) * rounds > ROUNDS_MAX:
        raise GameError(f"{game.title} has too many moves and rounds to find payoffs", game.spec)
    for pair in pairs:
        _, outcome, _ = _played(matrix, chain([pair], repeat(usual)))
        matrix.payoffs[pair] = _difference(outcome, base)
    for trial, (length, outcome, last) in zip(trials, matches, strict=True):
        adds_up = _adds_up(_difference(outcome, base), trial, matrix)
        if length != rounds or not adds_up or not _shows(last, trial, matrix):
            raise _no_matrix(game)
    return matrix


def _no_matrix(game: Game) -> GameError:
    return GameError(f"{game.title} does not repeat the payoffs of one round", game.spec)


def _drawn(matrix: MatrixGame, rounds: int, source: Random) -> list[Pair]:
    first, second = matrix.moves
    return [(source.choice(first), source.choice(second)) for _ in range(rounds)]


def _played(matrix: MatrixGame, pairs: Iterable[Pair]) -> tuple[int, Utilities, TogetherState]:
    """Play to the end; return the number of rounds, the outcome, and the last open position."""
    state = matrix.start
    for number, pair in enumerate(pairs, 1):
        if state.choosers != (0, 1) or number > ROUNDS_MAX:
            break
        if (tuple(state.choices(0)), tuple(state.choices(1))) != matrix.moves:
            break
        after = matrix.after(state, pair)
        if (outcome := after.outcome()) is not None:
            return number, outcome, state
        state = after
    raise _no_matrix(state.game)


def _difference(outcome: Utilities, base: Utilities) -> Utilities:
    return tuple(won - usual for won, usual in zip(outcome, base, strict=True))


def _adds_up(gained: Utilities, pairs: list[Pair], matrix: MatrixGame) -> bool:
    sums = [fsum(matrix.payoffs[pair][seat] for pair in pairs) for seat in (0, 1)]
    return all(isclose(*both, abs_tol=1e-6) for both in zip(gained, sums, strict=True))


def _shows(last: TogetherState, pairs: list[Pair], matrix: MatrixGame) -> bool:
    """Whether both seats can tell by their views what was chosen in all rounds but the last."""
    try:
        return all(list(matrix.rounds(last.view(seat))) == pairs[:-1] for seat in (0, 1))
    except (KeyError, ValueError):
        # A round looks otherwise later on, or has another number of events.
        return False
