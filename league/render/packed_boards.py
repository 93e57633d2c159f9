"""Compact storage of many boards: the drawings of a match share nearly all their lines."""

from collections.abc import Iterable


def pack(drawings: Iterable[str]) -> tuple[list[str], list[list[int]]]:
    """Return the lines that occur in any drawing, and each drawing as places in that list."""
    places: dict[str, int] = {}
    boards = [
        [places.setdefault(line, len(places)) for line in drawing.split("\n")]
        for drawing in drawings
    ]
    return list(places), boards
