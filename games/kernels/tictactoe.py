"""Tic-tac-toe for the compiled search.

A position is the squares of the seat to move and those of the other, laid out as in
`games.tictactoe`; a move is the number of its square.
"""

from typing import Any

import numpy as np

from games.kernels.bits import ONE, ZERO, lowest, signed
from games.support.game import Game
from games.support.kernel import Deepening, Kernel, Solving, Words, compilable
from games.tictactoe import LINES, MAPS, TicTacToe

_FULL = np.uint64(0b111_111_111)
_LINES = np.array(LINES, np.uint64)
_IMAGES = np.array(MAPS, np.uint64)
_NINE, _SQUARES = np.uint64(9), 9
_HAS_LINE = np.array([any(own & line == line for line in LINES) for own in range(512)])


@compilable
def moves(rules: Words, position: Words, moves: Any, at: int) -> int:
    """List the free squares row by row from the top left."""
    free = _FULL ^ (position[0] | position[1])
    while free:
        moves[at] = np.uint64(lowest(free))
        at += 1
        free &= free - ONE
    return at


@compilable
def play(rules: Words, position: Words, move: Any) -> Words:
    """Take a square."""
    return position[1], position[0] | ONE << move


@compilable
def outcome(rules: Words, position: Words, trail: Any, row: int) -> tuple[bool, int]:
    """Tell whether the seat that moved last has a row, or the board is full."""
    if _HAS_LINE[signed(position[1])]:
        return True, -1
    return position[0] | position[1] == _FULL, 0


@compilable
def evaluate(rules: Words, position: Words, which: int) -> int:
    """Return `lines`."""
    own, opp = position[0], position[1]
    total = 0
    for index in range(len(_LINES)):
        mine, theirs = own & _LINES[index], opp & _LINES[index]
        if mine == ZERO and theirs != ZERO:
            total -= 1
        elif mine != ZERO and theirs == ZERO:
            total += 1
    return total


@compilable
def key(rules: Words, position: Words) -> Words:
    """Return both seats' squares, with a bit that makes them differ from nothing."""
    return (position[0] | position[1] << np.uint64(9) | ONE << np.uint64(18),)


@compilable
def slot(rules: Words, move: Any) -> Any:
    """Return the square."""
    return signed(move)


@compilable
def identity(rules: Words, position: Words, trail: Any, row: int) -> Words:
    """Return the key of `games.tictactoe`."""
    return (position[0] << _NINE | position[1],)


@compilable
def moved(rules: Words, move: Any, index: int) -> Any:
    """Return the square's image."""
    return _IMAGES[index, signed(move)]


@compilable
def image(rules: Words, position: Words, index: int) -> Words:
    """Return the symmetric position."""
    own, opp = ZERO, ZERO
    for square in range(_SQUARES):
        place = np.uint64(square)
        own |= (position[0] >> place & ONE) << _IMAGES[index, square]
        opp |= (position[1] >> place & ONE) << _IMAGES[index, square]
    return own, opp


def kernel_of(game: Game) -> Kernel | None:
    """Return the kernel."""
    if type(game) is not TicTacToe:
        return None
    return Kernel.packed(
        game.packing(),
        name=game.name,
        moves=moves,
        play=play,
        outcome=outcome,
        evaluate=evaluate,
        solving=Solving(lines=moves, outcome=outcome, key=key, words=1),
        deepening=Deepening(
            slot=slot, slots=_SQUARES, key=identity, words=1, image=image, moved=moved, images=7
        ),
    )
