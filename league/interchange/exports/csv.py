"""Matches as rows of a table, for spreadsheets and data frames."""

import csv
import io
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import TypeVar

from games.support.game import Game
from league.analysis.replay import Replay
from league.interchange.export import AnyGame

Value = TypeVar("Value")

_OF_MATCH = (
    "match",
    "tournament",
    "encounter",
    "rotation",
    "game",
    "seed",
    "termination",
    "fault_seat",
    "plies",
    "wall_s",
    "finished_at",
)
_OF_SEAT = ("bot", "version", "version_id", "score", "time_s")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


class Csv(AnyGame):
    """One match a row; then for each seat its bot, version, points and the time of its moves."""

    name = "csv"
    suffix = ".csv"
    media_type = "text/csv"

    def head(self, game: Game) -> str:
        """Write the names of the columns."""
        return _line(
            [*_OF_MATCH, *(f"{name}_{seat}" for seat in range(game.seats) for name in _OF_SEAT)]
        )

    def text(self, replay: Replay) -> str:
        """Write the match; times in seconds, the end in UTC, nothing where it was imported."""
        row, record = replay.row, replay.record
        cells: list[object] = [
            row.id,
            row.tournament_id,
            row.key.encounter,
            row.key.rotation,
            cell(record.game),
            "" if replay.is_imported else record.seed,
            record.termination,
            "" if record.fault_seat is None else record.fault_seat,
            row.plies,
            "" if replay.is_imported else f"{row.wall_ms / 1000:.3f}",
            "" if replay.is_imported else datetime.fromtimestamp(row.finished_at, UTC).isoformat(),
        ]
        for seat, version in enumerate(row.versions):
            spent_ns = sum(
                frame.record.wall_ns
                for frame in replay.frames
                if frame.record is not None and frame.seat == seat
            )
            cells += [cell(version.bot), version.number, version.version]
            spent = "" if replay.is_imported else f"{spent_ns / 1e9:.3f}"
            cells += [f"{record.scores[seat]:g}", spent]
        return _line(cells)


def cell(value: Value) -> Value | str:
    """Return a value as it is, and a text so that no spreadsheet takes it for a formula."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


def _line(cells: Iterable[object]) -> str:
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerow(cells)
    return written.getvalue()


EXPORT = Csv()
