"""The rotations and reflections of a rectangular board, for points and for bitboards."""

from collections.abc import Callable, Sequence

Image = Callable[[int], int]
"""A symmetry as a function of bitboards."""


def point_maps(columns: int, rows: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """List the symmetries that move a point: at most seven of a square board, else three.

    Points are numbered row by row. Each symmetry is a chain of one or two maps from each point to
    its image.
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
    """Return each point's image under the maps of `chain` in sequence."""
    goes = list(range(len(chain[0])))
    for step in chain:
        goes = [step[point] for point in goes]
    return tuple(goes)


def image_by(chain: Sequence[Sequence[int]], bits: Sequence[int], masks: Sequence[int]) -> Image:
    """Return the function that maps bitboards by `chain`.

    `bits` holds the bit of each point, `masks` all the bits that move with it: several boards side
    by side in one int are mapped together. Points that move the same distance are shifted together,
    as there are far fewer distances than points.
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
