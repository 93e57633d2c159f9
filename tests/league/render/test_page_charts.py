"""Charts of pages: their numbers, in the script's data and in the table beside it."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.analysis.rating_history import HistoryPoint
from league.analysis.standing_rows import Standing
from league.render.bot_charts import history_chart, live_chart
from league.render.chart_data import Chart, ChartLine
from league.render.game_charts import BINS_MAX, lengths_chart
from league.render.template import render
from league.store.rows import BotRow, VersionRow


def versions(*ids: int) -> BotRow:
    """Return a bot with versions of these ids, numbered from 1."""
    rows = tuple(
        VersionRow(id=id, number=number, spec="random", options={}, digest="", created_at=0)
        for number, id in enumerate(ids, 1)
    )
    return BotRow(id=1, name="a", is_retired=False, games=(), created_at=0, versions=rows)


def point(version: int, tournament: int, value: float, matches: int = 10) -> HistoryPoint:
    """Return a rating after a tournament."""
    return HistoryPoint(
        game="tictactoe",
        bot="mine",
        version=version,
        tournament=tournament,
        match=1,
        at=0,
        matches=matches,
        value=value,
        error=50.0,
    )


@given(st.dictionaries(st.integers(1, 3000), st.integers(1, 99), min_size=1, max_size=40))
def test_every_length_is_in_one_bar(plies: dict[int, int]) -> None:
    chart = lengths_chart(Counter(plies))
    if chart is None:
        assert max(plies) - min(plies) < 600
        return
    (line,) = chart.lines
    assert sum(value or 0.0 for value in line.values) == sum(plies.values())
    assert 3 <= len(chart.x) <= BINS_MAX
    assert list(chart.x) == sorted(chart.x)
    first, last = chart.x_told[0], chart.x_told[-1]
    assert int(first.partition("–")[0]) == min(plies)
    assert int(last.rpartition("–")[2]) == max(plies)


def test_the_history_goes_on_with_the_newer_version_and_ends_with_the_rating_of_now() -> None:
    bot = versions(7, 9)
    points = [point(7, 1, 1000), point(7, 3, 1100), point(9, 3, 1200), point(9, 4, 1250)]
    # The older version played again: the line stays that of the newer one.
    points.append(point(7, 5, 900))
    chart = history_chart(points, bot, Standing(version=9, rating=1260.0, error=40.0))
    assert chart is not None
    (line,) = chart.lines
    assert list(chart.x) == [1, 3, 4]
    assert list(line.values) == [1000, 1200, 1260.0]
    assert line.ends()[-1] == (1220.0, 1300.0)
    assert chart.x_told == ["1 (version 1)", "3 (version 2)", "4 (version 2)"]
    assert history_chart(points[:1], bot, Standing(version=7, rating=1000.0)) is None


def test_live_elo_has_a_line_for_each_version() -> None:
    points = [point(7, 1, 1000 + n, matches=n) for n in (5, 6, 7)]
    points += [point(9, 2, 990 + n, matches=n) for n in (6, 8)]
    chart = live_chart(points, versions(7, 9))
    assert chart is not None
    assert list(chart.x) == [5, 6, 7, 8]
    assert [list(line.values) for line in chart.lines] == [
        [1005, 1006, 1007, None],
        [None, 996, None, 998],
    ]


def test_intervals_are_in_the_data_and_in_the_table() -> None:
    chart = Chart(
        title="t",
        x_name="x",
        y_name="y",
        x=[1, 2],
        x_told=["1–4", "5–8"],
        lines=[
            ChartLine("even", [50.0, None], [2.0, None]),
            ChartLine("odd", [60.0, 61.0], spans=[(40.0, 70.0), None]),
        ],
        unit="%",
    )
    assert [line.ends() for line in chart.lines] == [[(48.0, 52.0), None], [(40.0, 70.0), None]]
    text = render("_chart.html", chart=chart, key="k")
    assert '"xTold":["1\\u20134","5\\u20138"]' in text
    assert "50% ±2" in text
    assert "60% (40–70%)" in text
    assert ">5–8</th>" in text
    with pytest.raises(ValueError, match="argument"):
        ChartLine("short", [1.0, 2.0], [1.0]).ends()
