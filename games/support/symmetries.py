"""The turns and mirrors of a rectangular board, for its points and for its bitboards."""

from collections.abc import Callable, Sequence

Image = Callable[[int], int]
"""What a symmetry makes of a bitboard."""


def point_maps(columns: int, rows: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """List the turns and mirrors that move a point: at most seven of a square board, else three.

    Points are counted row by row. Each symmetry is one map or two, taken one after the other, of
    where each point goes.
    """
    size = columns * rows
    mirrored = tuple(point + columns - 1 - 2 * (point % columns) for point in range(size))
    upturned = tuple(size - columns - point + 2 * (point % columns) for point in range(size))
    chains: list[tuple[tuple[int, ...], ...]] = [
        (mirrored,),
        (upturned,),
        (upturned, mirrored),
    ]
    if columns == rows:
        crossed = tuple(point % columns * columns + point // columns for point in range(size))
        turned = tuple(reversed(range(size)))
        chains += [(crossed,), (crossed, mirrored), (crossed, upturned), (crossed, turned)]
    found: dict[tuple[int, ...], tuple[tuple[int, ...], ...]] = {}
    for chain in chains:
        found.setdefault(joined(chain), chain)
    found.pop(tuple(range(size)), None)
    return tuple(found.values())


def joined(chain: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return where each point goes when the maps of `chain` follow one another."""
    goes = list(range(len(chain[0])))
    for step in chain:
        goes = [step[point] for point in goes]
    return tuple(goes)


def image_by(chain: Sequence[Sequence[int]], bits: Sequence[int], masks: Sequence[int]) -> Image:
    """Return the function that takes bitboards through the maps of `chain`.

    `bits` holds the bit of each point, `masks` all the bits that go with it: where several boards
    lie side by side in one int, they are taken through together. Points that go the same distance
    are moved together, as there are far fewer distances than points.
    """
    moved = [_distances(step, bits, masks) for step in chain]

    def image_of(boards: int) -> int:
        for up, down in moved:
            image = 0
            for mask, distance in up:
                image |= (boards & mask) << distance
            for mask, distance in down:
                image |= (boards & mask) >> distance
            boards = image
        return boards

    return image_of


_Shifts = list[tuple[int, int]]


def _distances(
    step: Sequence[int], bits: Sequence[int], masks: Sequence[int]
) -> tuple[_Shifts, _Shifts]:
    by_distance: dict[int, int] = {}
    for point, goes in enumerate(step):
        distance = bits[goes].bit_length() - bits[point].bit_length()
        by_distance[distance] = by_distance.get(distance, 0) | masks[point]
    up = [(mask, distance) for distance, mask in by_distance.items() if distance >= 0]
    down = [(mask, -distance) for distance, mask in by_distance.items() if distance < 0]
    return up, down
