"""The charts of a game's page: how long its matches are, and whether ratings tell its scores."""

from collections import Counter
from collections.abc import Mapping

from league.ratings.goodness_of_fit import Calibration
from league.render.chart_data import Chart, ChartLine

BINS_MAX = 16
"""Maximum number of bars for the lengths of matches."""

STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500)
"""Possible numbers of plies per bar."""


def lengths_chart(plies: Mapping[int, int]) -> Chart | None:
    """Draw how many matches took how many plies, None for too few lengths."""
    if not plies:
        return None
    first, last = min(plies), max(plies)
    step = next((each for each in STEPS if last // each - first // each < BINS_MAX), STEPS[-1])
    counts = Counter[int]()
    for length, count in plies.items():
        counts[length // step] += count
    bins = range(first // step, last // step + 1)
    chart = Chart(
        title="Lengths of the matches",
        x_name="plies",
        y_name="matches",
        x=[number * step + (step - 1) / 2 for number in bins],
        x_told=[
            _range(max(first, number * step), min(last, number * step + step - 1))
            for number in bins
        ],
        lines=[ChartLine("matches", [float(counts[number]) for number in bins])],
        is_bars=True,
    )
    return chart if chart.is_worth_drawing else None


def _range(first: int, last: int) -> str:
    return f"{first}" if first == last else f"{first}–{last}"


def calibration_chart(found: Calibration) -> Chart | None:
    """Draw the stronger side's score by the difference of the ratings, None for too few bins."""
    chart = Chart(
        title="Score of the stronger bot by how far the ratings are apart, with the 95% interval",
        x_name="Elo apart",
        y_name="score",
        x=[round(each.elo) for each in found.bins],
        lines=[
            ChartLine("expected", [100 * each.expected for each in found.bins]),
            ChartLine(
                "actual",
                [100 * each.actual for each in found.bins],
                spans=[(100 * each.actual_low, 100 * each.actual_high) for each in found.bins],
            ),
        ],
        unit="%",
    )
    return chart if chart.is_worth_drawing else None
