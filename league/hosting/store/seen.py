"""A league as some of its people may see it: nothing of other teams' sources, logs and texts."""

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NoReturn

from sqlalchemy import Connection, select

from bots.support.specs import BOTS
from league.hosting.store.tables import TEAM
from league.match.own_texts import HIDDEN_DETAIL, silent, with_own_texts
from league.model.errors import LeagueError
from league.model.live_ply import LivePly
from league.model.model_calls import ModelCall
from league.model.records import (
    BotVersion,
    Conduct,
    MatchKey,
    MatchRecord,
    Movers,
    TournamentConfig,
)
from league.model.tuned_parameter import EntrantOptions
from league.store.bots import BotReader
from league.store.cache import Cache
from league.store.conduct import ConductReader
from league.store.database import Database, Queries
from league.store.exploitability import ExploitabilityReader
from league.store.game_texts import RuleReader
from league.store.live_matches import LiveReader
from league.store.matches import MatchReader
from league.store.model_calls import CallReader
from league.store.opening_books import BookReader
from league.store.rating_snapshots import SnapshotReader
from league.store.results import ResultReader
from league.store.rows import (
    HIDDEN,
    BotRow,
    BotSpec,
    LiveMatchRow,
    MatchRow,
    TournamentRow,
    VersionRow,
)
from league.store.settings import SettingReader
from league.store.store import Store, StoreReader
from league.store.tables import BOT, VERSION
from league.store.totals import TotalReader
from league.store.tournaments import TournamentReader
from league.store.voids import VoidReader

SHARED = frozenset(
    {
        "standings",
        "cells",
        "columns",
        "outlook",
        "tallies",
        "leaders",
        "tournaments",
        "newest matches",
        "match list",
        "versus",
        "history",
        "live",
        "opponents",
        "notable",
        "openings",
        "pool",
        "calibration",
        "placements",
    }
)
"""Kinds of remembered results without anything to hide: all views remember them together."""

SETTINGS = ("k_factor", "initial")
"""The settings of a league that its pages need: those of its ratings."""


HIDDEN_REASON = "the organisers see why"
"""The text in place of the reason for which a tournament stopped."""


class Sight:
    """Which bots one viewer may see whole: their own, and built-in bots without a team."""

    def __init__(self, db: Database, own: Collection[int]) -> None:
        self._db = db
        self._own = frozenset(own)

    def own_versions(self) -> frozenset[int]:
        """Return all versions of the viewer's bots."""
        if not self._own:
            return frozenset()
        with self._db.reading() as connection:
            query = select(VERSION.c.id).where(VERSION.c.bot_id.in_(self._own))
            return frozenset(connection.execute(query).scalars())

    def among(self, versions: Iterable[int]) -> set[int]:
        """Return those of these versions whose specs may be seen."""
        wanted = set(versions)
        built_in = VERSION.c.spec.in_(BOTS.names()) & TEAM.c.id.is_(None)
        query = (
            select(VERSION.c.id)
            .join(BOT, BOT.c.id == VERSION.c.bot_id)
            .outerjoin(TEAM, TEAM.c.bot_id == BOT.c.id)
            .where(built_in | VERSION.c.bot_id.in_(self._own))
        )
        with self._db.reading() as connection:
            return wanted.intersection(connection.execute(query).scalars())


class _Seen(Queries):
    """The base of tables that show one viewer more of some bots than of others."""

    def __init__(self, db: Database, sight: Sight) -> None:
        super().__init__(db)
        self._sight = sight


class SeenBots(_Seen, BotReader):
    """Bots without the specs, options and files of other teams."""

    def all(self, include_retired: bool = False) -> tuple[BotRow, ...]:
        """List the bots by name."""
        return self._seen(super().all(include_retired))

    def page(
        self, limit: int, offset: int = 0, *, include_retired: bool = False
    ) -> tuple[BotRow, ...]:
        """List a page of the bots by name."""
        return self._seen(super().page(limit, offset, include_retired=include_retired))

    def get(self, name: str) -> BotRow:
        """Return the bot with that name; raise `UnknownRowError`."""
        return self._seen([super().get(name)])[0]

    def versions(self, version_ids: Sequence[int]) -> dict[int, BotVersion]:
        """Return versions by id; others' have no files, options or spec."""
        rows = super().versions(version_ids)
        shown = self._sight.among(rows)
        return {
            number: row
            if number in shown
            else BotVersion(row.name, HIDDEN, number=row.number, id=row.id)
            for number, row in rows.items()
        }

    def specs(self, version_ids: Iterable[int]) -> dict[int, BotSpec]:
        """Return what versions are."""
        specs = super().specs(version_ids)
        shown = self._sight.among(specs)
        hidden = BotSpec(HIDDEN, {})
        return {number: spec if number in shown else hidden for number, spec in specs.items()}

    def _seen(self, bots: Sequence[BotRow]) -> tuple[BotRow, ...]:
        shown = self._sight.among(version.id for bot in bots for version in bot.versions)
        return tuple(
            replace(
                bot,
                versions=tuple(
                    version if version.id in shown else _hidden_row(version)
                    for version in bot.versions
                ),
            )
            for bot in bots
        )


class SeenTournaments(TournamentReader):
    """Tournaments without the budgets of bots, and without why they stopped.

    What a provider said may name an account.
    """

    def _tournaments(self, *chosen: str) -> tuple[TournamentRow, ...]:
        return tuple(
            replace(
                row,
                config=replace(row.config, bot_budgets=()),
                stop_reason=row.stop_reason and HIDDEN_REASON,
            )
            for row in super()._tournaments(*chosen)
        )


class SeenMatches(_Seen, MatchReader):
    """Matches without what other teams' bots say in words."""

    def records(
        self, matches: Sequence[int], movers: Movers | None = None
    ) -> Iterator[tuple[MatchRow, MatchRecord] | LeagueError]:
        """Yield each match with what this view shows of its record."""
        own = self._sight.own_versions()
        for match in super().records(matches):
            if isinstance(match, LeagueError):
                yield match
            else:
                yield match[0], with_own_texts(match[1], own, movers)

    def records_of(
        self, game: str, versions: Sequence[int]
    ) -> Iterator[tuple[int, TournamentConfig, MatchRecord, tuple[EntrantOptions, ...]]]:
        """Yield the matches of a seating with what this view shows of their records."""
        own = self._sight.own_versions()
        for number, config, record, options in super().records_of(game, versions):
            yield number, config, with_own_texts(record, own), options


class SeenResults(_Seen, ResultReader):
    """Results, and records without what other teams' bots say in words."""

    def records(
        self, matches: Collection[int]
    ) -> Iterator[tuple[int, TournamentConfig, MatchRecord]]:
        """Yield matches with what this view shows of their records."""
        own = self._sight.own_versions()
        for number, config, record in super().records(matches):
            yield number, config, with_own_texts(record, own)


class SeenLive(LiveReader):
    """Matches in play without the bots' texts."""

    def shown(self, tournament: int, key: MatchKey | None = None) -> tuple[LiveMatchRow, ...]:
        """Return the shown matches, or one, without the bots' texts."""
        return tuple(
            replace(row, plies=tuple(map(_silent_ply, row.plies)))
            for row in super().shown(tournament, key)
        )


class SeenConduct(_Seen, ConductReader):
    """Conduct without the reasons that other teams' bots were suspended for."""

    def of(self, tournament: int) -> dict[int, Conduct]:
        """Return the notable conduct in a tournament, by version."""
        return self._seen(super().of(tournament))

    def totals(self, game: str, tournament: int | None = None) -> dict[int, Conduct]:
        """Return the notable conduct in a game, by version."""
        return self._seen(super().totals(game, tournament))

    def _seen(self, conduct: Mapping[int, Conduct]) -> dict[int, Conduct]:
        own = self._sight.own_versions()
        return {
            version: row
            if version in own or not row.suspended
            else replace(row, suspended=HIDDEN_DETAIL)
            for version, row in conduct.items()
        }


class SeenCalls(_Seen, CallReader):
    """Calls of language models without the prompts and answers of other teams' bots."""

    def of_match(self, tournament: int, key: MatchKey) -> tuple[ModelCall, ...]:
        """Return the calls of the viewer's own bots in a match, in order."""
        own = self._sight.own_versions()
        found = super().of_match(tournament, key)
        return tuple(call for call in found if call.version in own)


class SeenSettings(SettingReader):
    """The settings that pages need, and the defaults of all others."""

    def get(self, key: str, default: str) -> str:
        """Return a setting of the ratings, the default of any other."""
        return super().get(key, default) if key in SETTINGS else default


class SeenStore(StoreReader):
    """A league, without what only the team of a bot may see; it is read-only.

    `own` are the ids of the viewer's bots. Of other bots it has the names, versions and results,
    the moves and what was reported of them in numbers. Built-in bots without a team keep their
    specs. A query is in a view if it stands in a reader of `league/store`; those that tell more
    stand in the tables, which a view has not.
    """

    def __init__(self, base: Store, own: Collection[int] = ()) -> None:
        super().__init__(base.engine, base.target, base.path, is_read_only=True)
        self._base = base
        # All views share a memory, which the league's own store fills: both read the same state.
        self._held = base._held
        self.memory = Cache() if base.memory is not None else None
        sight = Sight(self, own)
        self.bots = SeenBots(self, sight)
        self.tournaments = SeenTournaments(self)
        self.matches = SeenMatches(self, sight)
        self.results = SeenResults(self, sight)
        self.totals = TotalReader(self)
        self.voids = VoidReader(self)
        self.snapshots = SnapshotReader(self)
        self.conduct = SeenConduct(self, sight)
        self.exploitability = ExploitabilityReader(self)
        self.calls = SeenCalls(self, sight)
        self.live = SeenLive(self)
        self.books = BookReader(self)
        self.rules = RuleReader(self)
        self.settings = SeenSettings(self)

    def _connected(self, engine: Any) -> Connection:
        return self._base._connected(self._base._reader)

    def writing(self, **_: object) -> NoReturn:
        """Refuse: nobody writes through a view."""
        raise PermissionError("a view of a league is read-only")

    def _memory_of(self, key: Hashable) -> Cache | None:
        """Return the league's memory for a kind of value that hides nothing, else the view's."""
        is_shared = isinstance(key, tuple) and key[0] in SHARED
        return self._base.memory if is_shared else self.memory


def _silent_ply(ply: LivePly) -> LivePly:
    return ply._replace(report=silent(ply.report))


def _hidden_row(version: VersionRow) -> VersionRow:
    return replace(version, spec=HIDDEN, options={}, digest="")
