"""A league as some of its people may see it: nothing of other teams' sources, logs and texts."""

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NoReturn

from sqlalchemy import Connection, select

from bots.support.specs import BOTS
from league.hosting.store.tables import TEAM
from league.match.own_texts import HIDDEN_DETAIL, silent, with_own_texts
from league.model.errors import LeagueError
from league.model.live_ply import LivePly
from league.model.records import (
    BotVersion,
    Conduct,
    MatchKey,
    MatchRecord,
    Movers,
    TournamentConfig,
)
from league.store.cache import Cache, Value
from league.store.rows import HIDDEN, BotRow, BotSpec, LiveMatchRow, MatchRow, VersionRow
from league.store.store import Store
from league.store.tables import BOT, VERSION

OPEN_TO_ALL = frozenset(
    {
        "activity",
        "beginnings",
        "book",
        "configs",
        "count_matches",
        "count_matching",
        "count_until",
        "counted",
        "encounters",
        "entrant_names",
        "entrants",
        "extents",
        "games_played",
        "is_in_play",
        "labels",
        "last_stage",
        "marks",
        "match",
        "match_at",
        "match_ids",
        "match_rows",
        "match_s",
        "matches",
        "neighbours",
        "newest_void",
        "newest_ending",
        "newest_matches",
        "newest_tournaments",
        "one_state",
        "played",
        "pool_totals",
        "reading",
        "repeats",
        "result_rows",
        "results",
        "rules",
        "scored",
        "scores",
        "snapshot",
        "snapshots",
        "standings_basis",
        "state",
        "total_columns",
        "totals",
        "tournament",
        "tournaments",
        "tournaments_with",
        "version",
        "voided",
        "walls",
        "whole_encounters",
    }
)
"""Methods of `Store` that tell nothing to hide: results, plans, ratings and names.

`match` and `version` are made of methods that a view has itself.
"""

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


class SeenStore(Store):
    """A league, without what only the team of a bot may see; it is read-only.

    `own` are the ids of the viewer's bots. Of other bots it has the names, versions and results,
    the moves and what was reported of them in numbers. Built-in bots without a team keep their
    specs. Every method of `Store` that is neither here nor in `OPEN_TO_ALL` fails, so that a new
    one hides everything until somebody decides about it.
    """

    def __init__(self, base: Store, own: Collection[int] = ()) -> None:
        super().__init__(base._engine, base.target, base.path, is_read_only=True)
        self._base = base
        # All views share a memory, which the league's own store fills: both read the same state.
        self._held = base._held
        self.own = frozenset(own)
        self.memory = Cache() if base.memory is not None else None

    def _connected(self, engine: Any) -> Connection:
        return self._base._connected(self._base._reader)

    def writing(self, **_: object) -> Any:
        """Refuse: nobody writes through a view."""
        raise PermissionError("a view of a league is read-only")

    def close(self) -> None:
        """Do nothing: the league belongs to whoever opened it."""

    def recall(
        self,
        key: Hashable,
        make: Callable[[], Value],
        *,
        game: str | None = None,
        tournament: int | None = None,
    ) -> Value:
        """Return the league's cached value if its kind hides nothing, else this view's own."""
        is_shared = isinstance(key, tuple) and key[0] in SHARED
        kept = self._base.recall if is_shared else super().recall
        return kept(key, make, game=game, tournament=tournament)

    def recall_recent(
        self, key: Hashable, make: Callable[[], Value], *, game: str | None = None
    ) -> Value:
        """Return this view's own cached value."""
        return super().recall_recent(key, make, game=game)

    def setting(self, key: str, default: str) -> str:
        """Return a setting of the ratings, the default of any other."""
        return super().setting(key, default) if key in SETTINGS else default

    def bots(self, include_retired: bool = False) -> tuple[BotRow, ...]:
        """List the bots by name."""
        return self._bots_seen(super().bots(include_retired))

    def bots_page(
        self, limit: int, offset: int = 0, *, include_retired: bool = False
    ) -> tuple[BotRow, ...]:
        """List a page of the bots by name."""
        return self._bots_seen(super().bots_page(limit, offset, include_retired=include_retired))

    def bot(self, name: str) -> BotRow:
        """Return the bot with that name; raise `UnknownRowError`."""
        return self._bots_seen([super().bot(name)])[0]

    def versions(self, version_ids: Sequence[int]) -> dict[int, BotVersion]:
        """Return versions by id; others' have no files, options or spec."""
        found = super().versions(version_ids)
        shown = self._shown(found)
        return {
            number: each
            if number in shown
            else BotVersion(each.name, HIDDEN, number=each.number, id=each.id)
            for number, each in found.items()
        }

    def bot_specs(self, version_ids: Iterable[int]) -> dict[int, BotSpec]:
        """Return what versions are."""
        found = super().bot_specs(version_ids)
        shown = self._shown(found)
        hidden = BotSpec(HIDDEN, {})
        return {number: each if number in shown else hidden for number, each in found.items()}

    def match_records(
        self, matches: Sequence[int], movers: Movers | None = None
    ) -> Iterator[tuple[MatchRow, MatchRecord] | LeagueError]:
        """Yield each match with what this view shows of its record."""
        own = self._own_versions()
        for found in super().match_records(matches):
            if isinstance(found, LeagueError):
                yield found
            else:
                yield found[0], with_own_texts(found[1], own, movers)

    def records(
        self, matches: Collection[int]
    ) -> Iterator[tuple[int, TournamentConfig, MatchRecord]]:
        """Yield matches with what this view shows of their records."""
        own = self._own_versions()
        for number, config, record in super().records(matches):
            yield number, config, with_own_texts(record, own)

    def records_of(
        self, game: str, versions: Sequence[int]
    ) -> Iterator[tuple[int, TournamentConfig, MatchRecord]]:
        """Yield the matches of a seating with what this view shows of their records."""
        own = self._own_versions()
        for number, config, record in super().records_of(game, versions):
            yield number, config, with_own_texts(record, own)

    def shown(self, tournament: int, key: MatchKey | None = None) -> tuple[LiveMatchRow, ...]:
        """Return the shown matches, or one, without the bots' texts."""
        return tuple(
            replace(row, plies=tuple(map(_silent_ply, row.plies)))
            for row in super().shown(tournament, key)
        )

    def conduct(self, tournament: int) -> dict[int, Conduct]:
        """Return the notable conduct in a tournament, by version."""
        return self._conduct_seen(super().conduct(tournament))

    def total_conduct(self, game: str, tournament: int | None = None) -> dict[int, Conduct]:
        """Return the notable conduct in a game, by version."""
        return self._conduct_seen(super().total_conduct(game, tournament))

    def _conduct_seen(self, found: Mapping[int, Conduct]) -> dict[int, Conduct]:
        own = self._own_versions()
        return {
            version: each
            if version in own or not each.suspended
            else replace(each, suspended=HIDDEN_DETAIL)
            for version, each in found.items()
        }

    def _bots_seen(self, bots: Sequence[BotRow]) -> tuple[BotRow, ...]:
        shown = self._shown([version.id for bot in bots for version in bot.versions])
        return tuple(
            replace(
                bot,
                versions=tuple(
                    each if each.id in shown else _hidden_row(each) for each in bot.versions
                ),
            )
            for bot in bots
        )

    def _own_versions(self) -> frozenset[int]:
        """Return all versions of the viewer's bots."""
        if not self.own:
            return frozenset()
        with self.reading() as connection:
            query = select(VERSION.c.id).where(VERSION.c.bot_id.in_(self.own))
            return frozenset(connection.execute(query).scalars())

    def _shown(self, versions: Iterable[int]) -> set[int]:
        """Return those of these versions whose specs may be seen."""
        wanted = set(versions)
        built_in = VERSION.c.spec.in_(BOTS.names()) & TEAM.c.id.is_(None)
        query = (
            select(VERSION.c.id)
            .join(BOT, BOT.c.id == VERSION.c.bot_id)
            .outerjoin(TEAM, TEAM.c.bot_id == BOT.c.id)
            .where(built_in | VERSION.c.bot_id.in_(self.own))
        )
        with self.reading() as connection:
            return wanted.intersection(connection.execute(query).scalars())


def _silent_ply(ply: LivePly) -> LivePly:
    return ply._replace(report=silent(ply.report))


def _hidden_row(version: VersionRow) -> VersionRow:
    return replace(version, spec=HIDDEN, options={}, digest="")


def _refusing(name: str) -> Callable[..., NoReturn]:
    def refused(*_: object, **__: object) -> NoReturn:
        raise PermissionError(f"a view of a league has no {name!r}")

    return refused


def _close_the_rest() -> None:
    """Make every other method of `Store` fail in a view."""
    open_here = OPEN_TO_ALL | set(vars(SeenStore))
    for name in dir(Store):
        is_method = callable(getattr(Store, name)) and not name.startswith("_")
        if is_method and name not in open_here:
            setattr(SeenStore, name, _refusing(name))


_close_the_rest()
