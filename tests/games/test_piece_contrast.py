"""Pieces stand out from every square of their board, on light and dark pages."""

import re

import pytest

from games.support.specs import find_game

CLEAR = 4.0
"""More than the 3:1 of WCAG 2.2 (1.4.11): parts of pieces are thin."""

SQUARES = ("cell", "goal", "camp", "throne", "light", "dark", "shade")
RULE = re.compile(r"\.(\w+) \{ ([^}]*) \}")
DARK = re.compile(r"@media \(prefers-color-scheme: dark\) \{.*?\n\}", re.DOTALL)
COLOUR = re.compile(r"(fill|stroke): (#\w+)")


def luminance(colour: str) -> float:
    """Return the relative luminance of WCAG, 0 to 1, of a colour such as `#1b1f26` or `#fff`."""
    digits = colour[1:] if len(colour) == 7 else "".join(2 * each for each in colour[1:])
    shares = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    red, green, blue = (
        each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in shares
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Return the contrast of WCAG: 1 for the same light, 21 for black on white."""
    dark, bright = sorted((luminance(one), luminance(other)))
    return (bright + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("game", ["chess", "tablut", "breakthrough"])
@pytest.mark.parametrize("is_dark", [False, True])
def test_pieces_stand_out_by_their_fill_or_their_outline(game: str, is_dark: bool) -> None:
    drawing = find_game(game).initial().svg()
    found: dict[str, dict[str, str]] = {}
    for name, rule in RULE.findall(drawing if is_dark else DARK.sub("", drawing)):
        found[name] = found.get(name, {}) | dict(COLOUR.findall(rule))
    squares = [found[name]["fill"] for name in SQUARES if name in found]
    assert len(squares) >= 2
    for piece in ("white", "black"):
        for square in squares:
            parts = (found[piece]["fill"], found[piece]["stroke"])
            assert max(contrast(square, each) for each in parts) >= CLEAR, (piece, square)
