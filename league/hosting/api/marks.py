"""The marks of a season."""

import csv
import io
from collections.abc import Sequence

from games.support.counts import counted
from league.api.answer import Answer
from league.hosting.model.season import Mark, Member, Season, SeasonState
from league.hosting.season.gauntlets import left_to_play
from league.hosting.season.marks import marks_of
from league.hosting.store.host_store import HostStore
from league.hosting.text.marks import marks_blocks
from league.interchange.exports.csv import cell
from league.model.errors import SetupError

NOBODY = Member("", "", "")
"""The person in the line of a team without people."""


class SeasonMarks(Answer[tuple[Mark, ...]]):
    """The marks of a season, by team.

    `proviso` says why they may still change, '' if they are final.
    """

    def __init__(self, store: HostStore, season: Season) -> None:
        found = marks_of(store, season)
        self.proviso = _proviso(season, left_to_play(store, season))
        told = [self.proviso] if self.proviso else []
        super().__init__(found, lambda: [*told, *marks_blocks(found)])

    def csv(self) -> str:
        """Return the marks as CSV: a line for each person, with a column for each rule."""
        return marks_csv(self.value)


def season_marks(store: HostStore, number: int | None = None) -> SeasonMarks:
    """Return the marks of the newest season, or of the one with that number, by team.

    Raises `SetupError` in a league without a season, `SettingError` for rules that can't be read,
    and `UnknownRowError` for a number without a season.
    """
    season = store.seasons.get(number)
    if season is None:
        raise SetupError("there is no season to mark: 'league host init' begins one")
    if not season.settings.marks.strip():
        raise SetupError("the season has no rules for marks: set 'marks', such as 'plays: 1 point'")
    return SeasonMarks(store, season)


_TOLD = {
    SeasonState.OPEN: "the season is open",
    SeasonState.PAUSED: "the season is paused",
    SeasonState.CLOSED: "submissions are closed, and the final is to come",
    SeasonState.FINAL: "the final is in play",
}


def _proviso(season: Season, left: int) -> str:
    encounters = f"{counted(left, 'encounter')} that the rules ask for"
    if season.is_over or season.gauntlets:
        return f"provisional: {encounters} left to play" if left else ""
    after = f"; then the league plays {encounters}" if left else ""
    return f"provisional: {_TOLD[season.state]}{after}"


def marks_csv(marks: Sequence[Mark]) -> str:
    """Return marks as CSV: a line for each person, with a column for each rule.

    A team without people has a line too. No cell is a formula for a spreadsheet.
    """
    out = io.StringIO()
    writer = csv.writer(out)
    rules = _headings(marks)
    writer.writerow(
        [*("login", "name", "email", "team", "version", "place"), *rules, "total", "note"]
    )
    for each in marks:
        place = "" if each.rank is None else each.rank
        points = [f"{credit.points:g}" for credit in each.credits]
        for who in each.members or (NOBODY,):
            person = map(cell, (who.login, who.name, who.email, each.team, each.version))
            writer.writerow([*person, place, *points, f"{each.points:g}", cell(each.note)])
    return out.getvalue()


def _headings(marks: Sequence[Mark]) -> list[str]:
    """Return the rules of marks; a rule that is there twice gets a number."""
    found: list[str] = []
    for credit in marks[0].credits if marks else ():
        again = sum(each.partition(" (")[0] == credit.rule for each in found)
        found.append(cell(f"{credit.rule} ({again + 1})" if again else credit.rule))
    return found
