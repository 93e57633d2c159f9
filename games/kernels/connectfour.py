"""Connect Four for the compiled search: any size that fits a word, rows of at most four.

A position is all stones and those of the seat to move, laid out as in `games.connectfour`. A move
is the bit of the disc's square. Sources for solving: J. Tromp's Fhourstones for the layout and the
key; P. Pons, Solving Connect 4: how to build a perfect AI (2015), for the moves that do not lose at
once and their order.
"""

from typing import Any

import numpy as np

from games.connectfour import ConnectFour
from games.kernels.bits import ONE, ZERO, lowest, popcount, signed
from games.support.game import Game
from games.support.kernel import UNIT, Deepening, Kernel, Solving, Words, compilable

_FOUR = 4
_COLUMN = np.uint64(15)
_SCORE = np.uint64(4)

# Indices into the rules.
_BOTTOM, _FULL, _HEIGHT, _COLUMNS, _CONNECT, _SHIFTS, _INVERSE = 0, 1, 2, 3, 4, 5, 13
_INVERSE_BITS = np.uint64(16)


@compilable
def moves(rules: Words, position: Words, moves: Any, at: int) -> int:
    """List the lowest free square of each column, left to right."""
    free = position[0] + rules[_BOTTOM] & rules[_FULL]
    while free:
        rest = free & free - ONE
        moves[at] = free ^ rest
        at += 1
        free = rest
    return at


@compilable
def play(rules: Words, position: Words, move: Any) -> Words:
    """Put a stone on a square."""
    return position[0] | move, position[0] ^ position[1]


@compilable
def has_row(rules: Words, stones: Any) -> bool:
    """Tell whether there is a row: a pair, and a pair of pairs as far on as its length needs."""
    pairs = stones & stones >> rules[_SHIFTS]
    found = pairs & pairs >> rules[_SHIFTS + 1]
    pairs = stones & stones >> rules[_SHIFTS + 2]
    found |= pairs & pairs >> rules[_SHIFTS + 3]
    pairs = stones & stones >> rules[_SHIFTS + 4]
    found |= pairs & pairs >> rules[_SHIFTS + 5]
    pairs = stones & stones >> rules[_SHIFTS + 6]
    found |= pairs & pairs >> rules[_SHIFTS + 7]
    return bool(found)


@compilable
def outcome(rules: Words, position: Words, trail: Any, row: int) -> tuple[bool, int]:
    """Tell whether the seat that moved last has a row, or the board is full."""
    if has_row(rules, position[0] ^ position[1]):
        return True, -1
    return position[0] == rules[_FULL], 0


@compilable
def evaluate(rules: Words, position: Words, which: int) -> int:
    """Return `windows` or `tops`."""
    mask, own = position[0], position[1]
    if which == 0:
        return windows(rules, own, mask) - windows(rules, own ^ mask, mask)
    top = mask + rules[_BOTTOM] >> ONE & mask
    return 2 * popcount(top & own) - popcount(top)


@compilable
def windows(rules: Words, own: Any, mask: Any) -> int:
    """Sum the squared stone counts of places for a row without stones of the other seat."""
    usable = own | rules[_FULL] ^ mask
    total = 0
    height = rules[_HEIGHT]
    for direction in range(_FOUR):
        # Along the row, both diagonals, the column.
        step = height
        if direction == 1:
            step = height - ONE
        elif direction == 2:
            step = height + ONE
        elif direction == 3:
            step = ONE
        alive, ones, twos, shift = usable, own, ZERO, step
        for _ in range(1, rules[_CONNECT]):
            alive &= usable >> shift
            stones = own >> shift
            twos ^= ones & stones
            ones ^= stones
            shift += step
        ones &= alive
        twos &= alive
        total += popcount(ones) + 4 * (popcount(twos) + popcount(ones & twos))
    return total


@compilable
def completing(rules: Words, stones: Any, mask: Any) -> Any:
    """Return the free squares that complete a row of four for `stones`."""
    height = rules[_HEIGHT]
    found = stones << ONE & stones << ONE + ONE & stones << ONE + ONE + ONE
    for step in (height, height - ONE, height + ONE):
        pairs = stones << step & stones << step + step
        found |= pairs & stones << step + step + step
        found |= pairs & stones >> step
        pairs = stones >> step & stones >> step + step
        found |= pairs & stones << step
        found |= pairs & stones >> step + step + step
    return found & (rules[_FULL] ^ mask)


@compilable
def safe(rules: Words, position: Words, free: Any) -> Any:
    """Return those `free` squares after which the other seat has no immediate win."""
    mask = position[0]
    threats = completing(rules, mask ^ position[1], mask)
    forced = free & threats
    if forced:
        if forced & forced - ONE:
            return ZERO
        free = forced
    # A stone below a threat enables it.
    return free & ~(threats >> ONE)


@compilable
def settle(rules: Words, position: Words) -> tuple[int, int]:
    """Find wins and losses within two plies, and bound the other values."""
    mask = position[0]
    free = mask + rules[_BOTTOM] & rules[_FULL]
    if completing(rules, position[1], mask) & free:
        return UNIT - 1, UNIT - 1
    left = popcount(rules[_FULL] ^ mask)
    if left and not safe(rules, position, free):
        return 2 - UNIT, 2 - UNIT
    if left <= 2:
        return 0, 0
    return 4 - UNIT, UNIT - 3


@compilable
def lines(rules: Words, position: Words, moves: Any, at: int) -> int:
    """List the safe squares, those with most threats first, then the most central."""
    mask, own = position[0], position[1]
    free = safe(rules, position, mask + rules[_BOTTOM] & rules[_FULL])
    columns, height = signed(rules[_COLUMNS]), rules[_HEIGHT]
    stack = (ONE << height) - ONE
    end = at
    for index in range(columns):
        column = columns // 2 + (index + 1) // 2 * (1 - 2 * (index % 2))
        move = free & stack << height * np.uint64(column)
        if move:
            score = popcount(completing(rules, own | move, mask | move))
            place = end
            while place > at and signed(moves[place - 1] >> _SCORE) < score:
                moves[place] = moves[place - 1]
                place -= 1
            moves[place] = np.uint64(score) << _SCORE | np.uint64(column)
            end += 1
    for place in range(at, end):
        moves[place] = free & stack << height * (moves[place] & _COLUMN)
    return end


@compilable
def going_on(rules: Words, position: Words, trail: Any, row: int) -> tuple[bool, int]:
    """Report no end: `settle` finds every end before."""
    return False, 0


@compilable
def key(rules: Words, position: Words) -> Words:
    """Return the mover's stones on top of a mark of each column's height."""
    return (position[0] + position[1] + rules[_BOTTOM],)


@compilable
def ordered(rules: Words, position: Words, moves: Any, at: int) -> int:
    """List the moves from the centre outwards, of equally central columns the left one first."""
    columns, height = signed(rules[_COLUMNS]), rules[_HEIGHT]
    free = position[0] + rules[_BOTTOM] & rules[_FULL]
    stack = (ONE << height) - ONE
    column = (columns - 1) // 2
    step = 1 if columns % 2 == 0 else -1
    for index in range(columns):
        move = free & stack << height * np.uint64(column)
        if move:
            moves[at] = move
            at += 1
        column += step * (index + 1)
        step = -step
    return at


@compilable
def slot(rules: Words, move: Any) -> Any:
    """Return the column."""
    # A division, as a product that is exact below 64.
    return signed(np.uint64(lowest(move)) * rules[_INVERSE] >> _INVERSE_BITS)


@compilable
def identity(rules: Words, position: Words, trail: Any, row: int) -> Words:
    """Return the key of `games.connectfour`: all stones plus those of the seat that moved last."""
    return (position[0] + (position[0] ^ position[1]),)


@compilable
def mirrored(rules: Words, stones: Any) -> Any:
    """Return the stones with the columns from right to left."""
    height = rules[_HEIGHT]
    stack = (ONE << height) - ONE
    found = ZERO
    for _ in range(signed(rules[_COLUMNS])):
        found = found << height | stones & stack
        stones >>= height
    return found


@compilable
def image(rules: Words, position: Words, index: int) -> Words:
    """Return the mirror image."""
    return mirrored(rules, position[0]), mirrored(rules, position[1])


@compilable
def moved(rules: Words, move: Any, index: int) -> Any:
    """Return the move in the mirror image."""
    return mirrored(rules, move)


_FOURS = Solving(lines=lines, outcome=going_on, key=key, words=1, settle=settle)
_OTHERS = Solving(lines=moves, outcome=outcome, key=key, words=1)


def kernel_of(game: Game) -> Kernel | None:
    """Return the kernel; None if the board does not fit a word, or rows are longer than four."""
    packing = game.packing() if type(game) is ConnectFour else None
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
        solving=_FOURS if packing.rules[_CONNECT] == _FOUR else _OTHERS,
        deepening=Deepening(
            slot=slot,
            slots=packing.slots,
            key=identity,
            words=packing.identity_words,
            image=image,
            moved=moved,
            images=1,
        ),
    )
