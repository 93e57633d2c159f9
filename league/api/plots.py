"""Answers that matplotlib draws, where it is installed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeVar

from league.api.answer import Answer
from league.model.errors import LeagueError, SetupError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from league.analysis.rating_history import HistoryPoint
    from league.analysis.standings import Standings
    from league.store.rows import BotRef

T = TypeVar("T")

ROW_INCHES = 0.35
"""The height of a bot in a plot of standings."""


class Plotted(Answer[T]):
    """An answer of one game that can be drawn as a plot."""

    def __init__(
        self, answer: Answer[T], games: Sequence[str], draw: Callable[[str, Axes], None]
    ) -> None:
        super().__init__(answer.value, answer.blocks, rows=answer.to_rows)
        self._answer = answer
        self._games = games
        self._draw = draw

    def to_dict(self) -> Any:
        """Return the document that the command prints with `--json`."""
        return self._answer.to_dict()

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw it by matplotlib on `ax`, by default on a new figure, and return the axes.

        `plot().figure.savefig("ratings.png")` stores the plot. Raises `LeagueError` if matplotlib
        is not installed, and `SetupError` if the answer is not of one game.
        """
        try:
            from matplotlib import pyplot
        except ImportError:
            raise LeagueError("a plot needs matplotlib: pip install matplotlib") from None

        if len(self._games) != 1:
            told = f"a plot shows one game: choose one of {', '.join(self._games)}"
            raise SetupError(told if self._games else "there are no matches to plot yet")
        if ax is None:
            _, ax = pyplot.subplots(layout="constrained")
        self._draw(self._games[0], ax)
        return ax


def draw_standings(table: Standings, ax: Axes) -> None:
    """Draw the rating of each bot with its 95% bar, the best at the top."""
    rows = [row for row in table.rows if row.rank]
    # Without a bar where there is none yet: NaN draws nothing.
    errors = [float("nan") if row.error is None else row.error for row in rows]
    ax.errorbar([row.rating for row in rows], range(len(rows)), xerr=errors, fmt="o", capsize=3)
    ax.set_yticks(range(len(rows)), [row.bot for row in rows])
    ax.invert_yaxis()
    ax.set_xlabel("rating ±95%")
    ax.set_title(table.game if table.tournament is None else f"tournament {table.tournament}")


def draw_history(
    points: Sequence[HistoryPoint], labels: Mapping[int, BotRef], title: str, ax: Axes
) -> None:
    """Draw the ratings of each version of a bot over time, with their 95% bands."""
    for version in dict.fromkeys(point.version for point in points):
        own = [point for point in points if point.version == version]
        times: Any = [datetime.fromtimestamp(point.at, UTC) for point in own]
        [line] = ax.plot(
            times, [each.value for each in own], marker=".", label=str(labels[version])
        )
        errors = [each.error or 0.0 for each in own]
        low, high = (
            [each.value + sign * error for each, error in zip(own, errors, strict=True)]
            for sign in (-1, 1)
        )
        ax.fill_between(times, low, high, alpha=0.2, color=line.get_color())
    ax.set_xlabel("time (UTC)")
    ax.set_ylabel("rating ±95%")
    ax.set_title(title)
    ax.legend()
