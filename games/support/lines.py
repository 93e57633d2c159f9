"""Rows of stones on bitboards: whether one stands, where, and where one still could.

A bitboard holds a square a bit, and between two lines of squares at least one bit that is never
set, so that steps to a neighbouring square never wrap. A row is then the same step taken again and
again, and a shift by that step looks at all squares at once.
"""

from collections.abc import Iterable, Sequence

_THREE_PLANES = 7


def doublings(length: int) -> tuple[int, ...]:
    """List the shifts, in squares, that leave of a bitboard the starts of rows of `length`.

    Each step doubles the row that is proved, or completes it. There are at least two, so that
    rows of two, three and four are all found by the same code.
    """
    proved, shifts = 1, []
    while proved < length:
        shifts.append(min(proved, length - proved))
        proved += shifts[-1]
    return tuple(shifts + [0] * (2 - len(shifts)))


def places(columns: int, rows: int, length: int) -> int:
    """Count the places where a row of `length` can lie."""
    across, up = max(0, columns - length + 1), max(0, rows - length + 1)
    return across * rows + up * columns + 2 * across * up


def line_of(stones: int, directions: Iterable[Iterable[int]]) -> int:
    """Return where the rows start that `stones` hold in the first direction that has any, or 0.

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
    """Return the squares of all rows that `stones` hold.

    `runs` lists for each direction the distances, in bits, from a row's first square to its
    others. Longer rows count with all their squares, or not at all when the length `is_exact`.
    """
    squares = 0
    for shifts in runs:
        starts = stones
        for shift in shifts:
            starts &= stones >> shift
        if is_exact:
            # A longer row is one that starts again at the next square.
            starts &= ~(starts >> shifts[0] | starts << shifts[0])
        squares |= starts
        for shift in shifts:
            squares |= starts << shift
    return squares


def count_windows(both: int, usable: int, runs: Sequence[Sequence[int]], high: int) -> int:
    """Add up the squared numbers of stones in all rows that could stand, one board less the other.

    Two boards lie side by side in each int: `both` holds their stones, `usable` the squares where
    their rows may lie, `high` the squares of the upper one, whose sum is taken off the lower one's.
    At least one line of bits between the two is never set. `runs` is as for `row_squares`.

    The numbers are added up by bit planes: `ones`, `twos`, `fours`. Flipping the upper board turns
    one count of bits into a difference of two, up to a constant.
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
