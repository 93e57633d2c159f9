"""The loop of the deepening searches that numba compiles, once for each kernel.

It is the search of one depth in a window by `bots.iterative`, node for node. Arrays replace the
recursion stack, so that it can stop at any node and continue from there. As in
`bots.compiled.loops`, the factory's arguments become constants of the compiled code. Values are
integers from the view of the seat to move, and doubled: an odd one is the float next to a value.
"""

from typing import Any

import numpy as np
from numba.np.unsafe.ndarray import to_fixed_tuple

from bots.compiled.deepening_layout import (
    ABOUT,
    AGAIN,
    ALPHA,
    AT,
    BEFORE,
    BEST,
    BEST_MOVE,
    BETA,
    DRAWN,
    END,
    ENTER,
    ESTIMATE,
    FIRST,
    FLOOR,
    HAS_TABLE,
    HASH,
    HASHED,
    IS_ORDERED,
    IS_RANKED,
    KEY,
    KILLS,
    LATE,
    LATE_DEPTH,
    LATE_MOVES,
    LEARNS,
    LEAVE,
    LEFT,
    LIMIT,
    LIST,
    MAY_PASS,
    MIRROR_DEPTH,
    MIXED,
    MOVE,
    NEXT,
    NO_MOVE,
    NODES,
    NULL_DEPTH,
    NULL_REDUCTION,
    PASSED,
    PHASE,
    PLY,
    PROBED,
    REACHED,
    REDUCED,
    REDUCES,
    RESULT,
    ROW,
    SCALE,
    SIZE,
    STAGE,
    STORE,
    STORED,
    TAKE,
    TURN,
    UNTIL,
    VALUE,
    WHICH,
    WORTH,
)
from bots.compiled.loops import unestimated, unrevised
from bots.compiled.ply_layout import INFINITE
from bots.support.transposition_table import AT_LEAST, AT_MOST, EXACT
from games.kernels.bits import signed
from games.support.kernel import Function, compilable

NONE = np.uint64(NO_MOVE)
_KIND, _IS_CLOSED, _SIDE, _DEPTH = 3, 4, 8, 4

_HALF = np.uint64(32)
_ROW, _UPPER = (1 << 32) - 1, np.uint64(((1 << 32) - 1) << 32)
_MIXER = np.uint64(0x9E3779B97F4A7C15)
_FRONT = 1 << 62
_INDEX_BITS = 12


@compilable
def unimaged(rules: Any, position: Any, index: int) -> Any:
    """Return the position itself."""
    return position


@compilable
def unmoved(rules: Any, move: Any, index: int) -> Any:
    """Return the move itself."""
    return move


@compilable
def unpassed(position: Any) -> Any:
    """Return the position itself."""
    return position


@compilable
def tagged(mixed: Any, row: int) -> Any:
    """Return what the index holds for a row: the upper half of its hash, and its number from 1."""
    return signed(mixed << _HALF) | row + 1


@compilable
def find(index: Any, size: int, rows: Any, name: Any, mixed: Any, side: int) -> Any:
    """Return the row of a key, or the free place in the index, less the number of places."""
    place = signed(mixed >> _HALF) & (size - 1)
    tag = tagged(mixed, -1)
    while index[place]:
        # Rows of other hashes are not looked at: each may be far away in memory.
        if index[place] & ~_ROW == tag:
            row = (index[place] & _ROW) - 1
            if signed(rows[row, ABOUT]) & _SIDE == side:
                is_same = True
                for word in range(len(name)):
                    is_same &= rows[row, KEY + word] == name[word]
                if is_same:
                    return row
        place = (place + 1) & (size - 1)
    return place - size


@compilable
def grow(index: Any, size: int, rows: Any, stored: int) -> int:
    """Double the index; return its size."""
    size *= 2
    for place in range(size):
        index[place] = 0
    for row in range(stored):
        place = signed(rows[row, MIXED] >> _HALF) & (size - 1)
        while index[place]:
            place = (place + 1) & (size - 1)
        index[place] = tagged(rows[row, MIXED], row)
    return size


@compilable
def bring_to_front(moves: Any, at: int, place: int) -> None:
    """Put a move before the others, which keep their order."""
    move = moves[place]
    for each in range(place, at, -1):
        moves[each] = moves[each - 1]
    moves[at] = move


@compilable
def take_first(moves: Any, ranks: Any, at: int, end: int) -> Any:
    """Put the move of the highest rank at the front and return it."""
    found = at
    for index in range(at + 1, end):
        if ranks[index] > ranks[found]:
            found = index
    move, rank = moves[found], ranks[found]
    moves[found], ranks[found] = moves[at], ranks[at]
    moves[at], ranks[at] = move, rank
    return move


def deepening(
    list_moves: Function,
    order: Function,
    play: Function,
    outcome: Function,
    evaluate: Function | None,
    revise: Function | None,
    slot: Function,
    key: Function,
    image: Function | None,
    moved: Function | None,
    null: Function | None,
    images: int,
    width: int,
    words: int,
) -> Function:
    """Return the loop.

    `search(rules, asked, trail, moves, ranks, frames, pv, history, killers, index, rows, names,
    count)` searches the root, in row `asked[FIRST]` of `trail`, to the depth and in the
    window in `frames[0]`, where `HASHED` is the move to search first. It runs until `count[NODES]`
    is `count[UNTIL]`, and returns whether it finished, with the value in `count[RESULT]`. If
    `asked[DRAWN]`, `ranks` has the ranks of the root's moves in the order of the rules.

    `count[VALUE]` is the value of the line in `pv[0]`: its length, then its moves. `history` has a
    row for each seat; `killers` has the slot of a move for each remaining depth, -1 for none. The
    table is `rows`, and `index` with `count[SIZE]` places in use, is where to find them.
    """
    estimate, follow = evaluate or unestimated, revise or unrevised
    image_of, moved_by, pass_in = image or unimaged, moved or unmoved, null or unpassed
    is_revised, can_pass = revise is not None, null is not None

    def search(
        rules: Any,
        asked: Any,
        trail: Any,
        moves: Any,
        ranks: Any,
        frames: Any,
        pv: Any,
        history: Any,
        killers: Any,
        index: Any,
        rows: Any,
        names: Any,
        count: Any,
    ) -> bool:
        until = count[UNTIL]
        scale, which, first = asked[SCALE], asked[WHICH], asked[FIRST]
        has_table, learns, kills = asked[HAS_TABLE], asked[LEARNS], asked[KILLS]
        nodes, reached, result = count[NODES], count[REACHED], count[RESULT]
        ply, phase, may_pass = count[PLY], count[PHASE], count[MAY_PASS]
        position = to_fixed_tuple(trail[first + ply], width)
        child = position
        at, end, depth = frames[ply, AT], frames[ply, END], frames[ply, LEFT]
        alpha, beta, best = frames[ply, ALPHA], frames[ply, BETA], frames[ply, BEST]
        limit, late = frames[ply, LIMIT], frames[ply, LATE]
        value, move, is_last = 0, NONE, True
        # The window, the depth and the stage of the child to search next; none if the depth is 0.
        below, low, high, stage = 0, 0, 0, PROBED
        while True:
            if phase == ENTER:
                phase = LIST
                hashed, row = NONE, -1
                if has_table:
                    name = key(rules, position, trail, first + ply - 1)
                    turn = -1
                    if images and depth >= asked[MIRROR_DEPTH]:
                        for each in range(images):
                            other = image_of(rules, position, each)
                            other_name = key(rules, other, trail, first + ply - 1)
                            if other_name < name:
                                name, turn = other_name, each
                    side = (ply & 1) * _SIDE
                    mixed = np.uint64(side)
                    for word in range(words):
                        names[ply, word] = name[word]
                        mixed = (mixed ^ name[word]) * _MIXER
                        mixed ^= mixed >> _HALF
                    mixed *= _MIXER
                    row = find(index, count[SIZE], rows, name, mixed, side)
                    frames[ply, HASH], frames[ply, TURN] = signed(mixed), turn
                    if row >= 0 and ply:
                        hashed = rows[row, MOVE]
                        if turn >= 0:
                            for each in range(end, list_moves(rules, position, moves, end)):
                                if moved_by(rules, moves[each], turn) == hashed:
                                    hashed = moves[each]
                                    break
                        about, value = signed(rows[row, ABOUT]), signed(rows[row, WORTH])
                        kind, known = about & _KIND, about >> _DEPTH
                        if (known == depth or (about & _IS_CLOSED and known < depth)) and (
                            kind == EXACT
                            or (kind == AT_LEAST and value >= beta)
                            or (kind == AT_MOST and value <= alpha)
                        ):
                            if not about & _IS_CLOSED:
                                reached += 1
                            pv[ply, 0], pv[ply, 1] = 1, hashed
                            result, phase = value, LEAVE
                frames[ply, ROW] = row
                if ply:
                    frames[ply, HASHED] = signed(hashed)
                if (
                    phase == LIST
                    and can_pass
                    and may_pass
                    and ply
                    and depth >= asked[NULL_DEPTH]
                    and beta < INFINITE
                ):
                    child = pass_in(position)
                    may_pass = 0
                    below = max(1, depth - 1 - asked[NULL_REDUCTION])
                    low, high, stage = -beta, 1 - beta, PASSED
            if phase == LIST and not below:
                phase = NEXT
                at, hashed = end, np.uint64(frames[ply, HASHED])
                is_drawn = ply == 0 and asked[DRAWN] > 0
                if is_drawn or not asked[IS_ORDERED]:
                    end = list_moves(rules, position, moves, at)
                else:
                    end = order(rules, position, moves, at)
                is_ranked = is_drawn or (learns and depth > 1)
                frames[ply, IS_RANKED] = is_ranked
                killer = killers[depth] if kills and ply else -1
                if is_ranked:
                    for each in range(at, end):
                        number = slot(rules, moves[each])
                        if moves[each] == hashed:
                            ranks[each] = _FRONT
                        elif number == killer:
                            ranks[each] = _FRONT - 1
                        elif not is_drawn:
                            learnt = history[ply & 1, number]
                            ranks[each] = (learnt + 1 << _INDEX_BITS) - (each - at)
                else:
                    if killer >= 0:
                        for each in range(at, end):
                            if slot(rules, moves[each]) == killer:
                                bring_to_front(moves, at, each)
                                break
                    if hashed != NONE:
                        for each in range(at, end):
                            if moves[each] == hashed:
                                bring_to_front(moves, at, each)
                                break
                best, limit = -INFINITE, beta
                frames[ply, FLOOR], frames[ply, BEFORE] = alpha, reached
                late = INFINITE
                if asked[REDUCES] and depth >= asked[LATE_DEPTH]:
                    late = asked[LATE_MOVES]
            if phase == NEXT:
                if at == end:
                    phase = STORE
                else:
                    if nodes >= until:
                        count[NODES], count[REACHED], count[RESULT] = nodes, reached, result
                        count[PLY], count[PHASE], count[MAY_PASS] = ply, phase, may_pass
                        frames[ply, AT], frames[ply, END], frames[ply, LEFT] = at, end, depth
                        frames[ply, ALPHA], frames[ply, BETA] = alpha, beta
                        frames[ply, BEST], frames[ply, LIMIT] = best, limit
                        frames[ply, LATE] = late
                        return False
                    move = (
                        take_first(moves, ranks, at, end) if frames[ply, IS_RANKED] else moves[at]
                    )
                    at += 1
                    child = play(rules, position, move)
                    nodes += 1
                    is_over, worth = outcome(rules, child, trail, first + ply)
                    is_last = is_over or depth == 1
                    value = 0
                    if is_over:
                        value = -2 * scale * worth
                    elif is_revised and which >= 0:
                        value = follow(rules, position, move, which, frames[ply, ESTIMATE])
                        frames[ply + 1, ESTIMATE] = -value
                        value *= 2
                    elif which >= 0 and depth == 1:
                        value = -2 * estimate(rules, child, which)
                    if is_last:
                        phase = TAKE
                        if not is_over:
                            reached += 1
                    else:
                        # After the first move, a null window only asks whether the next one is
                        # better; late moves are searched less deep before.
                        low, high = -limit, -alpha
                        below, stage = depth - 1, PROBED
                        if late <= 0 and limit < beta:
                            below, stage = depth - 2, REDUCED
                        late -= 1
            if phase == TAKE:
                phase = NEXT
                if value > best:
                    best = value
                    frames[ply, BEST_MOVE] = signed(move)
                    if value >= beta:
                        phase = STORE
                        if learns:
                            history[ply & 1, slot(rules, move)] += depth * depth
                        if kills:
                            killers[depth] = slot(rules, move)
                    elif value > alpha:
                        alpha = value
                        length = 0 if is_last else signed(pv[ply + 1, 0])
                        pv[ply, 0], pv[ply, 1] = length + 1, move
                        for each in range(1, length + 1):
                            pv[ply, each + 1] = pv[ply + 1, each]
                        if ply == 0:
                            count[VALUE] = value
                limit = alpha + 1
            if phase == STORE:
                result, phase = best, LEAVE
                if has_table:
                    floor = frames[ply, FLOOR]
                    kind = AT_MOST if best <= floor else AT_LEAST if best >= beta else EXACT
                    about = depth << _DEPTH | (ply & 1) * _SIDE | kind
                    if reached == frames[ply, BEFORE]:
                        about |= _IS_CLOSED
                    mixed = np.uint64(frames[ply, HASH])
                    row, is_new = frames[ply, ROW], False
                    if row < 0 or count[STORED] == len(rows):
                        name = to_fixed_tuple(names[ply], words)
                        size = count[SIZE]
                        row = find(index, size, rows, name, mixed, (ply & 1) * _SIDE)
                        if row < 0:
                            is_new = True
                            if count[STORED] < len(rows):
                                index[row + size] = tagged(mixed, count[STORED])
                                row = count[STORED]
                                rows[row, MIXED] = mixed
                                count[STORED] += 1
                                if 2 * count[STORED] > size and 2 * size <= len(index):
                                    count[SIZE] = grow(index, size, rows, row + 1)
                            else:
                                # A full table replaces what the search looks up first.
                                row = (index[signed(mixed >> _HALF) & (size - 1)] & _ROW) - 1
                                if row >= 0 and signed(rows[row, ABOUT]) >> _DEPTH > depth:
                                    row = -1
                    if row >= 0:
                        if is_new:
                            rows[row, MIXED] = mixed
                            for word in range(words):
                                rows[row, KEY + word] = names[ply, word]
                        kept = np.uint64(frames[ply, BEST_MOVE])
                        if frames[ply, TURN] >= 0:
                            kept = moved_by(rules, kept, frames[ply, TURN])
                        rows[row, ABOUT], rows[row, WORTH] = np.uint64(about), np.uint64(best)
                        rows[row, MOVE] = kept
            if phase == LEAVE:
                if ply == 0:
                    count[NODES], count[REACHED], count[RESULT] = nodes, reached, result
                    return True
                ply -= 1
                position = to_fixed_tuple(trail[first + ply], width)
                at, end, depth = frames[ply, AT], frames[ply, END], frames[ply, LEFT]
                alpha, beta, best = frames[ply, ALPHA], frames[ply, BETA], frames[ply, BEST]
                limit, late = frames[ply, LIMIT], frames[ply, LATE]
                value, stage = -result, frames[ply, STAGE]
                if stage == PASSED:
                    may_pass, phase = 1, LIST
                    if value >= beta:
                        result, phase = value, LEAVE
                elif stage == REDUCED and value > alpha:
                    below, low, high, stage = depth - 1, -limit, -alpha, PROBED
                elif stage != AGAIN and limit < beta and alpha < value < beta:
                    below, low, high, stage = depth - 1, -beta, -alpha, AGAIN
                else:
                    phase, is_last, move = TAKE, False, moves[at - 1]
                if below:
                    child = to_fixed_tuple(trail[first + ply + 1], width)
            if below:
                frames[ply, AT], frames[ply, END], frames[ply, LEFT] = at, end, depth
                frames[ply, ALPHA], frames[ply, BETA], frames[ply, BEST] = alpha, beta, best
                frames[ply, LIMIT], frames[ply, LATE], frames[ply, STAGE] = limit, late, stage
                ply += 1
                for word in range(width):
                    trail[first + ply, word] = child[word]
                position, phase = child, ENTER
                depth, alpha, beta, below = below, low, high, 0

    return search
