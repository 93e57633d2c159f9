"""The payoffs of a repeated matrix game, found by playing matches of it."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, product, repeat
from math import fsum, isclose
from random import Random

from games.support.errors import GameError
from games.support.game import Game, Move
from games.support.view import TogetherState

ROUNDS_MAX = 20_000
"""The most rounds to play in all: a match is played for each pair of moves."""

TRIALS = 5
"""How many random matches are compared with the payoffs."""

Pair = tuple[Move, Move]
"""The moves of both seats in a round."""

Utilities = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class MatrixGame:
    """The first position, the moves of each seat, and what each pair of moves pays to each seat.

    The payoffs of a round leave out a constant, which is the same for all pairs.
    """

    start: TogetherState
    moves: tuple[tuple[Move, ...], tuple[Move, ...]]
    payoffs: dict[Pair, Utilities]

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
    base, rounds = _played(matrix, repeat(usual))
    trials = [_drawn(moves, rounds, Random(seed)) for seed in range(TRIALS)]
    # Most other games show here what they are, before the many matches.
    ends = [_played(matrix, pairs) for pairs in trials]
    pairs = list(product(*moves))
    if len(pairs) * rounds > ROUNDS_MAX:
        raise GameError(f"{game.title} has too many moves and rounds to find payoffs", game.spec)
    for pair in pairs:
        outcome, _ = _played(matrix, chain([pair], repeat(usual)))
        matrix.payoffs[pair] = _difference(outcome, base)
    for trial, (outcome, length) in zip(trials, ends, strict=True):
        if length != rounds or not _adds_up(_difference(outcome, base), trial, matrix):
            raise _no_matrix(game)
    if rounds > 1 and not all(_tells(matrix, seat) for seat in (0, 1)):
        raise _no_matrix(game)
    return matrix


def _no_matrix(game: Game) -> GameError:
    return GameError(f"{game.title} does not repeat the payoffs of one round", game.spec)


def _drawn(
    moves: tuple[tuple[Move, ...], tuple[Move, ...]], rounds: int, source: Random
) -> list[Pair]:
    return [(source.choice(moves[0]), source.choice(moves[1])) for _ in range(rounds)]


def _played(matrix: MatrixGame, pairs: Iterable[Pair]) -> tuple[Utilities, int]:
    """Play rounds to the end, and return the outcome and their number."""
    state = matrix.start
    for number, pair in enumerate(pairs, 1):
        if state.choosers != (0, 1) or number > ROUNDS_MAX:
            break
        if (tuple(state.choices(0)), tuple(state.choices(1))) != matrix.moves:
            break
        state = matrix.after(state, pair)
        if (outcome := state.outcome()) is not None:
            return outcome, number
    raise _no_matrix(state.game)


def _difference(outcome: Utilities, base: Utilities) -> Utilities:
    return tuple(won - usual for won, usual in zip(outcome, base, strict=True))


def _adds_up(gained: Utilities, pairs: list[Pair], matrix: MatrixGame) -> bool:
    sums = [fsum(matrix.payoffs[pair][seat] for pair in pairs) for seat in (0, 1)]
    return all(map(lambda one, other: isclose(one, other, abs_tol=1e-6), gained, sums))


def _tells(matrix: MatrixGame, seat: int) -> bool:
    """Whether a seat knows after a round what was chosen."""
    seen = {matrix.after(matrix.start, pair).events(seat) for pair in matrix.payoffs}
    return len(seen) == len(matrix.payoffs)
