"""The loops of compiled Monte Carlo tree search: `bots.mcts.tree`, with the tree in arrays.

They do the same arithmetic in the same order and draw the same random numbers, so they find exactly
what the search in Python finds.
"""

from math import inf, log, sqrt, tanh
from typing import Any

import numpy as np
from numba.np.unsafe.ndarray import to_fixed_tuple

from bots.compiled.loops import unestimated, unrevised
from bots.compiled.tree_layout import (
    CHILDREN,
    COUNTED,
    DEEPEST,
    DEPTH,
    DONE,
    END,
    ESTIMATE,
    EXHAUSTED,
    FACTOR,
    FIRST,
    FULL,
    GREATEST,
    GREEDY,
    HIGH,
    HISTORY,
    IS_OVER,
    LAST,
    LAST_LIVE,
    LEAST,
    LIMIT,
    LIVE,
    LOW,
    MEAN,
    MOST,
    MOVES,
    NEXT,
    NEXT_LIVE,
    NODES,
    PAUSED,
    PLIES,
    ROOM,
    SEAT,
    SLICE,
    SQUARES,
    STATS,
    UNTIL,
    USED,
    VALUE,
    VISITS,
    WHICH,
    WIDTH,
    WORTH,
)
from games.support.kernel import Function, compilable

_STATE, _SHIFT = 624, 397
_UPPER, _LOWER = np.uint64(0x80000000), np.uint64(0x7FFFFFFF)
_ODD, _MASK_B, _MASK_C = np.uint64(0x9908B0DF), np.uint64(0x9D2C5680), np.uint64(0xEFC60000)
_ZERO, _ONE, _FIVE, _SIX, _SEVEN = (np.uint64(each) for each in (0, 1, 5, 6, 7))
_ELEVEN, _FIFTEEN, _EIGHTEEN, _LENGTH = (np.uint64(each) for each in (11, 15, 18, _STATE))


@compilable
def word_of(source: Any) -> Any:
    """Return the next 32 bits of the Mersenne Twister of M. Matsumoto and T. Nishimura (1998)."""
    at = source[_STATE]
    if at == _LENGTH:
        at = _ZERO
        for index in range(_STATE):
            mixed = source[index] & _UPPER | source[(index + 1) % _STATE] & _LOWER
            source[index] = source[(index + _SHIFT) % _STATE] ^ mixed >> _ONE
            if mixed & _ONE:
                source[index] ^= _ODD
    word = source[at]
    source[_STATE] = at + _ONE
    word ^= word >> _ELEVEN
    word ^= word << _SEVEN & _MASK_B
    word ^= word << _FIFTEEN & _MASK_C
    return word ^ word >> _EIGHTEEN


@compilable
def draw(source: Any, count: int) -> int:
    """Return what `int(random() * count)` is in Python."""
    high, low = np.int64(word_of(source) >> _FIVE), np.int64(word_of(source) >> _SIX)
    return int((high * 67108864.0 + low) * (1.0 / 9007199254740992.0) * count)


@compilable
def utility_of(floats: Any, estimate: int) -> float:
    """Convert the first seat's estimate to its utility, as `LeafValue` does."""
    floats[COUNTED] += 1
    floats[SQUARES] += float(estimate) * float(estimate)
    unit = 2 * sqrt(floats[SQUARES] / floats[COUNTED])
    if unit == 0:
        return 0.0
    return float(floats[MOST] * tanh(estimate / unit))


@compilable
def enliven(links: Any, parent: int, child: int) -> None:
    """Append a child to those worth a visit."""
    if links[parent, LIVE] < 0:
        links[parent, LIVE] = child
    else:
        links[links[parent, LAST_LIVE], NEXT_LIVE] = child
    links[parent, LAST_LIVE] = child
    links[child, NEXT_LIVE] = -1


@compilable
def add(links: Any, stats: Any, parent: int, child: int) -> None:
    """Append a node without visits to its parent's children."""
    links[child, SEAT], links[child, MOVES] = 1 - links[parent, SEAT], -1
    links[child, CHILDREN] = links[child, VISITS] = links[child, IS_OVER] = 0
    for column in (FIRST, LAST, NEXT, LIVE, LAST_LIVE):
        links[child, column] = -1
    stats[child, MEAN], stats[child, WIDTH] = 0.0, inf
    if links[parent, CHILDREN]:
        links[links[parent, LAST], NEXT] = child
    else:
        links[parent, FIRST] = child
    links[parent, LAST] = child
    links[parent, CHILDREN] += 1
    enliven(links, parent, child)


@compilable
def tighten(links: Any, stats: Any, most: float, node: int) -> bool:
    """Recompute a node's bounds as `bots.mcts.tree.tighten` does; tell whether they changed."""
    # Bounds are the first seat's; `sign` turns them into those of the seat to move.
    sign, lower, upper = (1.0, LOW, HIGH) if links[node, SEAT] == 0 else (-1.0, HIGH, LOW)
    sure = bound = -inf
    child = links[node, FIRST]
    while child >= 0:
        sure = max(sure, sign * stats[child, lower])
        bound = max(bound, sign * stats[child, upper])
        child = links[child, NEXT]
    if links[node, CHILDREN] < links[node, MOVES]:
        bound = most
    has_changed = stats[node, lower] != sign * sure or stats[node, upper] != sign * bound
    stats[node, lower], stats[node, upper] = sign * sure, sign * bound
    links[node, LIVE], equal = -1, -1
    child = links[node, FIRST]
    while child >= 0:
        if sign * stats[child, upper] > sure:
            enliven(links, node, child)
        elif equal < 0 and sign * stats[child, lower] == sure:
            equal = child
        child = links[child, NEXT]
    if sure > -most and equal >= 0:
        enliven(links, node, equal)
    return bool(has_changed)


@compilable
def back_up(links: Any, stats: Any, path: Any, length: int, floats: Any) -> None:
    """Add the first seat's value to the nodes of a path, and propagate any proof."""
    leaf, value = path[length - 1], floats[VALUE]
    if links[leaf, VISITS] == 0 and length > 1 and stats[leaf, LOW] == stats[leaf, HIGH]:
        for index in range(length - 2, -1, -1):
            node = path[index]
            if not tighten(links, stats, floats[MOST], node):
                break
            low = stats[node, LOW]
            if low == stats[node, HIGH]:
                stats[node, MEAN] = -low if links[node, SEAT] == 0 else low
    for index in range(length - 1, -1, -1):
        node = path[index]
        if stats[node, LOW] == stats[node, HIGH]:
            value = stats[node, LOW]
        links[node, VISITS] += 1
        visits = float(links[node, VISITS])
        # The mean is that of the seat whose move led here.
        mine = -value if links[node, SEAT] == 0 else value
        stats[node, MEAN] += (mine - stats[node, MEAN]) / visits
        stats[node, WIDTH] = visits**-0.5


@compilable
def select(links: Any, stats: Any, node: int, factor: float) -> int:
    """Return the live child with the greatest upper confidence bound."""
    bonus = factor * sqrt(log(float(links[node, VISITS])))
    best, child = -inf, links[node, LIVE]
    while child >= 0:
        bound = stats[child, MEAN] + bonus * stats[child, WIDTH]
        if bound > best:
            best, node = bound, child
        child = links[child, NEXT_LIVE]
    return node


def simulating(
    moves_of: Function,
    ordered: Function,
    play: Function,
    outcome: Function,
    evaluate: Function | None,
    revise: Function | None,
    width: int,
) -> Function:
    """Return the loop that grows a tree by simulations.

    `simulate(rules, positions, links, stats, numbers, floats, source, trail, moves, played, path)`
    runs until it has a reason to stop, and returns that. `source` is the state of Python's random
    numbers. `trail` holds the positions before the root up to row `numbers[HISTORY]`, the root's
    own; `played` the moves of a playout, and `path` nodes.
    """
    estimate, follow = evaluate or unestimated, revise or unrevised
    is_revised = revise is not None

    @compilable
    def playout(
        rules: Any,
        position: Any,
        seat: int,
        at: int,
        plies: int,
        reckoned: int,
        numbers: Any,
        floats: Any,
        source: Any,
        trail: Any,
        moves: Any,
        played: Any,
    ) -> bool:
        """Value the position of row `at` of the trail; tell whether the limits allowed it."""
        first, nodes, row = at, numbers[NODES], at
        for word in range(width):
            trail[at, word] = position[word]
        for _ in range(plies):
            count = moves_of(rules, position, moves, 0)
            chosen = -1
            if numbers[GREEDY]:
                for index in range(count):
                    if nodes >= numbers[LIMIT]:
                        numbers[NODES] = nodes
                        return False
                    nodes += 1
                    child = play(rules, position, moves[index])
                    is_over, worth = outcome(rules, child, trail, row)
                    if is_over and worth < 0:
                        chosen = index
                        break
            else:
                if nodes >= numbers[LIMIT]:
                    numbers[NODES] = nodes
                    return False
                nodes += 1
            if chosen < 0:
                chosen = draw(source, count)
            played[row - first] = moves[chosen]
            position = play(rules, position, moves[chosen])
            is_over, worth = outcome(rules, position, trail, row)
            seat = 1 - seat
            row += 1
            if is_over:
                numbers[NODES] = nodes
                floats[VALUE] = float(worth) if seat == 0 else -float(worth)
                return True
            for word in range(width):
                trail[row, word] = position[word]
        numbers[NODES] = nodes
        which, found = numbers[WHICH], 0
        if which >= 0 and is_revised:
            found = reckoned
            for index in range(row - first):
                before = to_fixed_tuple(trail[first + index], width)
                found = -follow(rules, before, played[index], which, found)
        elif which >= 0:
            found = estimate(rules, position, which)
        floats[VALUE] = utility_of(floats, found if seat == 0 else -found) if which >= 0 else 0.0
        return True

    @compilable
    def descend(
        rules: Any,
        positions: Any,
        links: Any,
        stats: Any,
        numbers: Any,
        floats: Any,
        source: Any,
        trail: Any,
        moves: Any,
        played: Any,
        path: Any,
    ) -> int:
        """Simulate from the root; return the length of the path, 0 at a limit of nodes."""
        node, length, row = 0, 1, numbers[HISTORY]
        path[0] = 0
        while True:
            if links[node, IS_OVER]:
                floats[VALUE] = stats[node, WORTH]
                return length
            if stats[node, LOW] == stats[node, HIGH]:
                floats[VALUE] = stats[node, LOW]
                return length
            position = to_fixed_tuple(positions[node], width)
            seat, reckoned = links[node, SEAT], links[node, ESTIMATE]
            if length > numbers[DEPTH]:
                playout(
                    rules, position, seat, row, 0, reckoned, numbers, floats, source, trail,
                    moves, played,
                )  # fmt: skip
                return length
            is_listed = links[node, MOVES] < 0
            if is_listed:
                links[node, MOVES] = ordered(rules, position, moves, 0)
            if links[node, CHILDREN] < links[node, MOVES]:
                break
            node = select(links, stats, node, floats[FACTOR])
            path[length] = node
            length += 1
            row += 1
            for word in range(width):
                trail[row, word] = positions[node, word]
        if numbers[NODES] >= numbers[LIMIT]:
            return 0
        numbers[NODES] += 1
        if not is_listed:
            ordered(rules, position, moves, 0)
        move = moves[links[node, CHILDREN]]
        child = play(rules, position, move)
        is_over, worth = outcome(rules, child, trail, row)
        if is_revised and numbers[WHICH] >= 0 and not is_over:
            reckoned = -follow(rules, position, move, numbers[WHICH], reckoned)
        if is_over:
            floats[VALUE] = -float(worth) if seat == 0 else float(worth)
        elif not playout(
            rules, child, 1 - seat, row + 1, min(numbers[PLIES], numbers[DEPTH] - length),
            reckoned, numbers, floats, source, trail, moves, played,
        ):  # fmt: skip
            return 0
        new = numbers[USED]
        if new >= numbers[ROOM]:
            return length
        numbers[USED] += 1
        add(links, stats, node, new)
        links[new, ESTIMATE] = reckoned
        for word in range(width):
            positions[new, word] = child[word]
        positions[new, width] = move
        # Bounds without end say that nothing is proved.
        stats[new, LOW], stats[new, HIGH] = floats[LEAST], floats[GREATEST]
        if is_over:
            links[new, IS_OVER], stats[new, WORTH] = 1, floats[VALUE]
            if floats[LEAST] > -inf:
                stats[new, LOW] = stats[new, HIGH] = floats[VALUE]
        path[length] = new
        return length + 1

    def simulate(
        rules: Any,
        positions: Any,
        links: Any,
        stats: Any,
        numbers: Any,
        floats: Any,
        source: Any,
        trail: Any,
        moves: Any,
        played: Any,
        path: Any,
    ) -> int:
        for _ in range(SLICE):
            if links[0, VISITS] >= numbers[END] or stats[0, LOW] == stats[0, HIGH]:
                return DONE
            if numbers[NODES] >= numbers[UNTIL]:
                return PAUSED
            is_full = numbers[USED] == len(links) and numbers[USED] < numbers[ROOM]
            if is_full or numbers[DEEPEST] + 2 >= len(path):
                return FULL
            length = descend(
                rules, positions, links, stats, numbers, floats, source, trail, moves, played, path
            )
            if length == 0:
                return EXHAUSTED
            numbers[DEEPEST] = max(numbers[DEEPEST], length - 1)
            back_up(links, stats, path, length, floats)
        return PAUSED

    return simulate


def keeping(width: int) -> Function:
    """Return the loop that keeps a subtree alone.

    `keep(positions, links, stats, places, root, used)` moves the nodes below `root` to the front in
    their order and returns how many they are; `used` are there. `places` holds a number for each.
    """

    def keep(positions: Any, links: Any, stats: Any, places: Any, root: int, used: int) -> int:
        size = 0
        for node in range(root, used):
            places[node] = -1
        places[root] = 0
        for node in range(root, used):
            if places[node] < 0:
                continue
            places[node] = size
            size += 1
            child = links[node, FIRST]
            while child >= 0:
                places[child] = 0
                child = links[child, NEXT]
        links[root, NEXT] = links[root, NEXT_LIVE] = -1
        for node in range(root, used):
            to = places[node]
            if to < 0:
                continue
            for column in range(FIRST):
                links[to, column] = links[node, column]
            for column in range(FIRST, NEXT_LIVE + 1):
                other = links[node, column]
                links[to, column] = places[other] if other >= 0 else -1
            for column in range(STATS):
                stats[to, column] = stats[node, column]
            for word in range(width + 1):
                positions[to, word] = positions[node, word]
        return size

    return keep
