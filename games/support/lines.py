"""Rows of stones on bitboards: existing and possible ones.

A bitboard has a bit per square, and between two lines of squares at least one bit that is never
set, so that steps to a neighbouring square never wrap. A row is the same step repeated, so a shift
by it tests all squares at once.
"""

from collections.abc import Iterable, Sequence

_THREE_PLANES = 7


def doublings(length: int) -> tuple[int, ...]:
    """List the shifts, in squares, that reduce a bitboard to the starts of rows of `length`.

    Each shift doubles the row proved so far, or completes it. There are at least two, so that rows
    of two, three and four share the same code.
    """
    proved, shifts = 1, []
    while proved < length:
        shifts.append(min(proved, length - proved))
        proved += shifts[-1]
    return tuple(shifts + [0] * (2 - len(shifts)))


def places(columns: int, rows: int, length: int) -> int:
    """Count the places for a row of `length`."""
    across, up = max(0, columns - length + 1), max(0, rows - length + 1)
    return across * rows + up * columns + 2 * across * up


def line_of(stones: int, directions: Iterable[Iterable[int]]) -> int:
    """Return the starts of rows of `stones` in the first direction with any, or 0.

    Each direction lists its `doublings` in bits.
    """
    for shifts in directions:
        starts = stones
        for shift in shifts:
            starts &= starts >> shift
        if starts:
            return starts
    return 0


def row_squares(stones: int, runs: Iterable[Sequence[int]], is_exact: bool = False) -> int:
    """Return the squares of all rows of `stones`.

    `runs` lists for each direction the distances, in bits, from a row's first square to its others.
    Longer rows count with all their squares, or not at all if `is_exact`.
    """
    squares = 0
    for shifts in runs:
        starts = stones
        for shift in shifts:
            starts &= stones >> shift
        if is_exact:
            # A longer row also starts at the next square.
            starts &= ~(starts >> shifts[0] | starts << shifts[0])
        squares |= starts
        for shift in shifts:
            squares |= starts << shift
    return squares


def count_windows(both: int, usable: int, runs: Sequence[Sequence[int]], high: int) -> int:
    """Sum the squared stone counts of all possible rows, the lower board's less the upper one's.

    Two boards lie side by side in each int, separated by at least one line of unset bits: `both`
    holds their stones, `usable` the squares where their rows may lie, `high` the upper one's
    squares. `runs` is as for `row_squares`.

    The counts are summed by bit planes: `ones`, `twos`, `fours`. Flipping the upper board turns one
    bit count into a difference of two, up to a constant.
    """
    if len(runs[0]) >= _THREE_PLANES:
        return _count_long_windows(both, usable, runs, high)
    total, constant = 0, 49 * high.bit_count()
    for shifts in runs:
        alive, ones, twos, fours = usable, both, 0, 0
        for shift in shifts:
            alive &= usable >> shift
            stones = both >> shift
            carry = ones & stones
            ones ^= stones
            fours ^= twos & carry
            twos ^= carry
        if alive:
            ones &= alive
            twos &= alive
            fours &= alive
            total += (
                (ones ^ high).bit_count()
                + 4 * ((twos ^ high).bit_count() + (ones & twos ^ high).bit_count())
                + 8 * (ones & fours ^ high).bit_count()
                + 16 * ((fours ^ high).bit_count() + (twos & fours ^ high).bit_count())
                - constant
            )
    return total


def _count_long_windows(both: int, usable: int, runs: Sequence[Sequence[int]], high: int) -> int:
    """Count as `count_windows` does, with as many bit planes as the length needs."""
    total, cells = 0, high.bit_count()
    length = len(runs[0]) + 1
    for shifts in runs:
        alive, planes = usable, [both] + [0] * (length.bit_length() - 1)
        for shift in shifts:
            alive &= usable >> shift
            carry = both >> shift
            for index, plane in enumerate(planes):
                planes[index], carry = plane ^ carry, plane & carry
        if not alive:
            continue
        for i, first in enumerate(planes):
            for j, second in enumerate(planes):
                total += ((first & second & alive ^ high).bit_count() - cells) << i + j
    return total
