"""Kept ratings as text: a bot's through time, and how many were computed again."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from league.render.text.table import Block, Table

if TYPE_CHECKING:
    from league.analysis.rating_history import HistoryPoint
    from league.store.rows import BotRef


def history_blocks(
    found: Mapping[str, Sequence["HistoryPoint"]], labels: Mapping[int, "BotRef"], digits: int
) -> list[Block]:
    """Return a row for each rating that a bot had, game by game."""
    rows = [
        (
            game,
            labels[point.version],
            point.tournament,
            f"{datetime.fromtimestamp(point.at, UTC):%Y-%m-%d %H:%M}",
            point.matches,
            f"{point.value:.{digits}f}",
            "–" if point.error is None else f"±{point.error:.{digits}f}",
        )
        for game, points in found.items()
        for point in points
    ]
    if not rows:
        return ["nothing kept yet: 'league ratings recompute' computes it from the matches"]
    head = ("game", "bot", "tournament", "until (UTC)", "matches", "rating", "±95%")
    return [Table(head, rows, right=("tournament", "matches", "rating", "±95%"))]


def recomputed_blocks(found: Iterable[tuple[str, str, int]]) -> list[Block]:
    """Return a line for each game and rating system."""
    return [f"{game}: {count} snapshots of {system}" for game, system, count in found] or [
        "no matches yet: 'league run --game GAME --bots all' plays some"
    ]
