"""Gomoku and its kin for the compiled search: boards of up to six words, rows of up to seven.

A position is all stones, then those of the seat to move, each of as many words as the board needs,
laid out as in `games.mnk`; then one word of the number of stones, the seat and the last stone's
place. A move is the number of its bit, or `SWAP`. The length of the tuple gives the number of
words, so one source serves all sizes.
"""

from typing import Any

import numpy as np
from numba.cpython.unsafe.tuple import tuple_setitem

from games.kernels.bits import ONE, ZERO, highest, popcount, signed
from games.mnk import SWAP, MnkGame
from games.support.game import Game
from games.support.kernel import Deepening, Kernel, Solving, Words, compilable

_WORD = 64
_BITS, _PLACE = np.uint64(6), np.uint64(63)
_LAST, _TURN, _TURN_BIT = np.uint64(0xFFFF), np.uint64(16), np.uint64(1 << 16)
_STONES, _STONE = np.uint64(32), np.uint64(1 << 32)
_DIRECTIONS = 4
_RANK, _GONE, _PLACE_OR_SWAP = np.uint64(16), np.uint64(1 << 40), np.uint64(0xFFFF)
_LANE, _HALF, _MARGIN = np.uint64(16), np.uint64(32), np.uint64(8)
_RANKED, _UNRANKED = np.uint64(16), np.uint64(0xFFFF)
_LOWER, _PAIR, _LANES = np.uint64(0xFFFFFFFF), np.uint64(1 << 32 | 1), np.uint64(0x0001000100010001)

# Indices into the rules; the words of a full board come last.
_CELLS, _ROWS, _CONNECT, _SWAPS, _OVERLINE, _STEPS, _FULL = 0, 1, 2, 3, 4, 5, 9


@compilable
def moves(rules: Words, position: Words, moves: Any, at: int) -> int:
    """List the free points row by row from the top left, then the swap if allowed."""
    count = len(position) // 2
    for index in range(count):
        word = count - 1 - index
        free = rules[_FULL + word] & ~position[word]
        while free:
            place = highest(free)
            moves[at] = np.uint64(_WORD * word + place)
            at += 1
            free ^= ONE << np.uint64(place)
    extra = position[2 * count]
    if rules[_SWAPS] and extra & _TURN_BIT and extra >> _STONES == ONE:
        moves[at] = np.uint64(SWAP)
        at += 1
    return at


@compilable
def touches(rules: Words, position: Words, place: int) -> bool:
    """Tell whether a stone is next to a bit, diagonally too."""
    count = len(position) // 2
    for direction in range(_DIRECTIONS):
        step = signed(rules[_STEPS + direction])
        for other in (place - step, place + step):
            if 0 <= other < _WORD * count:
                stones = position[other // _WORD]
                if stones >> np.uint64(other % _WORD) & ONE:
                    return True
    return False


@compilable
def play(rules: Words, position: Words, move: Any) -> Words:
    """Put a stone on a point, or swap the owner of the one on the board."""
    count = len(position) // 2
    child = position
    extra = (position[2 * count] ^ _TURN_BIT) & ~_LAST | move
    if move == np.uint64(SWAP):
        # The stone now belongs to the seat that moved: the other has none.
        for word in range(count):
            child = tuple_setitem(child, count + word, ZERO)
    else:
        for word in range(count):
            child = tuple_setitem(child, count + word, position[word] ^ position[count + word])
        bit = ONE << (move & _PLACE)
        for word in range(count):
            if np.uint64(word) == move >> _BITS:
                child = tuple_setitem(child, word, position[word] | bit)
        extra += _STONE
    return tuple_setitem(child, 2 * count, extra)


@compilable
def has(position: Words, place: int) -> bool:
    """Tell whether the seat that moved last has a stone at a bit, which may be off the board."""
    count = len(position) // 2
    if place < 0 or place >= _WORD * count:
        return False
    word = place // _WORD
    stones = position[word] ^ position[count + word]
    return bool(stones >> np.uint64(place % _WORD) & ONE)


@compilable
def outcome(rules: Words, position: Words, trail: Any, row: int) -> tuple[bool, int]:
    """Tell whether a row goes through the last stone, or the board is full."""
    extra = position[len(position) - 1]
    last = signed(extra & _LAST)
    if last == SWAP:
        return False, 0
    connect = signed(rules[_CONNECT])
    for direction in range(_DIRECTIONS):
        step = signed(rules[_STEPS + direction])
        length = 1
        place = last + step
        while has(position, place):
            length += 1
            place += step
        place = last - step
        while has(position, place):
            length += 1
            place -= step
        if length == connect or (length > connect and rules[_OVERLINE]):
            return True, -1
    return extra >> _STONES == rules[_CELLS], 0


@compilable
def stones_of(position: Words, row: Any, line: Any) -> Any:
    """Return a row's stones of the seat to move and, 32 bits above them, the other's."""
    count = len(position) // 2
    word, shift = row * line >> _BITS, row * line & _PLACE
    # Two shifts, as one by all 64 bits of a word is undefined.
    rest = _PLACE - shift
    own = position[count + word] >> shift | position[count + word + 1] << ONE << rest
    both = position[word] >> shift | position[word + 1] << ONE << rest
    mask = (ONE << line) - ONE
    return own & mask | ((own ^ both) & mask) << _HALF


@compilable
def lanes(rules: Words, position: Words, place: Any, reach: Any) -> tuple[Any, Any, Any]:
    """Return the stones of the seat to move, the other's, and the points, all in line with a point.

    Each direction has a lane of 16 bits: the row, the column, the diagonal up to the left and that
    to the right. The point itself is bit `reach` of each, with `reach` bits on either side.
    """
    line, rows = rules[_STEPS + 1], rules[_ROWS]
    row, column = place // line, place % line
    length = reach + reach + ONE
    mask = (ONE << length) - ONE
    straight = stones_of(position, row, line) << _MARGIN >> _MARGIN - reach + column
    straight &= mask | mask << _HALF
    slanted = ZERO
    for index in range(signed(length)):
        at = np.uint64(index)
        # Below the first row, numbers wrap round to very large ones.
        other = row + at - reach
        if at != reach and other < rows:
            stones = stones_of(position, other, line) << _MARGIN >> _MARGIN - reach + column
            straight |= (stones >> reach & _PAIR) << _LANE + at
            slanted |= (stones >> at & _PAIR) << at
            slanted |= (stones >> length - ONE - at & _PAIR) << _LANE + at
    columns = (ONE << line - ONE) - ONE << reach
    across, back = columns >> column & mask, columns >> line - ONE - ONE - column & mask
    down = ((ONE << rows) - ONE << reach) >> row & mask
    own = straight & _LOWER | slanted << _HALF
    opp = straight >> _HALF | slanted & ~_LOWER
    return own, opp, across | (down | (down & across | (down & back) << _LANE) << _LANE) << _LANE


@compilable
def rows_through(stones: Any, usable: Any, connect: int) -> tuple[Any, Any, Any, Any]:
    """Return the rows in lanes through their middle, as starting points, and their stone counts.

    The counts are sums of bit planes: ones, twos, fours.
    """
    alive = _LANES * ((ONE << np.uint64(connect)) - ONE)
    ones = twos = fours = ZERO
    for index in range(connect):
        shift = np.uint64(index)
        alive &= usable >> shift
        carry = ones & stones >> shift
        ones ^= stones >> shift
        fours ^= twos & carry
        twos ^= carry
    return alive, ones & alive, twos & alive, fours & alive


@compilable
def revise(rules: Words, position: Words, move: Any, which: int, estimate: int) -> int:
    """Return `windows` or `neighbours` after a move.

    With one stone more, a place of n stones counts 2n + 1 more.
    """
    if move == np.uint64(SWAP):
        return -estimate
    if which == 1:
        return estimate + popcount(lanes(rules, position, move, ONE)[0])
    own, opp, points = lanes(rules, position, move, rules[_CONNECT] - ONE)
    connect = signed(rules[_CONNECT])
    alive, ones, twos, fours = rows_through(own, points & ~opp, connect)
    estimate += popcount(alive) + 2 * popcount(ones) + 4 * popcount(twos) + 8 * popcount(fours)
    _, ones, twos, fours = rows_through(opp, points & ~own, connect)
    estimate += popcount(ones) + 4 * (popcount(twos) + popcount(ones & twos))
    return estimate + 8 * popcount(ones & fours) + 16 * (popcount(fours) + popcount(twos & fours))


@compilable
def key(rules: Words, position: Words) -> Words:
    """Return the position without the last stone's place."""
    extra = position[len(position) - 1]
    return tuple_setitem(position, len(position) - 1, extra & _TURN_BIT | ONE)


@compilable
def near(rules: Words, position: Words) -> Words:
    """Return the points on and next to stones in the words of `position` that hold all stones."""
    count = len(position) // 2
    found = position
    for step in (ONE, rules[_STEPS + 1]):
        before = found
        for word in range(count):
            around = before[word] | before[word] << step | before[word] >> step
            if word > 0:
                around |= before[word - 1] >> np.uint64(_WORD) - step
            if word < count - 1:
                around |= before[word + 1] << np.uint64(_WORD) - step
            found = tuple_setitem(found, word, around)
    return found


@compilable
def ordered(rules: Words, position: Words, moves: Any, at: int) -> int:
    """List the points next to stones from the centre outwards, then the others."""
    count = len(position) // 2
    line, rows = signed(rules[_STEPS + 1]), signed(rules[_ROWS])
    extra = position[2 * count]
    is_empty = extra >> _STONES == ZERO
    close = near(rules, position)
    begin = at
    if rules[_SWAPS] and extra & _TURN_BIT and extra >> _STONES == ONE:
        moves[at] = np.uint64(SWAP)
        begin = at = at + 1
    for index in range(count):
        word = count - 1 - index
        free = rules[_FULL + word] & ~position[word]
        if not is_empty:
            free &= close[word]
        while free:
            place = highest(free)
            free ^= ONE << np.uint64(place)
            place += _WORD * word
            # Twice the distance from the centre, squared, above the place.
            across, down = line - 2 - 2 * (place % line), rows - 1 - 2 * (place // line)
            mark = np.uint64(across * across + down * down) << _RANKED | np.uint64(place)
            put = at
            # Places fall as points rise: of equally far ones the first stays first.
            while put > begin and moves[put - 1] >> _RANKED > mark >> _RANKED:
                moves[put] = moves[put - 1]
                put -= 1
            moves[put] = mark
            at += 1
    for index in range(begin, at):
        moves[index] &= _UNRANKED
    if not is_empty:
        for index in range(count):
            word = count - 1 - index
            free = rules[_FULL + word] & ~(position[word] | close[word])
            while free:
                place = highest(free)
                free ^= ONE << np.uint64(place)
                moves[at] = np.uint64(_WORD * word + place)
                at += 1
    return at


@compilable
def slot(rules: Words, move: Any) -> Any:
    """Return the number of the bit, or `SWAP`."""
    return signed(move)


@compilable
def identity(rules: Words, position: Words, trail: Any, row: int) -> Words:
    """Return the stones of the seat that moved last, then all, the highest words first."""
    count = len(position) // 2
    found = position
    for word in range(count):
        last = count - 1 - word
        found = tuple_setitem(found, word, position[last] ^ position[count + last])
        found = tuple_setitem(found, count + word, position[last])
    return tuple_setitem(found, 2 * count, ZERO)


@compilable
def moved(rules: Words, move: Any, index: int) -> Any:
    """Return the image of a place: left and right, top and bottom, or both, from 3 on crossed."""
    if move == np.uint64(SWAP):
        return move
    line, rows = rules[_STEPS + 1], rules[_ROWS]
    row, column = move // line, move % line
    if index >= 3:
        row, column = column, row
    turn = (index + 1) % 4
    if turn % 2:
        column = line - ONE - ONE - column
    if turn >= 2:
        row = rows - ONE - row
    return row * line + column


@compilable
def image(rules: Words, position: Words, index: int) -> Words:
    """Return the symmetric position."""
    count = len(position) // 2
    found = position
    for word in range(2 * count):
        found = tuple_setitem(found, word, ZERO)
    for word in range(count):
        stones, own = position[word], position[count + word]
        while stones:
            place = np.uint64(highest(stones))
            stones ^= ONE << place
            target = moved(rules, np.uint64(_WORD * word) + place, index)
            for other in range(count):
                if np.uint64(other) == target >> _BITS:
                    bit = ONE << (target & _PLACE)
                    found = tuple_setitem(found, other, found[other] | bit)
                    if own >> place & ONE:
                        found = tuple_setitem(found, count + other, found[count + other] | bit)
    return found


def kernel_of(game: Game) -> Kernel | None:
    """Return the kernel; None if the board does not fit, or rows are longer than seven."""
    if type(game) is not MnkGame or (packing := game.packing()) is None:
        return None
    return Kernel.packed(
        packing,
        name=game.name,
        moves=moves,
        ordered=ordered,
        play=play,
        outcome=outcome,
        revise=revise,
        solving=Solving(lines=moves, outcome=outcome, key=key, words=packing.width),
        deepening=Deepening(
            slot=slot,
            slots=SWAP + 1,
            key=identity,
            words=packing.width,
            image=image,
            moved=moved,
            images=7 if game.columns == game.rows else 3,
        ),
    )
