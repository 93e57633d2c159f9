"""The colours that seats wear wherever a match is shown."""

from collections.abc import Sequence
from itertools import cycle

SEAT_COLOURS = (
    "blue",
    "orange",
    "green",
    "purple",
    "teal",
    "pink",
    "red",
    "yellow",
    "black",
    "white",
)
"""All colours that a seat can wear, by name; a style sheet says what each one looks like."""


def colours_of(names: Sequence[str]) -> tuple[str, ...]:
    """Return a colour for each seat: the one that its name is, or the next free one."""
    named = [name.lower() if name.lower() in SEAT_COLOURS else "" for name in names]
    free = cycle([colour for colour in SEAT_COLOURS if colour not in named] or SEAT_COLOURS)
    return tuple(colour or next(free) for colour in named)
