"""The plot of a calibration as an SVG document."""

from html import escape

from games.support.drawing import document, printable
from league.ratings.elo_difference import expected_score
from league.ratings.goodness_of_fit import BINS_MAX, Calibration

_WIDTH, _HEIGHT = 560, 320
_LEFT, _TOP = 60, 40
_STYLE = """
.label { font: 14px sans-serif; fill: #1f2328; text-anchor: start }
.axis { stroke: #768390; stroke-opacity: 0.4 }
.curve { fill: none; stroke: #2f81d6; stroke-width: 2 }
.bar { stroke: #c9511f; stroke-width: 2 }
.point { fill: #c9511f }
.few { opacity: 0.4 }
@media (prefers-color-scheme: dark) { .label { fill: #d1d7e0 } }
"""


def draw_calibration(found: Calibration, title: str) -> str:
    """Draw the expected score curve, and each bin's score with its interval, untested bins pale."""
    width, reach = found.width, BINS_MAX * found.width

    def x(elo: float) -> float:
        return round(_LEFT + _WIDTH * min(elo, reach) / reach, 1)

    def y(score: float) -> float:
        return round(_TOP + _HEIGHT * (1 - score), 1)

    told = escape(printable(f"{title}: expected and actual scores"))
    body = [f'<text class="label" x="12" y="22">{told}</text>']
    for step in range(5):
        score = step / 4
        body.append(f'<path class="axis" d="M{_LEFT} {y(score)}H{_LEFT + _WIDTH}"/>')
        body.append(f'<text x="{_LEFT - 28}" y="{y(score) + 5}">{score:.0%}</text>')
    for step in range(0, BINS_MAX + 1, 2):
        elo = step * width
        body.append(f'<path class="axis" d="M{x(elo)} {_TOP}V{_TOP + _HEIGHT}"/>')
        body.append(f'<text x="{x(elo)}" y="{_TOP + _HEIGHT + 20}">{elo:g}</text>')
    curve = " ".join(
        f"{x(reach * step / 50)},{y(expected_score(reach * step / 50))}" for step in range(51)
    )
    body.append(f'<polyline class="curve" points="{curve}"/>')
    for each in found.bins:
        place = x(each.elo)
        body += [
            f'<g class="{"" if each.is_tested else "few"}">',
            f"<title>{each.matches:,.0f} matches: expected {each.expected:.1%}, "
            f"actual {each.actual:.1%}</title>",
            f'<path class="bar" d="M{place} {y(each.actual_low)}V{y(each.actual_high)}"/>',
            f'<circle class="point" cx="{place}" cy="{y(each.actual)}" r="5"/>',
            "</g>",
        ]
    middle = _LEFT + _WIDTH // 2
    body.append(f'<text x="{middle}" y="{_TOP + _HEIGHT + 44}">Elo apart</text>')
    return document(title, (0, _LEFT + _WIDTH + 30, _TOP + _HEIGHT + 60), body, style=_STYLE)
