"""Plots of a match as SVG: chances to win and move times."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from league.render.charts import Plane, Scale

_WIDTH, _HEIGHT = 640, 120
_MOST = 0.92
"""The share of the height that the greatest value takes."""


@dataclass(frozen=True, slots=True)
class PlotPoint:
    """A seat's value at a ply; `colour` is that of the seat, as a name of `SEAT_COLOURS`.

    No line joins one that `is_after_gap` with the point before it.
    """

    ply: int
    seat: int
    value: float
    colour: str = "blue"
    is_after_gap: bool = False


def chances(points: Sequence[PlotPoint], plies: int) -> str:
    """Draw a line for each seat through its chances, 0 to 1, even in the middle; '' for none."""
    if not points:
        return ""
    room = _HEIGHT * (1 - _MOST) / 2
    plane = Plane(_x(plies), Scale(0, 1, _HEIGHT - room, room))
    body = [f'<path class="zero" d="M0 {plane.y.at(0.5)}H{_WIDTH}"/>']
    for seat in sorted({point.seat for point in points}):
        own = [point for point in points if point.seat == seat]
        begins = [place for place, each in enumerate(own) if not place or each.is_after_gap]
        for begin, end in pairwise([*begins, len(own)]):
            drawn = [(each.ply, each.value) for each in own[begin:end]]
            # The edge, for colours that need one, lies below the line.
            body += [plane.line(f"{edge}wears-{own[0].colour}", drawn) for edge in ("edge ", "")]
    return _document("Chances to win by ply", body)


def times(points: Sequence[PlotPoint], plies: int) -> str:
    """Draw a bar for the time of each move; '' if no move took any."""
    most = max((point.value for point in points), default=0.0)
    if not most:
        return ""
    plane = Plane(_x(plies), Scale(0, most, _HEIGHT, _HEIGHT * (1 - _MOST)))
    width = max(1.0, _WIDTH / max(1, plies) * 0.7)
    bars = [plane.bar(f"wears-{each.colour}", (each.ply, each.value), width) for each in points]
    return _document("Time by ply", bars)


def _x(plies: int) -> Scale:
    """Return the scale on which each ply has the same width, its point in the middle."""
    return Scale(0.5, max(1, plies) + 0.5, 0, _WIDTH)


def _document(title: str, body: Sequence[str]) -> str:
    return (
        f'<svg class="plot" viewBox="0 0 {_WIDTH} {_HEIGHT}" preserveAspectRatio="none" role="img">'
        f"<title>{title}</title>\n" + "\n".join(body) + '\n<line class="here" y1="0" '
        f'y2="{_HEIGHT}" x1="0" x2="0"/></svg>'
    )
