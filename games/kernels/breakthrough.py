"""Breakthrough for the compiled search, on boards of up to 64 squares.

A position is the pieces of the seat to move, those of the other, and the seat. Layout and moves are
those of `games.breakthrough`.
"""

from typing import Any

import numpy as np

from games.breakthrough import LOSING, WINNING, Breakthrough
from games.kernels.bits import ONE, ZERO, highest, lowest, popcount, signed
from games.support.game import Game
from games.support.kernel import NEVER, UNIT, Deepening, Kernel, Solving, Words, compilable

_THREE = np.uint64(3)
_WAYS = 3
_AT_ONCE, _LAST = 100, 400
_MOVE, _MARK = np.uint64(255), np.uint64(8)

# Indices into the rules; the second seat's values follow the first's.
_COLUMNS, _ROWS, _NOT_FIRST_FILE, _NOT_LAST_FILE, _GOAL, _PLANES = 0, 1, 2, 3, 4, 6
_BIT_PLANES = 4


@compilable
def movable(rules: Words, position: Words) -> tuple[Any, Any, Any]:
    """Return the pieces that can move towards the a-file, straight ahead, and the other way."""
    own, opp = position[0], position[1]
    stands = own | opp
    columns = rules[_COLUMNS]
    left, right = own & rules[_NOT_FIRST_FILE], own & rules[_NOT_LAST_FILE]
    if position[2]:
        return (
            left & ~(own << columns + ONE),
            own & ~(stands << columns),
            right & ~(own << columns - ONE),
        )
    return (
        left & ~(own >> columns - ONE),
        own & ~(stands >> columns),
        right & ~(own >> columns + ONE),
    )


@compilable
def moves(rules: Words, position: Words, moves: Any, at: int) -> int:
    """List the moves by direction, then by square."""
    ways = movable(rules, position)
    for way in range(_WAYS):
        pieces = ways[way]
        while pieces:
            moves[at] = np.uint64(_WAYS * lowest(pieces) + way)
            at += 1
            pieces &= pieces - ONE
    return at


@compilable
def landing(rules: Words, position: Words, move: Any) -> Any:
    """Return the bit of a move's target."""
    bit = ONE << move // _THREE
    way = move % _THREE
    if position[2]:
        return bit >> rules[_COLUMNS] + ONE - way
    return bit << rules[_COLUMNS] + way - ONE


@compilable
def play(rules: Words, position: Words, move: Any) -> Words:
    """Move a piece one step ahead, capturing any piece there."""
    bit = landing(rules, position, move)
    return position[1] & ~bit, position[0] ^ (ONE << move // _THREE | bit), position[2] ^ ONE


@compilable
def outcome(rules: Words, position: Words, trail: Any, row: int) -> tuple[bool, int]:
    """Tell whether the seat that moved last is across, or the other has no piece left."""
    goal = rules[_GOAL] if position[2] else rules[_GOAL + 1]
    return position[0] == ZERO or (position[1] & goal) != ZERO, -1


@compilable
def ahead(rules: Words, position: Words) -> int:
    """Return what the seat to move can do, as in `games.breakthrough.race`."""
    own, opp, columns = position[0], position[1], rules[_COLUMNS]
    left, right = own & rules[_NOT_FIRST_FILE], own & rules[_NOT_LAST_FILE]
    if position[2]:
        hits = left >> columns + ONE | right >> columns - ONE
        near, far = rules[_GOAL + 1] << columns, rules[_GOAL] >> columns
    else:
        hits = left << columns - ONE | right << columns + ONE
        near, far = rules[_GOAL] >> columns, rules[_GOAL + 1] << columns
    turn = 1 if opp & hits else 0
    if own & near:
        return turn + WINNING
    return turn - LOSING if opp & far & ~hits else turn


@compilable
def evaluate(rules: Words, position: Words, which: int) -> int:
    """Return `race`, `advance` or `pieces`."""
    own, opp, turn = position[0], position[1], position[2]
    if which == 2:
        return popcount(own) - popcount(opp)
    white, black = (opp, own) if turn else (own, opp)
    columns, rows = signed(rules[_COLUMNS]), signed(rules[_ROWS])
    total: int = rows * popcount(white) - (2 * rows - 1) * popcount(black)
    for plane in range(_BIT_PLANES):
        total += popcount((white | black) & rules[_PLANES + plane]) << plane
    lead = highest(white) // columns + lowest(black) // columns - (rows - 1)
    total += lead if which == 1 else 2 * lead
    if turn:
        total = -total
    return total if which == 1 else total + rows * ahead(rules, position)


@compilable
def settle(rules: Words, position: Words) -> tuple[int, int]:
    """Find a win in one move: a piece on the last rank but one can always get across."""
    own, columns = position[0], rules[_COLUMNS]
    ahead = own >> columns & rules[_GOAL + 1] if position[2] else own << columns & rules[_GOAL]
    if ahead:
        return UNIT - 1, UNIT - 1
    # It may still win at once by taking the last piece.
    return -NEVER, NEVER


@compilable
def lines(rules: Words, position: Words, moves: Any, at: int) -> int:
    """List captures first, then the moves that lead farthest."""
    ways = movable(rules, position)
    columns, last = signed(rules[_COLUMNS]), signed(rules[_ROWS]) - 1
    end = at
    for way in range(_WAYS):
        pieces = ways[way]
        while pieces:
            square = lowest(pieces)
            pieces &= pieces - ONE
            move = np.uint64(_WAYS * square + way)
            gone = square // columns
            left = np.uint64(gone if position[2] else last - gone)
            if not landing(rules, position, move) & position[1]:
                left += _MARK << ONE
            mark = left << _MARK | move
            place = end
            while place > at and moves[place - 1] > mark:
                moves[place] = moves[place - 1]
                place -= 1
            moves[place] = mark
            end += 1
    for place in range(at, end):
        moves[place] &= _MOVE
    return end


@compilable
def key(rules: Words, position: Words) -> Words:
    """Return the position."""
    return position


@compilable
def ordered(rules: Words, position: Words, moves: Any, at: int) -> int:
    """List the moves to the last rank, then captures, then those that lead farthest."""
    opp, turn = position[1], position[2]
    columns, first = rules[_COLUMNS], rules[_GOAL + 1]
    left, straight, right = movable(rules, position)
    if turn:
        hits_left, hits_right = left & opp << columns + ONE, right & opp << columns - ONE
    else:
        hits_left, hits_right = left & opp >> columns - ONE, right & opp >> columns + ONE
    captures = (hits_left, ZERO, hits_right)
    others = (left ^ hits_left, straight, right ^ hits_right)
    last = signed(rules[_ROWS]) - 1
    # Of each kind the moves to the last rank, then of each kind the others.
    for kind in range(4):
        sets = others if kind % 2 else captures
        union = sets[0] | sets[1] | sets[2]
        for gone in range(0 if kind < 2 else 1, 1 if kind < 2 else last):
            rank = first << columns * np.uint64(gone + 1 if turn else last - 1 - gone)
            if union & rank:
                for way in range(_WAYS):
                    pieces = sets[way] & rank
                    while pieces:
                        moves[at] = np.uint64(_WAYS * lowest(pieces) + way)
                        at += 1
                        pieces &= pieces - ONE
    return at


@compilable
def slot(rules: Words, move: Any) -> Any:
    """Return the move."""
    return signed(move)


@compilable
def identity(rules: Words, position: Words, trail: Any, row: int) -> Words:
    """Return Black's pieces and White's."""
    if position[2]:
        return position[0], position[1]
    return position[1], position[0]


@compilable
def mirrored(rules: Words, pieces: Any) -> Any:
    """Return the pieces with the columns from right to left."""
    columns = rules[_COLUMNS]
    found = ZERO
    while pieces:
        square = np.uint64(lowest(pieces))
        pieces &= pieces - ONE
        found |= ONE << square + columns - ONE - square % columns - square % columns
    return found


@compilable
def image(rules: Words, position: Words, index: int) -> Words:
    """Return the mirror image."""
    return mirrored(rules, position[0]), mirrored(rules, position[1]), position[2]


@compilable
def moved(rules: Words, move: Any, index: int) -> Any:
    """Return the move in the mirror image."""
    columns, square = rules[_COLUMNS], move // _THREE
    target = square + columns - ONE - square % columns - square % columns
    return _THREE * target + ONE + ONE - move % _THREE


def kernel_of(game: Game) -> Kernel | None:
    """Return the kernel; None if the board does not fit a word."""
    packing = game.packing() if type(game) is Breakthrough else None
    if packing is None:
        return None
    return Kernel.packed(
        packing,
        name=game.name,
        moves=moves,
        ordered=ordered,
        play=play,
        outcome=outcome,
        evaluate=evaluate,
        solving=Solving(lines=lines, outcome=outcome, key=key, words=3, settle=settle),
        deepening=Deepening(
            slot=slot,
            slots=packing.slots,
            key=identity,
            words=2,
            image=image,
            moved=moved,
            images=1,
        ),
    )
