"""Tablut for the compiled search.

A position is four words: the 64 lower squares of White's pieces; those of Black's; the 17 upper
squares of both, the king's square and whether White moves; the target of the last move with the
number of earlier positions that must not repeat. The first three are the board. Moves are those of
`games.tablut.rules`.
"""

from typing import Any

import numpy as np

from games.kernels.bits import ONE, ZERO, lowest, popcount, signed
from games.support.game import Game
from games.support.kernel import Deepening, Kernel, Words, compilable
from games.tablut.board import BESIDE, CAMPS, CELLS, LONGEST_ONTO_CAMP, RAYS, THRONE
from games.tablut.board import WHITE_ANVILS as ANVILS
from games.tablut.evaluation import (
    BESIEGER_WORTH,
    BLACK_WORTH,
    EXITS_WORTH,
    MOVE_WORTH,
    NEAR_WORTH,
    RING,
    RING_WORTH,
    WHITE_WORTH,
)
from games.tablut.rules import Tablut

_LOW = (1 << 64) - 1
_UPPER = 17
_BLACK, _KING, _SIDE = np.uint64(_UPPER), np.uint64(2 * _UPPER), np.uint64(2 * _UPPER + 7)
_MASK = np.uint64((1 << _UPPER) - 1)
_SEVEN, _BYTE = np.uint64(127), np.uint64(255)
_EIGHT = np.uint64(8)
_HALF = np.uint64(32)
_MIXER = np.uint64(0x9E3779B97F4A7C15)
_CELLS = np.uint64(CELLS)
_WORD = 64
_EVERY_WAY = 4
_RAY_LENGTH = 8

# Indices into the rules.
_GOALS_LOW, _GOALS_HIGH, _ARMED, _REPETITIONS = 0, 1, 2, 3


def _halves(squares: int) -> tuple[Any, Any]:
    return np.uint64(squares & _LOW), np.uint64(squares >> _WORD)


def _padded(ray: tuple[int, ...]) -> list[int]:
    return [*ray, *[-1] * (_RAY_LENGTH + 1 - len(ray))]


# By square and direction, the squares up to the edge; -1 ends each.
_RAY = np.array([[_padded(ray) for ray in rays] for rays in RAYS], np.int64)
_NEAR = np.array([_halves(squares) for squares in BESIDE], np.uint64)
_CAMPS_LOW, _CAMPS_HIGH = _halves(CAMPS)
_THRONE_LOW, _THRONE_HIGH = _halves(THRONE)
_ANVILS_LOW, _ANVILS_HIGH = _halves(ANVILS)
_RING_LOW, _RING_HIGH = _halves(RING)
_THRONE_SQUARE = THRONE.bit_length() - 1
_EXITS = np.array(EXITS_WORTH, np.int64)


@compilable
def has(low: Any, high: Any, square: int) -> bool:
    """Tell whether a set of squares, given by two words, holds one."""
    if square < _WORD:
        return bool(low >> np.uint64(square) & ONE)
    return bool(high >> np.uint64(square - _WORD) & ONE)


@compilable
def one(square: int) -> tuple[Any, Any]:
    """Return the set of a single square."""
    if square < _WORD:
        return ONE << np.uint64(square), ZERO
    return ZERO, ONE << np.uint64(square - _WORD)


@compilable
def parts(position: Words) -> tuple[Any, Any, Any, Any, int, bool]:
    """Return White's low and high squares, Black's, the king's square and whether White moves."""
    rest = position[2]
    white, black = rest & _MASK, rest >> _BLACK & _MASK
    king = signed(rest >> _KING & _SEVEN)
    return position[0], white, position[1], black, king, bool(rest >> _SIDE)


@compilable
def slide(origin: int, low: Any, high: Any, is_from_camp: bool, moves: Any, at: int) -> int:
    """List a piece's moves in all four directions up to the walls."""
    for way in range(_EVERY_WAY):
        for distance in range(_RAY_LENGTH + 1):
            target = _RAY[origin, way, distance]
            if target < 0 or has(low, high, target):
                break
            if not (
                is_from_camp
                and distance >= LONGEST_ONTO_CAMP
                and has(_CAMPS_LOW, _CAMPS_HIGH, target)
            ):
                moves[at] = np.uint64(CELLS * origin + target)
                at += 1
    return at


@compilable
def slide_all(
    low: Any, high: Any, walls_low: Any, walls_high: Any, are_in_camp: bool, moves: Any, at: int
) -> int:
    """List the moves of a set of pieces, square by square."""
    while low:
        at = slide(lowest(low), walls_low, walls_high, are_in_camp, moves, at)
        low &= low - ONE
    while high:
        at = slide(_WORD + lowest(high), walls_low, walls_high, are_in_camp, moves, at)
        high &= high - ONE
    return at


@compilable
def moves(rules: Words, position: Words, moves: Any, at: int) -> int:
    """List the king's moves, then each piece's; of Black's, those in camps come first."""
    white, white_high, black, black_high, king, is_white = parts(position)
    king_low, king_high = one(king)
    walls = white | black | king_low | _THRONE_LOW
    walls_high = white_high | black_high | king_high | _THRONE_HIGH
    blocked, blocked_high = walls | _CAMPS_LOW, walls_high | _CAMPS_HIGH
    if is_white:
        at = slide(king, blocked, blocked_high, False, moves, at)
        return slide_all(white, white_high, blocked, blocked_high, False, moves, at)
    inside, inside_high = black & _CAMPS_LOW, black_high & _CAMPS_HIGH
    at = slide_all(inside, inside_high, walls, walls_high, True, moves, at)
    black, black_high = black & ~_CAMPS_LOW, black_high & ~_CAMPS_HIGH
    return slide_all(black, black_high, blocked, blocked_high, False, moves, at)


@compilable
def taken(
    target: int, other: Any, other_high: Any, anvils: Any, anvils_high: Any
) -> tuple[Any, Any]:
    """Return the other seat's pieces between the target of a move and an anvil."""
    low, high = ZERO, ZERO
    if not (_NEAR[target, 0] & other or _NEAR[target, 1] & other_high):
        return low, high
    for way in range(_EVERY_WAY):
        beside = _RAY[target, way, 0]
        if beside >= 0 and has(other, other_high, beside):
            behind = _RAY[target, way, 1]
            if behind >= 0 and has(anvils, anvils_high, behind):
                bit, bit_high = one(beside)
                low |= bit
                high |= bit_high
    return low, high


@compilable
def play(rules: Words, position: Words, move: Any) -> Words:
    """Move a piece, and capture what it sandwiches."""
    white, white_high, black, black_high, king, is_white = parts(position)
    origin, target = signed(move // _CELLS), signed(move % _CELLS)
    from_low, from_high = one(origin)
    to_low, to_high = one(target)
    if is_white:
        anvils, anvils_high = _ANVILS_LOW, _ANVILS_HIGH
        if origin == king:
            anvils, anvils_high = anvils | white, anvils_high | white_high
            king = target
            if not rules[_ARMED]:
                anvils, anvils_high = ZERO, ZERO
        else:
            white, white_high = white ^ from_low, white_high ^ from_high
            anvils, anvils_high = anvils | white, anvils_high | white_high
            if rules[_ARMED]:
                king_low, king_high = one(king)
                anvils, anvils_high = anvils | king_low, anvils_high | king_high
            white, white_high = white | to_low, white_high | to_high
        gone, gone_high = taken(target, black, black_high, anvils, anvils_high)
        black, black_high = black ^ gone, black_high ^ gone_high
    else:
        black, black_high = black ^ from_low, black_high ^ from_high
        anvils = black | _CAMPS_LOW | _THRONE_LOW
        anvils_high = black_high | _CAMPS_HIGH | _THRONE_HIGH
        gone, gone_high = taken(target, white, white_high, anvils, anvils_high)
        white, white_high = white ^ gone, white_high ^ gone_high
        black, black_high = black | to_low, black_high | to_high
    is_out_of_camp = has(_CAMPS_LOW, _CAMPS_HIGH, origin) and not has(
        _CAMPS_LOW, _CAMPS_HIGH, target
    )
    before = (position[3] >> _EIGHT) + ONE
    if gone or gone_high or is_out_of_camp:
        before = ZERO
    rest = white_high | black_high << _BLACK | np.uint64(king) << _KING
    rest |= np.uint64(not is_white) << _SIDE
    return white, black, rest, np.uint64(target) | before << _EIGHT


@compilable
def is_king_taken(target: int, king: int, black: Any, black_high: Any) -> bool:
    """Tell whether Black's move to a square beside the king captures him."""
    near, near_high = _NEAR[king, 0], _NEAR[king, 1]
    if king == _THRONE_SQUARE:
        return not (near & ~black | near_high & ~black_high)
    if has(_NEAR[_THRONE_SQUARE, 0], _NEAR[_THRONE_SQUARE, 1], king):
        return not (near & ~(black | _THRONE_LOW) | near_high & ~(black_high | _THRONE_HIGH))
    for way in range(_EVERY_WAY):
        if _RAY[target, way, 0] == king:
            behind = _RAY[target, way, 1]
            return behind >= 0 and has(black | _CAMPS_LOW, black_high | _CAMPS_HIGH, behind)
    return False


@compilable
def is_free(low: Any, high: Any, walls: Any, walls_high: Any) -> bool:
    """Tell whether one of a set of pieces has a free square beside it."""
    while low:
        square = lowest(low)
        if _NEAR[square, 0] & ~walls or _NEAR[square, 1] & ~walls_high:
            return True
        low &= low - ONE
    while high:
        square = _WORD + lowest(high)
        if _NEAR[square, 0] & ~walls or _NEAR[square, 1] & ~walls_high:
            return True
        high &= high - ONE
    return False


@compilable
def can_move(position: Words) -> bool:
    """Tell whether the seat to move has a move; one free step is enough."""
    white, white_high, black, black_high, king, is_white = parts(position)
    king_low, king_high = one(king)
    white, white_high = white | king_low, white_high | king_high
    walls, walls_high = white | black | _THRONE_LOW, white_high | black_high | _THRONE_HIGH
    blocked, blocked_high = walls | _CAMPS_LOW, walls_high | _CAMPS_HIGH
    if is_white:
        return is_free(white, white_high, blocked, blocked_high)
    if is_free(black & ~_CAMPS_LOW, black_high & ~_CAMPS_HIGH, blocked, blocked_high):
        return True
    return is_free(black & _CAMPS_LOW, black_high & _CAMPS_HIGH, walls, walls_high)


@compilable
def outcome(rules: Words, position: Words, trail: Any, row: int) -> tuple[bool, int]:
    """Tell whether the last move won or left no move, or the board has repeated too often."""
    _, _, black, black_high, king, is_white = parts(position)
    if not is_white:
        if has(rules[_GOALS_LOW], rules[_GOALS_HIGH], king):
            return True, -1
    else:
        target = signed(position[3] & _BYTE)
        if has(_NEAR[target, 0], _NEAR[target, 1], king) and is_king_taken(
            target, king, black, black_high
        ):
            return True, -1
    first = row + 1 - signed(position[3] >> _EIGHT)
    times = 0
    for index in range(first, row + 1):
        if (
            trail[index, 0] == position[0]
            and trail[index, 1] == position[1]
            and trail[index, 2] == position[2]
        ):
            times += 1
    if times > signed(rules[_REPETITIONS]):
        return True, 0
    return not can_move(position), -1


@compilable
def is_near(rules: Words, walls: Any, walls_high: Any, square: int) -> bool:
    """Tell whether the king could escape from a square in one move."""
    for way in range(_EVERY_WAY):
        for distance in range(_RAY_LENGTH + 1):
            target = _RAY[square, way, distance]
            if target < 0 or has(walls, walls_high, target):
                break
            if has(rules[_GOALS_LOW], rules[_GOALS_HIGH], target):
                return True
    return False


@compilable
def evaluate(rules: Words, position: Words, which: int) -> int:
    """Return `siege` or `pieces`."""
    white, white_high, black, black_high, king, is_white = parts(position)
    whites = popcount(white) + popcount(white_high)
    blacks = popcount(black) + popcount(black_high)
    worth: int
    if which == 1:
        worth = 2 * whites - blacks
        return worth if is_white else -worth
    worth = WHITE_WORTH * whites - BLACK_WORTH * blacks
    walls = white | black | _THRONE_LOW | _CAMPS_LOW
    walls_high = white_high | black_high | _THRONE_HIGH | _CAMPS_HIGH
    exits = 0
    for way in range(_EVERY_WAY):
        for distance in range(_RAY_LENGTH + 1):
            target = _RAY[king, way, distance]
            if target < 0 or has(walls, walls_high, target):
                break
            worth += MOVE_WORTH
            if has(rules[_GOALS_LOW], rules[_GOALS_HIGH], target):
                exits += 1
            elif is_near(rules, walls, walls_high, target):
                worth += NEAR_WORTH
    worth += _EXITS[exits]
    besiegers = popcount(_NEAR[king, 0] & black) + popcount(_NEAR[king, 1] & black_high)
    on_ring = popcount(_RING_LOW & black) + popcount(_RING_HIGH & black_high)
    worth -= BESIEGER_WORTH * besiegers + RING_WORTH * on_ring
    return worth if is_white else -worth


@compilable
def slot(rules: Words, move: Any) -> Any:
    """Return the move."""
    return signed(move)


@compilable
def identity(rules: Words, position: Words, trail: Any, row: int) -> Words:
    """Return the board, and a sum of hashes of those that must not come again."""
    seen = ZERO
    for index in range(row + 1 - signed(position[3] >> _EIGHT), row + 1):
        mixed = ZERO
        for word in range(3):
            mixed = (mixed ^ trail[index, word]) * _MIXER
            mixed ^= mixed >> _HALF
        seen += mixed * _MIXER
    return position[0], position[1], position[2], seen


@compilable
def null(position: Words) -> Words:
    """Return the position after a pass, which nothing before can repeat."""
    return position[0], position[1], position[2] ^ ONE << _SIDE, position[3] & _BYTE


def kernel_of(game: Game) -> Kernel | None:
    """Return the kernel."""
    if type(game) is not Tablut:
        return None
    return Kernel.packed(
        game.packing(),
        name=game.name,
        moves=moves,
        play=play,
        outcome=outcome,
        evaluate=evaluate,
        deepening=Deepening(slot=slot, slots=CELLS * CELLS, key=identity, words=4, null=null),
    )
