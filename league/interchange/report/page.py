"""A report as one page of HTML that needs no other file, and prints on paper."""

from league.interchange.report.contents import LOOKED_AT, Contents
from league.render import charts
from league.render.chart_data import LINES_MAX
from league.render.data_uri import picture
from league.render.page_parts import policy_of, static
from league.render.template import markup, render
from league.render.tuning_panel import TuningPanel, steps_of

TIGHT, TINY = 8, 20
"""Tables of more bots than that have shorter cells, and smaller ones."""


def page(contents: Contents) -> str:
    """Write the page; names and texts of bots are text in it, and it runs no script."""
    style = static("style.css") + static("report.css")
    ranked = contents.ranked
    trend = charts.lines("live Elo", [each.line for each in contents.trends], "matches")
    found = contents.standings.outlook.tuning
    tuning = TuningPanel.of(found) if found else None
    shown = found.paths[:LINES_MAX] if found else ()
    paths = [charts.Line(steps_of(each)) for each in shown]
    return render(
        "report.html",
        tuning=tuning,
        paths=markup(charts.lines("steps", paths, "comparisons")),
        style=style,
        policy=policy_of(style),
        report=contents,
        ranked=ranked,
        slowest=max((each.wall_s or 0.0 for each in contents.fares), default=0.0),
        size="tiny" if len(ranked) > TINY else "tight" if len(ranked) > TIGHT else "",
        trend=markup(trend),
        boards=[
            picture(each.replay.frames[-1].state.svg()) if each.replay.row.plies else ""
            for each in contents.notable
        ],
        looked_at=LOOKED_AT,
        forfeits=[row for row in ranked if row.forfeits],
    )
