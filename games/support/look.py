"""The look of a board's text on a terminal: a glyph and a colour for each sign."""

from collections.abc import Mapping
from dataclasses import dataclass, field

Glyph = tuple[str, str]
"""A character and its colour as `#rrggbb`, '' for the terminal's own."""

FIRST, SECOND = "#2f81d6", "#d9622b"
WHITE, BLACK = "#ffffff", "#000000"


@dataclass(frozen=True, slots=True)
class Look:
    """The look of a game on terminals with colours and Unicode.

    `glyphs` has what stands for the signs of `State.render`; other signs stay as they are. `light`
    and `dark` are the colours of the squares, by turns; '' leaves the terminal's background.
    """

    glyphs: Mapping[str, Glyph] = field(default_factory=dict)
    light: str = ""
    dark: str = ""


STROKES = Look({"X": ("X", FIRST), "O": ("O", SECOND)})
"""The usual signs of two seats, in two colours."""


def stones(first: str, second: str, board: str) -> Look:
    """Return the look of round stones in two colours on a plain board."""
    dot = mix(board)
    return Look({"X": ("●", first), "O": ("○", second), ".": ("·", dot)}, board, board)


def mix(colour: str) -> str:
    """Return a colour halfway to white, for signs that should not stand out on it."""
    parts = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return "#" + "".join(f"{(part + 255) // 2:02x}" for part in parts)
