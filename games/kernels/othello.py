"""Othello for the compiled search.

A position is the discs of the seat to move and those of the other, laid out as in `games.othello`;
a move is the number of its square, or `PASS`.
"""

from typing import Any

import numpy as np

from games.kernels.bits import ONE, ZERO, highest, lowest, popcount, signed
from games.othello import PASS, RANKS, RAYS, Othello
from games.support.game import Game
from games.support.kernel import Deepening, Kernel, Solving, Words, compilable

_PASS = np.uint64(PASS)
_INNER = np.uint64(0x7E7E7E7E7E7E7E7E)
_CORNERS = np.uint64(1 | 1 << 7 | 1 << 56 | 1 << 63)
_SQUARES = 64
_RANK = np.uint64(8)
_SQUARE = np.uint64(255)
_LAST = np.uint64(63)


def _table(rays: list[tuple[int, ...]]) -> Any:
    return np.array([[*each, *[0] * (4 - len(each))] for each in rays], np.uint64)


# A ray of no squares turns nothing.
_UP = _table([up for up, _ in RAYS])
_DOWN = _table([down for _, down in RAYS])
_ORDER = np.array(RANKS, np.uint64)
_BY_RANK = np.array(
    [
        sum(1 << square for square in range(_SQUARES) if RANKS[square] == rank)
        for rank in range(max(RANKS) + 1)
    ],
    np.uint64,
)


@compilable
def mobility(own: Any, opp: Any) -> Any:
    """Return the empty squares where `own` turns something, as `mobility_of` does."""
    inner = opp & _INNER
    found = ZERO
    for direction in range(4):
        step, run = ONE, inner
        if direction == 1:
            step, run = np.uint64(8), opp
        elif direction == 2:
            step = np.uint64(9)
        elif direction == 3:
            step = np.uint64(7)
        twice = step + step
        fill = run & own << step
        fill |= run & fill << step
        pair = run & run << step
        fill |= pair & fill << twice
        fill |= pair & fill << twice
        found |= fill << step
        fill = run & own >> step
        fill |= run & fill >> step
        pair = run & run >> step
        fill |= pair & fill >> twice
        fill |= pair & fill >> twice
        found |= fill >> step
    return found & ~(own | opp)


@compilable
def turned(square: int, own: Any, opp: Any) -> Any:
    """Return the discs of `opp` that a disc of `own` on an empty square turns."""
    found = ZERO
    stops = ~opp
    for index in range(4):
        ray = _UP[square, index]
        stop = ray & stops
        stop &= ZERO - stop
        if stop & own:
            found |= ray & stop - ONE
        ray = _DOWN[square, index]
        stop = ray & stops
        if stop:
            stop = ONE << np.uint64(highest(stop))
            if stop & own:
                found |= ray & (ZERO - stop ^ stop)
    return found


@compilable
def moves(rules: Words, position: Words, moves: Any, at: int) -> int:
    """List the squares that turn something, a1 to h8, or a pass."""
    free = mobility(position[0], position[1])
    if not free:
        moves[at] = _PASS
        return at + 1
    while free:
        moves[at] = np.uint64(lowest(free))
        at += 1
        free &= free - ONE
    return at


@compilable
def play(rules: Words, position: Words, move: Any) -> Words:
    """Place a disc and turn those outflanked, or pass."""
    own, opp = position[0], position[1]
    if move == _PASS:
        return opp, own
    flips = turned(signed(move), own, opp)
    return opp ^ flips, own | flips | ONE << move


@compilable
def outcome(rules: Words, position: Words, trail: Any, row: int) -> tuple[bool, int]:
    """Tell whether neither seat can turn anything; the winner gets the empty squares."""
    own, opp = position[0], position[1]
    if mobility(own, opp) or mobility(opp, own):
        return False, 0
    more = popcount(own) - popcount(opp)
    sign = (more > 0) - (more < 0)
    if rules[0]:
        return True, more + sign * popcount(~(own | opp))
    return True, sign


@compilable
def evaluate(rules: Words, position: Words, which: int) -> int:
    """Return `balance`, `mobility`, `discs` or `corners`."""
    own, opp = position[0], position[1]
    if which == 2:
        return popcount(own) - popcount(opp)
    worth = 0
    if which != 3:
        worth = popcount(mobility(own, opp)) - popcount(mobility(opp, own))
    if which == 1:
        return worth
    corners = popcount(own & _CORNERS) - popcount(opp & _CORNERS)
    return corners if which == 3 else worth + 10 * corners


@compilable
def lines(rules: Words, position: Words, moves: Any, at: int) -> int:
    """List the moves by how few answers they leave, then by how good their squares are."""
    own, opp = position[0], position[1]
    free = mobility(own, opp)
    if not free:
        moves[at] = _PASS
        return at + 1
    end = at
    while free:
        square = lowest(free)
        free &= free - ONE
        flips = turned(square, own, opp)
        answers = mobility(opp ^ flips, own | flips | ONE << np.uint64(square))
        rank = np.uint64(popcount(answers) + popcount(answers & _CORNERS)) << ONE
        mark = (rank + _ORDER[square]) << _RANK | np.uint64(square)
        place = end
        while place > at and moves[place - 1] > mark:
            moves[place] = moves[place - 1]
            place -= 1
        moves[place] = mark
        end += 1
    for place in range(at, end):
        moves[place] &= _SQUARE
    return end


@compilable
def key(rules: Words, position: Words) -> Words:
    """Return the position: swapping the colours does not change its value."""
    return position


@compilable
def ordered(rules: Words, position: Words, moves: Any, at: int) -> int:
    """List the moves by how good their squares are, or a pass."""
    free = mobility(position[0], position[1])
    if not free:
        moves[at] = _PASS
        return at + 1
    for rank in range(len(_BY_RANK)):
        squares = free & _BY_RANK[rank]
        while squares:
            moves[at] = np.uint64(lowest(squares))
            at += 1
            squares &= squares - ONE
    return at


@compilable
def slot(rules: Words, move: Any) -> Any:
    """Return the square, or 64 for a pass."""
    return signed(move)


@compilable
def identity(rules: Words, position: Words, trail: Any, row: int) -> Words:
    """Return the position."""
    return position


@compilable
def moved(rules: Words, move: Any, index: int) -> Any:
    """Return the square's image by half a turn, or in one of the diagonals."""
    if move == _PASS:
        return move
    if index == 0:
        return _LAST - move
    crossed = move % _RANK * _RANK + move // _RANK
    return crossed if index == 1 else _LAST - crossed


@compilable
def image(rules: Words, position: Words, index: int) -> Words:
    """Return the symmetric position."""
    own, opp = ZERO, ZERO
    for square in range(_SQUARES):
        place = np.uint64(square)
        target = moved(rules, place, index)
        own |= (position[0] >> place & ONE) << target
        opp |= (position[1] >> place & ONE) << target
    return own, opp


def kernel_of(game: Game) -> Kernel | None:
    """Return the kernel."""
    if type(game) is not Othello:
        return None
    return Kernel.packed(
        game.packing(),
        name=game.name,
        moves=moves,
        ordered=ordered,
        play=play,
        outcome=outcome,
        evaluate=evaluate,
        solving=Solving(lines=lines, outcome=outcome, key=key, words=2, is_sooner_better=False),
        deepening=Deepening(
            slot=slot, slots=_SQUARES + 1, key=identity, words=2, image=image, moved=moved, images=3
        ),
    )
