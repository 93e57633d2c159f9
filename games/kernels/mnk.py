"""Gomoku and its kin for the compiled search: boards of up to six words, rows of up to seven.

A position is the stones on the board, then those of the seat to move, each of as many words as the
board needs, laid out as in `games.mnk`; then one word of the number of stones, the seat and where
the last one fell. A move is the number of its bit, or `SWAP`. As the words are counted by the
length of the tuple, one source serves all sizes.
"""

from typing import Any

import numpy as np
from numba.cpython.unsafe.tuple import tuple_setitem

from games.contract import Game
from games.kernels.bits import ONE, ZERO, highest, popcount, signed
from games.kernels.contract import Kernel, Solving, Words, compilable
from games.mnk import Board, MnkGame

SWAP = 1 << 10
"""The move of a seat that takes over the first stone; also where no stone fell."""

_WORD = 64
_MOST_WORDS = 6
_MOST_PLANES = 7
_BITS, _PLACE = np.uint64(6), np.uint64(63)
_LAST, _TURN, _TURN_BIT = np.uint64(0xFFFF), np.uint64(16), np.uint64(1 << 16)
_STONES, _STONE = np.uint64(32), np.uint64(1 << 32)
_DIRECTIONS = 4

# Where the rules hold what; the words of a full board come last.
_CELLS, _CONNECT, _SWAPS, _OVERLINE, _STEPS, _FULL = 0, 1, 2, 3, 4, 8


@compilable
def moves(rules: Words, position: Words, moves: Any, at: int) -> int:
    """List the free points row by row from the top left, then the swap where it may be said."""
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
def play(rules: Words, position: Words, move: Any) -> Words:
    """Put a stone on a point, or let the one on the board change its owner."""
    count = len(position) // 2
    child = position
    extra = (position[2 * count] ^ _TURN_BIT) & ~_LAST | move
    if move == np.uint64(SWAP):
        # The stone is now that of the seat that moved: none is the other's.
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
def windows(rules: Words, position: Words, is_own: bool, work: Any) -> int:
    """Add up the squares of one seat's stones in each place for a row where the other has none.

    The numbers of stones are added up by bit planes: `ones`, `twos`, `fours`.
    """
    count = len(position) // 2
    stones, usable, alive, ones, twos, fours = work[0], work[1], work[2], work[3], work[4], work[5]
    total = 0
    for direction in range(_DIRECTIONS):
        step = rules[_STEPS + direction]
        up = np.uint64(_WORD) - step
        fill(rules, position, is_own, work)
        for _ in range(1, rules[_CONNECT]):
            for word in range(count):
                usable[word] = usable[word] >> step | usable[word + 1] << up
                stones[word] = stones[word] >> step | stones[word + 1] << up
                alive[word] &= usable[word]
                carry = ones[word] & stones[word]
                ones[word] ^= stones[word]
                fours[word] ^= twos[word] & carry
                twos[word] ^= carry
        for word in range(count):
            one, two = ones[word] & alive[word], twos[word] & alive[word]
            four = fours[word] & alive[word]
            total += popcount(one) + 4 * (popcount(two) + popcount(one & two))
            total += 8 * popcount(one & four) + 16 * (popcount(four) + popcount(two & four))
    return total


@compilable
def fill(rules: Words, position: Words, is_own: bool, work: Any) -> None:
    """Write one seat's stones, the squares that are not the other's, and empty bit planes."""
    count = len(position) // 2
    for word in range(count):
        own = position[count + word]
        opp = position[word] ^ own
        if not is_own:
            own, opp = opp, own
        work[0, word] = work[3, word] = own
        work[1, word] = work[2, word] = rules[_FULL + word] & ~opp
        work[4, word] = work[5, word] = ZERO
    work[0, count] = work[1, count] = ZERO


@compilable
def touching(rules: Words, position: Words) -> int:
    """Count the pairs of stones of one seat that touch, less the other's."""
    count = len(position) // 2
    total = 0
    for direction in range(_DIRECTIONS):
        step = rules[_STEPS + direction]
        above = own_above = ZERO
        for index in range(count):
            word = count - 1 - index
            own = position[count + word]
            opp = position[word] ^ own
            total += popcount(own & (own >> step | own_above << np.uint64(_WORD) - step))
            total -= popcount(opp & (opp >> step | above << np.uint64(_WORD) - step))
            above, own_above = opp, own
    return total


@compilable
def evaluate(rules: Words, position: Words, which: int) -> int:
    """Return `windows` or `neighbours`."""
    if which == 1:
        return touching(rules, position)
    work = np.empty((6, len(position) // 2 + 1), np.uint64)
    return windows(rules, position, True, work) - windows(rules, position, False, work)


@compilable
def key(rules: Words, position: Words) -> Words:
    """Return the position but for where the last stone fell."""
    extra = position[len(position) - 1]
    return tuple_setitem(position, len(position) - 1, extra & _TURN_BIT | ONE)


def kernel_of(game: Game) -> Kernel | None:
    """Return the kernel; None where the board does not fit, or rows are longer than seven."""
    if type(game) is not MnkGame or game.connect > _MOST_PLANES:
        return None
    words = -(-len(game.board.points) // _WORD)
    if words > _MOST_WORDS:
        return None
    width = 2 * words + 1
    codec = _Codec(game.board, words)
    return Kernel(
        name=game.name,
        moves=moves,
        play=play,
        outcome=outcome,
        evaluate=evaluate,
        rules=_rules(game, words),
        width=width,
        most_moves=game.board.cells + 1,
        evaluations=("windows", "neighbours"),
        pack=codec.pack,
        move_of=codec.move_of,
        solving=Solving(moves, outcome, key, width),
    )


def _rules(game: MnkGame, words: int) -> Words:
    board = game.board
    sizes = (board.cells, game.connect, game.swap, game.overline, *board.steps)
    return tuple(np.uint64(each) for each in (*sizes, *_split(board.full, words)))


def _split(bits: int, words: int) -> tuple[int, ...]:
    return tuple(bits >> _WORD * word & (1 << _WORD) - 1 for word in range(words))


class _Codec:
    """Takes positions and moves of one board there and back."""

    def __init__(self, board: Board, words: int) -> None:
        self._board, self._words = board, words
        self._moves = {bit.bit_length() - 1: move for move, bit in enumerate(board.bits)}

    def pack(self, state: Any) -> tuple[tuple[int, ...], ...]:
        """Return the position; a row that stands there would have ended the match."""
        own = state.opp ^ state.mask
        extra = state.mask.bit_count() << 32 | state.to_move << 16 | SWAP
        return ((*_split(state.mask, self._words), *_split(own, self._words), extra),)

    def move_of(self, word: int) -> int:
        """Return the move."""
        return self._board.swap if word == SWAP else self._moves[word]
