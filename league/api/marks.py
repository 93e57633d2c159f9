"""The marks of a season."""

import csv
import io
from collections.abc import Sequence

from league.api.answer import Answer
from league.model.errors import SetupError
from league.model.season import Mark
from league.render.text.marks import marks_blocks
from league.season.marks import marks_of
from league.store.store import Store


def season_marks(store: Store, number: int | None = None) -> Answer[tuple[Mark, ...]]:
    """Return the marks of the newest season, or of the one with that number, by team.

    Raises `SetupError` in a league without a season, `SettingError` for rules that can't be read,
    and `UnknownRowError` for a number without a season.
    """
    season = store.season(number)
    if season is None:
        raise SetupError("there is no season to mark: 'league host init' begins one")
    if not season.settings.marks.strip():
        raise SetupError("the season has no rules for marks: set 'marks', such as 'plays: 1 point'")
    found = marks_of(store, season)
    return Answer(found, lambda: marks_blocks(found))


def marks_csv(marks: Sequence[Mark]) -> str:
    """Return marks as CSV: a line for each team, with what each rule gave and why."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("team", "version", "rank", "points", "reasons"))
    for each in marks:
        told = "; ".join(f"{one.rule} -> {one.points:g} ({one.reason})" for one in each.credits)
        rank = "" if each.rank is None else each.rank
        writer.writerow([each.team, each.version, rank, f"{each.points:g}", told])
    return out.getvalue()
