"""The contents of a tournament's report, in any file format."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

import tomli_w

from games.support.counts import counted
from league.analysis.bot_health import Health, health
from league.analysis.crosstable import Cell, crosstable
from league.analysis.encounters import most_frequent
from league.analysis.opening_statistics import lopsided_sentence
from league.analysis.rating_history import rate, sides_of, system_of_kind
from league.analysis.standing_rows import Standing
from league.analysis.standings import Standings, standings
from league.interchange.report.notable import Notable, OnLook, notable
from league.model.records import Repeat, Termination
from league.ratings.rating_system import MatchSystem
from league.render.charts import Line
from league.store.rows import BotRef, TournamentRow, VersionRow
from league.store.store import StoreReader
from league.tournament.settings import settings_of

LOOKED_AT = 20
"""Number of each bot's newest matches that its health is taken from."""

POINTS = 40
"""Number of points of a line of ratings."""

LINES = 5
"""So many of the best bots have a line."""

_LIMITS = ("time", "move-time", "depth", "depth-rounds", "nodes")


@dataclass(frozen=True, slots=True)
class RatingChange:
    """The live Elo of one bot through the tournament, after so many of its matches in all."""

    bot: str
    line: Line


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """All of a report; `ends` are counts of terminations, the most frequent first.

    `lopsided` names an opening that one seat wins, '' for none. `made_at` is UTC in seconds since
    1970, `config` the settings as TOML, '' for imported matches.
    """

    row: TournamentRow
    settings: Mapping[str, Any]
    config: str
    standings: Standings
    cells: Mapping[tuple[int, int], Cell]
    ends: Sequence[tuple[Termination, int]]
    trends: Sequence[RatingChange]
    fares: Sequence[Health]
    notable: Sequence[Notable]
    entrants: Sequence[tuple[BotRef, VersionRow]]
    lopsided: str
    made_at: int
    botleague: str

    @property
    def title(self) -> str:
        """Return the title of the report."""
        return f"Tournament {self.row.id}: {self.row.config.game}"

    @property
    def ranked(self) -> list[Standing]:
        """The rows of the standings that have a rank."""
        return [row for row in self.standings.rows if row.rank]

    @property
    def sentences(self) -> list[str]:
        """Say what the standings do not show."""
        return [*self.standings.sentences(), *([self.lopsided] if self.lopsided else [])]

    @property
    def summary(self) -> str:
        """Say in a sentence or two what was played, under which limits, and whether to the end."""
        config = self.row.config
        what = f"{counted(len(config.entrants), 'bot')}, {config.format}"
        if not config.is_imported and not config.is_open_ended:
            what += f", {counted(config.rounds, 'round')}"
        limits = [f"{name} {self.settings[name]}" for name in _LIMITS if name in self.settings]
        held = f", {', '.join(limits)} for each" if limits else ""
        state = "not finished" if self.row.state == "open" else str(self.row.state)
        whole = "" if self.row.is_finished else f" It is {state}: {self.row.progress} played."
        return f"{what}{held}: {self.row.played:,} matches.{whole}"


def contents_of(
    store: StoreReader, row: TournamentRow, on_look: OnLook = lambda done, of: None
) -> Contents:
    """Gather what the report of a tournament says; `on_look` gets the progress.

    Of the records only a bounded number is read, whatever the tournament's size. Raises
    `DatabaseError` for a match that can't be replayed.
    """
    game = row.config.game
    found = standings(store, game, row.id)
    settings = settings_of(store, row)
    ends = Counter[Termination]()
    for total in store.totals.all(tournament=row.id):
        ends[total.termination] += total.count
    ratings = {each.version: each.rating for each in found.rows if each.rank}
    return Contents(
        row=row,
        settings=settings,
        config="" if row.config.is_imported else tomli_w.dumps(settings),
        standings=found,
        cells=crosstable(store, game, row.id)[1],
        ends=most_frequent(ends),
        trends=_trends(store, row, [each for each in found.rows if each.rank][:LINES]),
        fares=health(store, game, tournament=row.id, is_all_versions=True, matches=LOOKED_AT),
        notable=notable(store, row, ratings, on_look),
        entrants=_entrants(store, row),
        lopsided=lopsided_sentence(store, row),
        made_at=int(datetime.now(UTC).timestamp()),
        botleague=version("botleague"),
    )


def _trends(store: StoreReader, row: TournamentRow, best: Sequence[Standing]) -> list[RatingChange]:
    """Rate the matches in the order of the schedule, and look at the ratings now and then."""
    system = system_of_kind(store, "elo", MatchSystem)
    if not best:
        return []
    versions = [each.version for each in best]
    points: list[list[tuple[float, float]]] = [[] for _ in best]
    step = max(1, row.played // POINTS)
    live = None
    for number, each in enumerate(store.totals.results(tournament=row.id), 1):
        if live is None:
            live = system.start(sides_of(row.config.game, len(each.versions)))
        rate(live, each, Repeat.OF_LEAGUE)
        if number % step == 0 or number == row.played:
            values = live.rated(versions).values.tolist()
            for line, value in zip(points, values, strict=True):
                line.append((number, value))
    return [RatingChange(each.bot, Line(line)) for each, line in zip(best, points, strict=True)]


def _entrants(store: StoreReader, row: TournamentRow) -> list[tuple[BotRef, VersionRow]]:
    known = {
        each.id: (BotRef(each.id, bot.name, each.number), each)
        for bot in store.bots.all(include_retired=True)
        for each in bot.versions
    }
    return [known[entrant] for entrant in row.config.entrants]
