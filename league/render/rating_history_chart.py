"""The chart of a tournament's ratings, from its first results on."""

import math
from collections.abc import Sequence
from itertools import takewhile

from league.analysis.follow import FollowUpdate, RatingHistory
from league.analysis.standing_rows import Standing
from league.render.chart_data import LINES_MAX, Chart, ChartLine
from league.render.tournament_headline import named


def history_chart(history: RatingHistory, standings: Sequence[Standing]) -> Chart | None:
    """Chart the ratings of the best bots, from the point where all are on one scale."""
    marks = list(takewhile(lambda mark: mark.rated, reversed(history.marks)))[::-1]
    bots: dict[tuple[tuple[int, int] | None, ...], list[str]] = {}
    for row in standings[:LINES_MAX]:
        found = [mark.rated.get(row.version, (math.nan, math.nan)) for mark in marks]
        # As in the table: a browser would round halves, or a decimal, the other way.
        values = tuple(
            (round(rating), round(error)) if math.isfinite(error) else None
            for rating, error in found
        )
        bots.setdefault(values, []).append(row.bot)
    # Lines of the same values would hide one another.
    lines = [
        ChartLine(
            name=named(names, LINES_MAX),
            short=f"{len(names)} bots" if len(names) > 1 else "",
            values=[None if each is None else each[0] for each in values],
            errors=[None if each is None else each[1] for each in values],
        )
        for values, names in bots.items()
    ]
    chart = Chart(
        title="Rating by round" if history.is_by_round else "Rating by matches played",
        x_name="round" if history.is_by_round else "matches",
        y_name="rating",
        x=[mark.after for mark in marks],
        lines=lines,
    )
    return chart if chart.is_worth_drawing and lines else None


def begins_late(chart: Chart | None, look: FollowUpdate) -> bool:
    """Whether a line of the rating history begins after the first results."""
    if chart is None or look.history is None:
        return False
    is_cut = chart.x[0] > look.history.marks[0].after
    return is_cut or any(line.values[0] is None for line in chart.lines)
