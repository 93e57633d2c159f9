"""Plots as SVG: ratings with intervals, chances to win and move times of a match."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from league.model.number_format import true_minus

WIDTH, HEIGHT = 640, 120
_BAR, _BAR_HEIGHT, _DOT = 320, 12, 4
_MIDDLE = HEIGHT / 2
_NARROWEST = 1.0
"""The minimum span of the rating scale, so that tiny differences stay small."""

_STEPS, _TICKS, _MARGIN = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000), 6, 14
"""The steps between the numbers of a scale, the most steps of one, and the room at its ends."""

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
    lines = [f'<line class="zero" x1="0" y1="{_MIDDLE:g}" x2="{WIDTH}" y2="{_MIDDLE:g}"/>']
    for seat in sorted({point.seat for point in points}):
        own = [point for point in points if point.seat == seat]
        begins = [place for place, each in enumerate(own) if not place or each.is_after_gap]
        for begin, end in pairwise([*begins, len(own)]):
            drawn = " ".join(
                f"{_x(each.ply, plies)},{_y(2 * each.value - 1)}" for each in own[begin:end]
            )
            # The edge, for colours that need one, lies below the line.
            lines += [
                f'<polyline class="{edge}wears-{own[0].colour}" points="{drawn}"/>'
                for edge in ("edge ", "")
            ]
    return _document("Chances to win by ply", lines)


def times(points: Sequence[PlotPoint], plies: int) -> str:
    """Draw a bar for the time of each move; '' if no move took any."""
    most = max((point.value for point in points), default=0.0)
    if not most:
        return ""
    width = max(1.0, WIDTH / max(1, plies) * 0.7)
    bars = []
    for point in points:
        height = point.value / most * HEIGHT * _MOST
        left = float(_x(point.ply, plies)) - width / 2
        bars.append(
            f'<rect class="wears-{point.colour}" x="{left:.1f}" y="{HEIGHT - height:.1f}" '
            f'width="{width:.1f}" height="{height:.1f}"/>'
        )
    return _document("Time by ply", bars)


def intervals(values: Sequence[tuple[float, float | None]]) -> list[str]:
    """Draw each value with its 95% interval, all on one scale; '' for an unknown one."""
    low, high = _ends(values) or (0.0, _NARROWEST)
    scale = (_BAR - 2 * _DOT) / (high - low)
    return [
        "" if math.isnan(value) else _interval((value - low) * scale, (error or 0.0) * scale)
        for value, error in values
    ]


def interval_ends(values: Sequence[tuple[float, float | None]]) -> tuple[str, str] | None:
    """Write the ends of the scale of `intervals`; None if no value is known.

    >>> interval_ends([(1000.0, 50.0), (-20.0, None)])
    ('−20', '1050')
    """
    ends = _ends(values)
    if ends is None:
        return None
    low, high = (true_minus(f"{each:.0f}") for each in ends)
    return low, high


def scaled_interval(values: Sequence[tuple[float, float | None]], place: int) -> str:
    """Draw one value with its 95% interval, over a scale with numbers for all of them."""
    value, error = values[place][0], values[place][1] or 0.0
    known = [(each, half or 0.0) for each, half in values if not math.isnan(each)]
    low = min(each - half for each, half in known)
    high = max(each + half for each, half in known)
    step = next(each for each in _STEPS if (high - low) / each <= _TICKS or each == _STEPS[-1])
    first, last = math.floor(low / step), max(math.ceil(high / step), math.floor(low / step) + 1)
    room = _BAR - 2 * _MARGIN

    def x(rating: float) -> str:
        return f"{_MARGIN + (rating / step - first) / (last - first) * room:.1f}"

    ticks = [(number * step, x(number * step)) for number in range(first, last + 1)]
    marks = "".join(f"M{at} 14v4" for _, at in ticks)
    told, half = round(value), round(error)
    numbers = "".join(f'<text x="{at}" y="29">{true_minus(str(tick))}</text>' for tick, at in ticks)
    return (
        f'<svg class="bar scaled" viewBox="0 0 {_BAR} 32" role="img" '
        f'aria-label="{told}, between {told - half} and {told + half}">'
        f'<path class="axis" d="M{x(first * step)} 16H{x(last * step)}{marks}"/>{numbers}'
        f'<line x1="{x(value - error)}" x2="{x(value + error)}" y1="7" y2="7"/>'
        f'<line class="middle" x1="{x(value)}" x2="{x(value)}" y1="7" y2="7"/></svg>'
    )


def _ends(values: Sequence[tuple[float, float | None]]) -> tuple[float, float] | None:
    known = [(value, error or 0.0) for value, error in values if not math.isnan(value)]
    if not known:
        return None
    low = min(value - error for value, error in known)
    high = max(value + error for value, error in known)
    return low, max(high, low + _NARROWEST)


def _interval(middle: float, half: float) -> str:
    x, y = middle + _DOT, _BAR_HEIGHT / 2
    return (
        f'<svg class="bar" viewBox="0 0 {_BAR} {_BAR_HEIGHT}" preserveAspectRatio="none" '
        'aria-hidden="true">'
        f'<line x1="{x - half:.1f}" x2="{x + half:.1f}" y1="{y:g}" y2="{y:g}"/>'
        # A line without a length is a dot that stays round at any width.
        f'<line class="middle" x1="{x:.1f}" x2="{x:.1f}" y1="{y:g}" y2="{y:g}"/></svg>'
    )


def _x(ply: int, plies: int) -> str:
    return f"{(ply - 0.5) / max(1, plies) * WIDTH:.1f}"


def _y(share: float) -> str:
    return f"{_MIDDLE - share * _MIDDLE * _MOST:.1f}"


def _document(title: str, body: Sequence[str]) -> str:
    return (
        f'<svg class="plot" viewBox="0 0 {WIDTH} {HEIGHT}" preserveAspectRatio="none" role="img">'
        f"<title>{title}</title>\n" + "\n".join(body) + '\n<line class="here" y1="0" '
        f'y2="{HEIGHT}" x1="0" x2="0"/></svg>'
    )
