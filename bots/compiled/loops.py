"""The loops that numba compiles, once for each kernel.

Each is made by a factory whose arguments, a kernel's functions and a few numbers, become constants
of the compiled code. Arrays replace the recursion stack, so that a loop can stop at any node and
continue from there.

Values are integers from the view of the seat to move.
"""

from typing import Any

import numpy as np
from numba.np.unsafe.ndarray import to_fixed_tuple

from bots.compiled.ply_layout import (
    ALPHA,
    AT,
    BEST,
    BETA,
    END,
    ENTERING,
    ESTIMATE,
    HIGH,
    INFINITE,
    NODES,
    PLY,
    SLOT,
    SOLVED,
    UNTIL,
)
from games.kernels.bits import ZERO, signed
from games.support.kernel import NEVER, Function, compilable

_HALF, _LOWER = np.uint64(32), np.uint64(0xFFFFFFFF)
_OFFSET = 1 << 31
_LEAST, _MOST = np.uint64(0), _LOWER
"""Bounds in a table are 32 bits each, without a sign."""

_MIXER = np.uint64(0x9E3779B97F4A7C15)
"""D. Knuth's multiplier of Fibonacci hashing for 64 bits."""


def searching(
    moves_of: Function,
    play: Function,
    outcome: Function,
    evaluate: Function | None,
    revise: Function | None,
    width: int,
) -> Function:
    """Return the alpha-beta loop.

    `search(rules, scale, which, limit, first, trail, moves, marks, pv, count, until)` runs until
    `count[NODES]` is `until`, and returns whether it finished. `trail` holds a row of words for
    each position on the path, from the root in row `first`. `which` is the evaluation, -1 for none;
    if it is incremental, `marks[0, ESTIMATE]` is the root's. `pv` holds for each ply the length of
    its best line, then that line.
    """
    estimate, follow = evaluate or unestimated, revise or unrevised
    is_revised = revise is not None

    def search(
        rules: Any,
        scale: int,
        which: int,
        limit: int,
        first: int,
        trail: Any,
        moves: Any,
        marks: Any,
        pv: Any,
        count: Any,
        until: int,
    ) -> bool:
        nodes, ply, solved = count[NODES], count[PLY], count[SOLVED]
        position = to_fixed_tuple(trail[first + ply], width)
        if count[ENTERING]:
            count[ENTERING] = 0
            marks[ply, AT] = 0
            marks[ply, END] = moves_of(rules, position, moves, 0)
            marks[ply, ALPHA], marks[ply, BETA] = -INFINITE, INFINITE
            marks[ply, BEST] = -INFINITE
        at, end = marks[ply, AT], marks[ply, END]
        alpha, beta, best = marks[ply, ALPHA], marks[ply, BETA], marks[ply, BEST]
        while True:
            if at < end:
                is_full = nodes >= until
                if not is_full:
                    move = moves[at]
                    child = play(rules, position, move)
                    at += 1
                    nodes += 1
                    is_over, worth = outcome(rules, child, trail, first + ply)
                    value, length = 0, 0
                    if is_over:
                        value = -worth * scale
                    elif is_revised and which >= 0:
                        value = follow(rules, position, move, which, marks[ply, ESTIMATE])
                        marks[ply + 1, ESTIMATE] = -value
                    elif which >= 0 and ply + 1 == limit:
                        value = -estimate(rules, child, which)
                    if not is_over and ply + 1 == limit:
                        solved = 0
                if is_full or not (is_over or ply + 1 == limit):
                    marks[ply, AT], marks[ply, END] = at, end
                    marks[ply, ALPHA], marks[ply, BETA], marks[ply, BEST] = alpha, beta, best
                    if is_full:
                        count[NODES], count[PLY], count[SOLVED] = nodes, ply, solved
                        return False
                    ply += 1
                    position = child
                    for word in range(width):
                        trail[first + ply, word] = child[word]
                    at = end
                    end = moves_of(rules, position, moves, at)
                    alpha, beta, best = -beta, -alpha, -INFINITE
                    continue
            else:
                if ply == 0:
                    marks[ply, BEST] = best
                    count[NODES], count[SOLVED] = nodes, solved
                    return True
                value, length = -best, pv[ply, 0]
                ply -= 1
                position = to_fixed_tuple(trail[first + ply], width)
                at, end = marks[ply, AT], marks[ply, END]
                alpha, beta, best = marks[ply, ALPHA], marks[ply, BETA], marks[ply, BEST]
                move = moves[at - 1]
            if value > best:
                best = value
                if value >= beta:
                    at = end
                elif value > alpha:
                    alpha = value
                    pv[ply, 0] = length + 1
                    pv[ply, 1] = move
                    for index in range(1, length + 1):
                        pv[ply, index + 1] = pv[ply + 1, index]

    return search


@compilable
def unestimated(rules: Any, position: Any, which: int) -> int:
    """Evaluate every position as equal."""
    return 0


@compilable
def unrevised(rules: Any, position: Any, move: Any, which: int, estimate: int) -> int:
    """Return the estimate unchanged."""
    return estimate


@compilable
def unsettled(rules: Any, position: Any) -> tuple[int, int]:
    """Return infinite bounds."""
    return -NEVER, NEVER


def solving(
    lines: Function,
    settle: Function,
    play: Function,
    outcome: Function,
    key: Function,
    width: int,
    words: int,
    unit: int,
    step: int,
) -> Function:
    """Return the loop that proves whether a position is worth at least a given value.

    `prove(rules, trail, moves, marks, table, shift, count)` tests the position in the
    first row of `trail` against `marks[0, BETA]`, and leaves a bound in `marks[0, BEST]`: a lower
    bound if the value is at least that, else an upper one. It runs until `count[NODES]` is
    `count[UNTIL]`, and returns whether it finished. A utility of 1 is worth `unit`, less `step`
    for each ply until then. The rows of `table`, the transposition table, hold a key and a word of
    both bounds; they are indexed by the upper bits of a hash, after a right shift by `shift`.
    """

    def prove(
        rules: Any,
        trail: Any,
        moves: Any,
        marks: Any,
        table: Any,
        shift: int,
        count: Any,
    ) -> bool:
        nodes, ply, is_new = count[NODES], count[PLY], count[ENTERING]
        until = count[UNTIL]
        position = to_fixed_tuple(trail[ply], width)
        at, end = marks[ply, AT], marks[ply, END]
        beta, best = marks[ply, BETA], marks[ply, BEST]
        while True:
            if is_new:
                is_new = 0
                at, slot = end, -1
                is_over, worth = outcome(rules, position, trail, ply - 1)
                low = high = worth * unit
                if not is_over:
                    low, high = settle(rules, position)
                if low < beta <= high:
                    name = key(rules, position)
                    mixed = ZERO
                    for word in range(words):
                        mixed = (mixed ^ name[word]) * _MIXER
                        mixed ^= mixed >> _HALF
                    slot = signed(mixed * _MIXER >> np.uint64(shift))
                    is_known = True
                    for word in range(words):
                        is_known &= table[slot, word] == name[word]
                    if is_known:
                        both = table[slot, words]
                        low = max(low, signed(both >> _HALF) - _OFFSET)
                        high = min(high, signed(both & _LOWER) - _OFFSET)
                best = low if low >= beta else high
                if low < beta <= high:
                    end = lines(rules, position, moves, at)
                    best = -INFINITE
                else:
                    slot = -1
                marks[ply, SLOT], marks[ply, HIGH] = slot, high
            if at < end and best < beta:
                marks[ply, END], marks[ply, BETA], marks[ply, BEST] = end, beta, best
                if nodes >= until:
                    marks[ply, AT] = at
                    count[NODES], count[PLY], count[ENTERING] = nodes, ply, 0
                    return False
                position = play(rules, position, moves[at])
                marks[ply, AT] = at + 1
                ply += 1
                nodes += 1
                is_new = 1
                for word in range(width):
                    trail[ply, word] = position[word]
                # A child reaches it with a value one ply closer to the end.
                beta = 1 - beta - step * ((beta > 0) - (beta < 0))
                continue
            slot = marks[ply, SLOT]
            if slot >= 0:
                name = key(rules, position)
                is_known = True
                for word in range(words):
                    is_known &= table[slot, word] == name[word]
                    table[slot, word] = name[word]
                lower, upper = _LEAST, _MOST
                if is_known:
                    both = table[slot, words]
                    lower, upper = both >> _HALF, both & _LOWER
                if best >= beta:
                    lower = np.uint64(best + _OFFSET)
                else:
                    best = min(best, marks[ply, HIGH])
                    upper = np.uint64(best + _OFFSET)
                table[slot, words] = lower << _HALF | upper
            if ply == 0:
                marks[0, BEST] = best
                count[NODES] = nodes
                return True
            value = -best + step * ((best > 0) - (best < 0))
            ply -= 1
            position = to_fixed_tuple(trail[ply], width)
            at, end = marks[ply, AT], marks[ply, END]
            beta, best = marks[ply, BETA], max(value, marks[ply, BEST])

    return prove
