"""Mark moves in a drawing: the last one and expected ones."""

import re
from collections.abc import Sequence
from math import atan2, cos, hypot, sin

Points = Sequence[tuple[int, int]]
"""The result of `State.marks` for a move."""

_CELL = re.compile(r'<svg [^>]*data-cell="(\d+)"')
_USUAL_CELL = 40
_ABOVE = re.compile(r'\n<(?:g class="piece|text class="edge)')
"""The first of what stands above the mark of the last move: the pieces, and names of squares."""

_ROUND = re.compile(r'<rect class="board" [^>]*rx="(\d+)"')
_USUAL_ROUND = 3
_LAST, _COLOURS = "#f0b429", ("#b3261e", "#1f63b5", "#1a7f37", "#8250df", "#9a6700")
_FADING = 0.12


def mark_last(drawing: str, points: Points) -> str:
    """Highlight the squares of the last move below the pieces, as round as the board's corners."""
    if not points:
        return drawing
    cell = _cell_of(drawing)
    half = cell // 2
    found = _ROUND.search(drawing)
    rounding = int(found[1]) if found else _USUAL_ROUND
    squares = "".join(
        f'<rect x="{x - half}" y="{y - half}" width="{cell}" height="{cell}" rx="{rounding}"/>'
        for x, y in points
    )
    marks = f'<g class="last" fill="{_LAST}" fill-opacity=".5">{squares}</g>'
    above = _ABOVE.search(drawing)
    if above is None:
        return _on_top(drawing, [marks])
    return f"{drawing[: above.start()]}\n{marks}{drawing[above.start() :]}"


def mark_foreseen(drawing: str, moves: Sequence[tuple[int, Points]]) -> str:
    """Draw expected moves by seat, the first most solid: an arrow, or a numbered ghost."""
    cell = _cell_of(drawing)
    marks = []
    for number, (seat, points) in enumerate(moves, 1):
        if not points:
            continue
        colour = _COLOURS[seat % len(_COLOURS)] if seat >= 0 else "#57606a"
        shown = f'opacity="{max(0.4, 1 - _FADING * number):.2f}"'
        drawn = _arrow(points, cell) if len(points) > 1 else ""
        marks.append(
            f'<g class="foreseen" fill="{colour}" {shown}>{drawn}{_badge(points, number, cell)}</g>'
        )
    # The first move on top of later ones.
    return _on_top(drawing, marks[::-1])


def _cell_of(drawing: str) -> int:
    found = _CELL.search(drawing)
    return int(found[1]) if found else _USUAL_CELL


def _on_top(drawing: str, marks: Sequence[str]) -> str:
    head, end, _ = drawing.rpartition("\n</svg>")
    return "\n".join([head, *marks]) + end if end and marks else drawing


def _arrow(points: Points, cell: int) -> str:
    """Draw an arrow from the first point to the middle of the last one's square."""
    (x, y), (to_x, to_y) = points[0], points[-1]
    way, far = atan2(to_y - y, to_x - x), hypot(to_x - x, to_y - y)
    half, wing, head = cell * 0.07, cell * 0.2, cell * 0.36
    corners = (
        *((0.0, -half), (far - head, -half), (far - head, -wing), (far, 0.0)),
        *((far - head, wing), (far - head, half), (0.0, half)),
    )
    turned = (
        f"{x + along * cos(way) - across * sin(way):.1f} "
        f"{y + along * sin(way) + across * cos(way):.1f}"
        for along, across in corners
    )
    return f'<path d="M{"L".join(turned)}z"/>'


def _badge(points: Points, number: int, cell: int) -> str:
    x, y = ((first + last) // 2 for first, last in zip(points[0], points[-1], strict=True))
    size = 0.2 if len(points) > 1 else 0.32
    font = max(5, round(cell * (0.26 if len(points) > 1 else 0.34)))
    disc = (
        f'<circle cx="{x}" cy="{y}" r="{cell * size:.1f}" stroke="#fff" '
        f'stroke-width="{cell * 0.03:.1f}"/>'
    )
    # The style sets a font size, which beats an attribute: hence a group that scales.
    place = f"translate({x},{y + font * 0.36:.1f}) scale({font / 11:.2f})"
    return f'{disc}<g transform="{place}"><text class="count">{number}</text></g>'
