"""The plot of a calibration as an SVG document."""

from html import escape

from games.support.drawing import document
from games.support.printable import drawable
from league.ratings.elo_difference import expected_score
from league.ratings.goodness_of_fit import BINS_MAX, Calibration
from league.render.charts import Plane, Scale

_LEFT, _RIGHT, _TOP, _BOTTOM = 60, 620, 40, 360
_STYLE = """
.label { font: 14px sans-serif; fill: #1f2328; text-anchor: start }
.mid, .end { font-size: 12px }
.end { text-anchor: end }
.grid { stroke-width: 1; stroke-opacity: 0.4 }
.curve { fill: none; stroke: #2f81d6; stroke-width: 2 }
.bar { stroke: #c9511f; stroke-width: 2 }
.point { fill: #c9511f }
.few { opacity: 0.4 }
@media (prefers-color-scheme: dark) { .label { fill: #d1d7e0 } }
"""


def draw_calibration(found: Calibration, title: str) -> str:
    """Draw the expected score curve, and each bin's score with its interval, untested bins pale."""
    reach = BINS_MAX * found.width
    plane = Plane(Scale(0, reach, _LEFT, _RIGHT), Scale(0, 1, _BOTTOM, _TOP))
    told = escape(drawable(f"{title}: expected and actual scores"))
    elos = [step * found.width for step in range(0, BINS_MAX + 1, 2)]
    curve = [reach * step / 50 for step in range(51)]
    body = [
        f'<text class="label" x="12" y="22">{told}</text>',
        *plane.axes(
            [(elo, f"{elo:g}") for elo in elos],
            [(step / 4, f"{step / 4:.0%}") for step in range(5)],
            "Elo apart",
        ),
        plane.line("curve", [(elo, expected_score(elo)) for elo in curve]),
    ]
    for each in found.bins:
        elo = min(each.elo, reach)
        body += [
            f'<g class="{"" if each.is_tested else "few"}">',
            f"<title>{each.matches:,.0f} matches: expected {each.expected:.1%}, "
            f"actual {each.actual:.1%}</title>",
            plane.span("bar", elo, each.actual_low, each.actual_high),
            plane.dot("point", (elo, each.actual), 5),
            "</g>",
        ]
    return document(title, (0, _RIGHT + 30, _BOTTOM + 50), body, style=_STYLE)
