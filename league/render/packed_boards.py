"""Many boards in little space: the drawings of a match share nearly all their lines."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PackedBoards:
    """Drawings as SVG: the lines that occur in any of them, and each one as places in that list."""

    lines: Sequence[str]
    boards: Sequence[Sequence[int]]


def pack(drawings: Iterable[str]) -> PackedBoards:
    """Pack drawings; equal lines are kept once."""
    places: dict[str, int] = {}
    boards = [
        [places.setdefault(line, len(places)) for line in drawing.split("\n")]
        for drawing in drawings
    ]
    return PackedBoards(list(places), boards)
