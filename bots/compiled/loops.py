"""The loops that numba compiles, once for each kernel.

Each is made by a factory whose arguments, a kernel's functions and a few numbers, become constants
of the compiled code. Numba's disk cache distinguishes the loops by them; `digest` among them keeps
it from using code compiled from older sources. Arrays replace the recursion stack, so that a loop
can stop at any node and continue from there.

Values are integers from the view of the seat to move.
"""

from typing import Any

import numpy as np
from numba import njit
from numba.np.unsafe.ndarray import to_fixed_tuple

from games.kernels.bits import ZERO, signed
from games.support.kernel import NEVER, Function, compilable

INFINITE = 1 << 60
"""Greater than every value."""

NODES, PLY, ENTERING, SOLVED, DIGEST = range(5)
"""Indices into the array `count`: the nodes so far, the ply and whether it is new, whether no line
was left open, and the digest."""

AT, END, ALPHA, BETA, BEST, ESTIMATE, SLOT, HIGH = range(8)
"""Columns of a ply's row in `marks`: the index of the next move and that after the last, the
window, the best value so far, the incremental estimate; for solving, the slot in the table or -1,
and a bound."""

_HALF = np.uint64(32)
_MIXER = np.uint64(0x9E3779B97F4A7C15)
"""D. Knuth's multiplier of Fibonacci hashing for 64 bits."""


def searching(
    moves_of: Function,
    play: Function,
    outcome: Function,
    evaluate: Function | None,
    revise: Function | None,
    width: int,
    digest: int,
) -> Any:
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
        count[DIGEST] = digest
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

    return _compile(search)


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
    digest: int,
) -> Any:
    """Return the loop that proves whether a position is worth at least a given value.

    `prove(rules, trail, moves, marks, keys, bounds, shift, count, until)` tests the position in the
    first row of `trail` against `marks[0, BETA]`, and leaves a bound in `marks[0, BEST]`: a lower
    bound if the value is at least that, else an upper one. It runs until `count[NODES]` is `until`,
    and returns whether it finished. A utility of 1 is worth `unit`, less `step` for each ply until
    then. `keys` and `bounds` are the transposition table, indexed by the upper bits of a hash,
    after a right shift by `shift`.
    """

    def prove(
        rules: Any,
        trail: Any,
        moves: Any,
        marks: Any,
        keys: Any,
        bounds: Any,
        shift: Any,
        count: Any,
        until: int,
    ) -> bool:
        nodes, ply, is_new = count[NODES], count[PLY], count[ENTERING]
        count[DIGEST] = digest
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
                    slot = signed(mixed * _MIXER >> shift)
                    is_known = True
                    for word in range(words):
                        is_known &= keys[slot, word] == name[word]
                    if is_known:
                        low, high = max(low, bounds[slot, 0]), min(high, bounds[slot, 1])
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
                    is_known &= keys[slot, word] == name[word]
                    keys[slot, word] = name[word]
                if not is_known:
                    bounds[slot, 0], bounds[slot, 1] = -NEVER, NEVER
                if best >= beta:
                    bounds[slot, 0] = best
                else:
                    best = min(best, marks[ply, HIGH])
                    bounds[slot, 1] = best
            if ply == 0:
                marks[0, BEST] = best
                count[NODES] = nodes
                return True
            value = -best + step * ((best > 0) - (best < 0))
            ply -= 1
            position = to_fixed_tuple(trail[ply], width)
            at, end = marks[ply, AT], marks[ply, END]
            beta, best = marks[ply, BETA], max(value, marks[ply, BEST])

    return _compile(prove)


def _compile(function: Function) -> Any:
    try:
        return njit(cache=True, nogil=True)(function)
    except RuntimeError:
        # There is no place for a cache: neither beside the sources nor in the user's folder.
        return njit(nogil=True)(function)
