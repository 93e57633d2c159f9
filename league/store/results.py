"""Bulk reading of matches for statistics."""

from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import Any

from sqlalchemy import func, select

from games.support.errors import OptionError
from games.support.moves import WireMove
from league.model.errors import DatabaseError
from league.model.records import MatchKey, MatchRecord, Termination, TournamentConfig
from league.store.config_codec import decode_config
from league.store.record_codec.record import decode_beginning, decode_record
from league.store.rows import ResultRow, Scored
from league.store.seating_codec import decode_scores, decode_seating
from league.store.tables import ENCOUNTER, LINEUP, LINEUP_SEAT, MATCH, RECORD, TOURNAMENT
from league.store.totals import furthest_repeat
from league.store.transactions import Transactions

# Cached because few texts repeat very often.
_seating, _points = lru_cache(1 << 16)(decode_seating), lru_cache(decode_scores)

ASKED_MAX = 500
"""Maximum number of ids per query: databases limit it."""

FEW = 4
"""The newest matches of so many versions are found by their lineups, of more by all matches."""


class MatchResultTable(Transactions):
    """Bulk reading of matches."""

    def result_rows(
        self,
        game: str,
        tournament: int | None = None,
        meeting: Collection[Collection[int]] = (),
    ) -> Iterator[ResultRow]:
        """Yield the results of a game in schedule order, with each encounter's results together.

        Matches that repeat others of these are left out: they are no evidence.
        `meeting` selects matches in which a version of each of these groups has a seat.
        """
        query = (
            select(
                MATCH.c.id,
                MATCH.c.tournament_id,
                MATCH.c.encounter,
                ENCOUNTER.c.opening,
                LINEUP.c.versions,
                MATCH.c.scores,
                MATCH.c.termination,
                MATCH.c.fault_seat,
                MATCH.c.plies,
            )
            .join(LINEUP, LINEUP.c.id == MATCH.c.lineup_id)
            .outerjoin(
                ENCOUNTER,
                (ENCOUNTER.c.tournament_id == MATCH.c.tournament_id)
                & (ENCOUNTER.c.number == MATCH.c.encounter),
            )
            .where(MATCH.c.repeat <= furthest_repeat(tournament is not None))
            .order_by(MATCH.c.tournament_id, MATCH.c.encounter, MATCH.c.rotation)
        )
        query = _of(query, game, tournament)
        for group in meeting:
            query = query.where(MATCH.c.lineup_id.in_(_lineups_with(group)))
        # An older config lacks the word: its rounds share an opening.
        shared = TOURNAMENT.c.config.not_like('%"is_opening_shared": false%')
        with self.reading() as connection:
            numbered = set(connection.execute(select(TOURNAMENT.c.id).where(shared)).scalars())
            for row in connection.execute(query):
                try:
                    yield ResultRow(
                        id=row[0],
                        tournament_id=row[1],
                        encounter=row[2],
                        opening=row[3] if row[1] in numbered else None,
                        versions=_seating(row[4]),
                        scores=_points(row[5]),
                        termination=Termination(row[6]),
                        fault_seat=row[7],
                        plies=row[8],
                    )
                except ValueError as error:
                    text = f"match {row[0]} has a damaged row ({error}): see 'league db verify'"
                    raise DatabaseError(text, self.target) from None

    def scored(self, tournament: int, after: int, limit: int) -> list[Scored]:
        """Return the next matches of a tournament after number `after`, in order of number."""
        query = (
            select(
                MATCH.c.id,
                MATCH.c.encounter,
                MATCH.c.rotation,
                LINEUP.c.versions,
                MATCH.c.scores,
                MATCH.c.repeat,
            )
            .join(LINEUP, LINEUP.c.id == MATCH.c.lineup_id)
            # The sum keeps the database from collecting all the tournament's matches to sort them.
            .where(MATCH.c.tournament_id + 0 == tournament, MATCH.c.id > after)
            .order_by(MATCH.c.id)
            .limit(limit)
        )
        first = select(func.min(MATCH.c.id)).where(MATCH.c.tournament_id == tournament)
        with self.reading() as connection:
            if not after:
                begin = connection.execute(first).scalar()
                query = query.where(MATCH.c.id >= (begin or 0))
            rows = connection.execute(query).cursor.fetchall()
        try:
            return [
                Scored(row[0], MatchKey(row[1], row[2]), _seating(row[3]), _points(row[4]), row[5])
                for row in rows
            ]
        except ValueError as error:
            text = f"a match of tournament {tournament} has a damaged row ({error})"
            raise DatabaseError(f"{text}: see 'league db verify'", self.target) from None

    def beginnings(self, matches: Collection[int]) -> dict[int, tuple[str, tuple[WireMove, ...]]]:
        """Return the game's spec and the opening moves of matches, by number.

        Imported matches have no opening moves, since files do not say where openings end.
        """
        imported: dict[int, bool] = {}
        found = {}
        for row in self._data(matches):
            if row.tournament_id not in imported:
                config = self._read(row.id, decode_config, row.config)
                imported[row.tournament_id] = config.is_imported
            game, moves = self._read(row.id, decode_beginning, row.data)
            found[row.id] = game, () if imported[row.tournament_id] else moves
        return found

    def newest_matches(
        self, versions: Collection[int], game: str, tournament: int | None, limit: int
    ) -> dict[int, list[int]]:
        """Return the numbers of the newest matches of a game by version, newest first.

        Versions without a match there are left out.
        """
        wanted = set(versions)
        seated = _of_tournaments(
            select(LINEUP_SEAT.c.lineup_id, LINEUP_SEAT.c.version_id).join(
                LINEUP, LINEUP.c.id == LINEUP_SEAT.c.lineup_id
            ),
            LINEUP,
            game,
            tournament,
        )
        matches = _of(select(MATCH.c.id, MATCH.c.lineup_id), game, tournament)
        if len(wanted) <= FEW:
            seated = seated.where(LINEUP_SEAT.c.version_id.in_(wanted))
            matches = matches.where(MATCH.c.lineup_id.in_(_lineups_with(wanted)))
        seats: dict[int, list[int]] = {}
        with self.reading() as connection:
            for lineup, version in connection.execute(seated):
                if version in wanted:
                    seats.setdefault(lineup, []).append(version)
            lacking = {version: limit for each in seats.values() for version in each}
            found: dict[int, list[int]] = {}
            # One look at all matches from the newest, not a query for each of many versions.
            query = matches.order_by(MATCH.c.id.desc())
            with connection.execution_options(yield_per=ASKED_MAX).execute(query) as rows:
                for match, lineup in rows:
                    if not lacking:
                        break
                    for version in lacking.keys() & seats.get(lineup, ()):
                        found.setdefault(version, []).append(match)
                        lacking[version] -= 1
                        if not lacking[version]:
                            del lacking[version]
        return found

    def played(self, game: str, versions: Collection[int]) -> set[int]:
        """Return which of these versions have a match in a game."""
        query = (
            select(LINEUP_SEAT.c.version_id)
            .distinct()
            .join(MATCH, MATCH.c.lineup_id == LINEUP_SEAT.c.lineup_id)
            .join(TOURNAMENT, TOURNAMENT.c.id == MATCH.c.tournament_id)
            .where(TOURNAMENT.c.game == game, LINEUP_SEAT.c.version_id.in_(versions))
        )
        with self.reading() as connection:
            return set(connection.execute(query).scalars())

    def count_matches(self, versions: Collection[int]) -> int:
        """Return how many matches any of these versions has played."""
        query = select(func.count()).where(MATCH.c.lineup_id.in_(_lineups_with(versions)))
        with self.reading() as connection:
            count: int = connection.execute(query).scalar_one()
        return count

    def records(
        self, matches: Collection[int]
    ) -> Iterator[tuple[int, TournamentConfig, MatchRecord]]:
        """Yield matches with their records and their tournaments' configs."""
        configs: dict[int, TournamentConfig] = {}
        for row in self._data(matches):
            if row.tournament_id not in configs:
                configs[row.tournament_id] = self._read(row.id, decode_config, row.config)
            record = self._read(row.id, decode_record, row.data, row.moves)
            yield row.id, configs[row.tournament_id], record

    def _data(self, matches: Collection[int]) -> Iterator[Any]:
        """Yield the stored data of matches, in order of number."""
        query = (
            select(
                MATCH.c.id,
                MATCH.c.tournament_id,
                TOURNAMENT.c.config,
                RECORD.c.data,
                RECORD.c.moves,
            )
            .join(TOURNAMENT, TOURNAMENT.c.id == MATCH.c.tournament_id)
            .join(RECORD, RECORD.c.match_id == MATCH.c.id)
            .order_by(MATCH.c.id)
        )
        numbers = sorted(matches)
        for begin in range(0, len(numbers), ASKED_MAX):
            asked = numbers[begin : begin + ASKED_MAX]
            with self.reading() as connection:
                yield from connection.execute(query.where(MATCH.c.id.in_(asked)))

    def _read(self, match: int, decode: Any, *data: Any) -> Any:
        try:
            return decode(*data)
        except (KeyError, TypeError, ValueError, OptionError) as error:
            raise DatabaseError(f"match {match}: {error}", self.target) from None


def _of(query: Any, game: str, tournament: int | None) -> Any:
    return _of_tournaments(query, MATCH, game, tournament)


def _of_tournaments(query: Any, table: Any, game: str, tournament: int | None) -> Any:
    if tournament is not None:
        query = query.where(table.c.tournament_id == tournament)
    return query.where(
        table.c.tournament_id.in_(select(TOURNAMENT.c.id).where(TOURNAMENT.c.game == game))
    )


def _lineups_with(versions: Collection[int]) -> Any:
    return select(LINEUP_SEAT.c.lineup_id).where(LINEUP_SEAT.c.version_id.in_(versions))
