"""The charts of a bot's page: its rating over time, and its time and depth by ply."""

from collections.abc import Mapping, Sequence
from itertools import groupby

from league.analysis.bot_health import Health
from league.analysis.rating_history import HistoryPoint
from league.analysis.standing_rows import Standing
from league.render.chart_data import LINES_MAX, Chart, ChartLine
from league.store.rows import BotRow

PEAK_ERROR = 100.0
"""A rating with a wider half of its interval is left out of peaks: chance makes it."""


def history_chart(points: Sequence[HistoryPoint], bot: BotRow, now: Standing) -> Chart | None:
    """Draw the fitted rating after each tournament, None for too few points.

    It is that of the newest version with a match by then, and at the end that of `now`.
    """
    numbers = {version.id: version.number for version in bot.versions}
    found: dict[int, tuple[int, float, float | None]] = {}
    number = 0
    for tournament, there in groupby(points, lambda point: point.tournament):
        newest = max(there, key=lambda point: numbers[point.version])
        if numbers[newest.version] >= number:
            number = numbers[newest.version]
            found[tournament] = number, newest.value, newest.error
    if found:
        found[max(found)] = numbers[now.version], now.rating, now.error
    chart = Chart(
        title="Rating after each tournament, with the 95% interval",
        x_name="tournament",
        y_name="rating",
        x=list(found),
        x_told=[
            f"{tournament} (version {each[0]})" if number > 1 else f"{tournament}"
            for tournament, each in found.items()
        ],
        lines=[
            ChartLine(
                "rating",
                # As in the text above: a browser would round halves the other way.
                [round(each[1]) for each in found.values()],
                [None if each[2] is None else round(each[2]) for each in found.values()],
            )
        ],
    )
    return chart if chart.is_worth_drawing else None


def live_chart(points: Sequence[HistoryPoint], bot: BotRow) -> Chart | None:
    """Draw the live Elo of each version over its own matches, None for too few points."""
    found = {(each.version, each.matches): (each.value, None) for each in points}
    chart = _lines(
        found, bot, title="Live Elo, match by match", x_name="matches", y_name="live Elo"
    )
    return chart if chart.is_worth_drawing else None


def health_charts(fares: Health) -> list[Chart]:
    """Draw the median time and the median depth by ply, each where there is enough."""
    spans = list(fares.depths())
    middles = [(span.first + span.last) / 2 for span in spans]
    told = [f"{span.first}–{span.last}" for span in spans]
    times = [span.wall_s * 1e3 for span in spans]
    digits = 0 if max(times, default=0.0) >= 20 else 2
    found = [
        Chart(
            title="Time of a move by ply, median",
            x_name="ply",
            y_name="time",
            x=middles,
            x_told=told,
            lines=[ChartLine("time", times)],
            unit=" ms",
            digits=digits,
        )
    ]
    depths = [span.depth for span in spans]
    if any(depth is not None for depth in depths):
        found.append(
            Chart(
                title="Depth by ply, median",
                x_name="ply",
                y_name="depth",
                x=middles,
                x_told=told,
                lines=[ChartLine("depth", depths)],
                digits=1,
            )
        )
    return [each for each in found if each.is_worth_drawing]


def _lines(
    found: Mapping[tuple[int, int], tuple[float, float | None]],
    bot: BotRow,
    *,
    title: str,
    x_name: str,
    y_name: str,
) -> Chart:
    """Draw a line for each of the newest versions; `found` is by version and place."""
    played = {version for version, _ in found}
    versions = [each for each in bot.versions if each.id in played][-LINES_MAX:]
    places = sorted({place for version, place in found if any(version == e.id for e in versions)})
    lines = []
    for version in versions:
        points = [found.get((version.id, place)) for place in places]
        errors = [point[1] if point else None for point in points]
        lines.append(
            ChartLine(
                f"version {version.number}" if len(versions) > 1 else y_name,
                [point[0] if point else None for point in points],
                errors if any(error is not None for error in errors) else (),
            )
        )
    return Chart(title=title, x_name=x_name, y_name=y_name, x=places, lines=lines)
