"""Bulk reading of matches for statistics."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import Any

from sqlalchemy import and_, func, select, tuple_

from games.support.errors import OptionError
from games.support.moves import WireMove
from league.model.errors import DatabaseError
from league.model.records import (
    FAULTS,
    IMPORT,
    MatchKey,
    MatchRecord,
    Repeat,
    Termination,
    TournamentConfig,
)
from league.store.config_codec import decode_config
from league.store.database import Queries
from league.store.record_codec.record import decode_beginning, decode_record
from league.store.rows import (
    FinishedMatch,
    MatchEnd,
    OpeningCount,
    PayoffRow,
    PoolTotals,
    ResultRow,
)
from league.store.seating_codec import decode_scores, decode_seating, encode_scores, encode_seating
from league.store.tables import (
    ENCOUNTER,
    LINEUP,
    LINEUP_SEAT,
    LINEUP_TOTAL,
    MATCH,
    RECORD,
    TOURNAMENT,
    VERSION,
)
from league.store.totals import FETCHED, furthest_repeat, tournaments_of

# Cached because few texts repeat very often.
_seating, _points = lru_cache(1 << 16)(decode_seating), lru_cache(decode_scores)

ASKED_MAX = 500
"""Maximum number of ids per query: databases limit it."""

FEW = 4
"""The newest matches of so many versions are found by their lineups, of more by all matches."""

MANY = 5000
"""To sort so many matches takes longer than to look at those of other games too."""

_ENDINGS = {each.value: each for each in Termination}

_ENDS = LINEUP.c.versions, MATCH.c.scores, MATCH.c.termination
_ENCOUNTER, _PLIES, _ENDED = itemgetter(1, 2), itemgetter(4), itemgetter(5, 6, 7)
"""The columns of rows of `_results` with `_ENDS`."""


class ResultReader(Queries):
    """The results of matches."""

    def rows(
        self,
        game: str,
        tournament: int | None = None,
        meeting: Collection[Collection[int]] = (),
        newest: int | None = None,
    ) -> Iterator[ResultRow]:
        """Yield the results of a game in schedule order, with each encounter's results together.

        Matches that repeat others of these are left out: they are no evidence.
        `meeting` selects matches in which a version of each of these groups has a seat, and
        `newest` at most so many of them, those with the highest numbers.
        """
        query = _results(
            (*_ENDS, MATCH.c.fault_seat), game, tournament, meeting=meeting, newest=newest
        )
        with self._db.reading() as connection:
            opening_of = _openings(connection)
            for row in connection.execute(query):
                try:
                    yield ResultRow(
                        id=row[0],
                        tournament_id=row[1],
                        encounter=row[2],
                        opening=opening_of(row[1], row[3]),
                        versions=_seating(row[5]),
                        scores=_points(row[6]),
                        termination=Termination(row[7]),
                        fault_seat=row[8],
                        plies=row[4],
                    )
                except ValueError as error:
                    raise self._damaged(row[0], error) from None

    def pool_totals(
        self, game: str, tournament: int | None = None, newest: int | None = None
    ) -> PoolTotals:
        """Count the encounters that `result_rows` tells one by one, those that ended alike at once.

        In a large league this is many times faster.
        """
        query = _results(_ENDS, game, tournament, newest=newest)
        plies: Counter[int] = Counter()
        longest: list[Any] = []
        alike: defaultdict[Any, dict[Any, list[int]]] = defaultdict(dict)
        with self._db.reading() as connection:
            opening_of = _openings(connection)
            cursor = connection.execute(query).cursor

            def rows() -> Iterator[Any]:
                """Yield the raw rows of the driver, for speed: there may be a million."""
                for some in iter(lambda: cursor.fetchmany(FETCHED), []):
                    plies.update(map(_PLIES, some))
                    longest.append(max(some, key=_PLIES))
                    yield from some

            for (number, encounter), matches in groupby(rows(), _ENCOUNTER):
                found = list(matches)
                opening = opening_of(number, found[0][3])
                of_opening = alike[tuple(map(_ENDED, found))]
                key = number, opening, encounter if opening is None else None
                if key in of_opening:
                    of_opening[key][-1] += 1
                else:
                    of_opening[key] = [found[0][0], encounter, 1]
        return PoolTotals(
            encounters=tuple(
                (self._ends(ended, of_opening), _counts(of_opening))
                for ended, of_opening in alike.items()
            ),
            plies=plies,
            longest=max(longest, key=_PLIES)[0] if longest else 0,
        )

    def _ends(
        self, ended: tuple[tuple[str, str, str], ...], of_opening: Mapping[Any, Sequence[int]]
    ) -> tuple[MatchEnd, ...]:
        try:
            return tuple(
                MatchEnd(_seating(versions), _points(scores), _ENDINGS[termination])
                for versions, scores, termination in ended
            )
        except (KeyError, ValueError) as error:
            match, *_ = next(iter(of_opening.values()))
            raise self._damaged(match, error) from None

    def _damaged(self, match: int, error: Exception) -> DatabaseError:
        text = f"match {match} has a damaged row ({error}): see 'league db verify'"
        return DatabaseError(text, self._db.target)

    def payoffs(
        self,
        game: str,
        tournaments: Collection[int] | None = None,
        since: int = 0,
        repeated: Repeat = Repeat.OF_LEAGUE,
    ) -> Iterator[PayoffRow]:
        """Yield what the matches of a game, or of some of its tournaments, were worth by seat.

        `since` is in seconds since 1970; matches with a repeat beyond `repeated` are left out.
        """
        query = (
            select(
                MATCH.c.tournament_id,
                MATCH.c.encounter,
                LINEUP.c.versions,
                MATCH.c.utilities,
                MATCH.c.fault_seat,
            )
            .join(LINEUP, LINEUP.c.id == MATCH.c.lineup_id)
            .where(MATCH.c.repeat <= repeated, MATCH.c.finished_at >= since)
        )
        query = _of_tournaments(query, MATCH.c.tournament_id, game, None)
        if tournaments is not None:
            query = query.where(MATCH.c.tournament_id.in_(tournaments))
        with self._db.reading() as connection:
            cursor = connection.execute(query).cursor
            for some in iter(lambda: cursor.fetchmany(FETCHED), []):
                for number, encounter, versions, utilities, seat in some:
                    won = None if utilities is None else _points(utilities)
                    yield PayoffRow(number, encounter, _seating(versions), won, seat)

    def stand_ins(
        self, game: str, tournaments: Collection[int] | None = None, since: int = 0
    ) -> Counter[int]:
        """Count the moves that the game made for versions that failed; see `payoffs`."""
        query = (
            select(LINEUP.c.versions, MATCH.c.stand_ins)
            .join(LINEUP, LINEUP.c.id == MATCH.c.lineup_id)
            .where(MATCH.c.stand_ins.is_not(None), MATCH.c.finished_at >= since)
        )
        query = _of_tournaments(query, MATCH.c.tournament_id, game, None)
        if tournaments is not None:
            query = query.where(MATCH.c.tournament_id.in_(tournaments))
        found = Counter[int]()
        with self._db.reading() as connection:
            for versions, counts in connection.execute(query):
                found.update(dict(zip(_seating(versions), decode_seating(counts), strict=True)))
        return found

    def following(self, tournament: int, after: int, limit: int) -> list[FinishedMatch]:
        """Return the next matches of a tournament after number `after`, in order of number."""
        query = (
            select(
                MATCH.c.id,
                MATCH.c.encounter,
                MATCH.c.rotation,
                LINEUP.c.versions,
                MATCH.c.scores,
                MATCH.c.repeat,
                MATCH.c.termination,
                MATCH.c.fault_seat,
            )
            .join(LINEUP, LINEUP.c.id == MATCH.c.lineup_id)
            # The sum keeps the database from collecting all the tournament's matches to sort them.
            .where(MATCH.c.tournament_id + 0 == tournament, MATCH.c.id > after)
            .order_by(MATCH.c.id)
            .limit(limit)
        )
        first = select(func.min(MATCH.c.id)).where(MATCH.c.tournament_id == tournament)
        with self._db.reading() as connection:
            if not after:
                begin = connection.execute(first).scalar()
                query = query.where(MATCH.c.id >= (begin or 0))
            rows = connection.execute(query).cursor.fetchall()
        try:
            return [
                FinishedMatch(
                    id,
                    MatchKey(encounter, rotation),
                    _seating(versions),
                    _points(scores),
                    repeat,
                    _ENDINGS[termination],
                    seat if termination in FAULTS else None,
                )
                for id, encounter, rotation, versions, scores, repeat, termination, seat in rows
            ]
        except (KeyError, ValueError) as error:
            text = f"a match of tournament {tournament} has a damaged row ({error})"
            raise DatabaseError(f"{text}: see 'league db verify'", self._db.target) from None

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

    def newest(
        self, versions: Collection[int], game: str, tournament: int | None, limit: int
    ) -> dict[int, list[int]]:
        """Return the numbers of the newest matches of a game by version, newest first.

        Versions without a match there are left out.
        """
        wanted = set(versions)
        lineups = (
            select(LINEUP.c.id, LINEUP.c.versions, func.sum(LINEUP_TOTAL.c.matches))
            .join(LINEUP_TOTAL, LINEUP_TOTAL.c.lineup_id == LINEUP.c.id)
            .group_by(LINEUP.c.id)
        )
        lineups = _of_tournaments(lineups, LINEUP.c.tournament_id, game, tournament)
        if is_few := len(wanted) <= FEW:
            lineups = lineups.where(LINEUP.c.id.in_(_lineups_with(wanted)))
        seats: dict[int, set[int]] = {}
        counts = dict.fromkeys(wanted, 0)
        found: dict[int, list[int]] = {}
        with self._db.reading() as connection:
            total = 0
            for lineup, seating, count in connection.execute(lineups).cursor.fetchall():
                total += count
                if seated := wanted.intersection(_seating(seating)):
                    seats[lineup] = seated
                    for version in seated:
                        counts[version] += int(count)
            # A version with fewer matches than that must not make the look go on to the first one.
            lacking = {each: min(limit, count) for each, count in counts.items() if count}
            # The newest of many are found by number, since an index would have all of them sorted.
            place = MATCH.c.tournament_id + 0 if total > MANY else MATCH.c.tournament_id
            matches = _of_tournaments(
                select(MATCH.c.id, MATCH.c.lineup_id), place, game, tournament
            ).order_by(MATCH.c.id.desc())
            if is_few:
                matches = matches.where(MATCH.c.lineup_id.in_(_lineups_with(wanted)))
            # One look at all matches from the newest, not a query for each of many versions.
            # The option is the statement's: that of a connection would stay for what follows.
            options = {"yield_per": ASKED_MAX}
            with connection.execute(matches, execution_options=options) as rows:
                for match, lineup in rows:
                    if not lacking:
                        break
                    for version in lacking.keys() & seats.get(lineup, ()):
                        found.setdefault(version, []).append(match)
                        lacking[version] -= 1
                        if not lacking[version]:
                            del lacking[version]
        return found

    def played(
        self, game: str, versions: Collection[int], tournament: int | None = None
    ) -> set[int]:
        """Return which of these versions have a match in a game, or in a tournament of it."""
        # Lineups are those of matches, of which there are many more.
        lineups = select(LINEUP_SEAT.c.version_id).join(
            LINEUP, LINEUP.c.id == LINEUP_SEAT.c.lineup_id
        )
        lineups = lineups.where(LINEUP_SEAT.c.version_id == VERSION.c.id)
        lineups = _of_tournaments(lineups, LINEUP.c.tournament_id, game, tournament)
        with self._db.reading() as connection:
            found = connection.execute(select(VERSION.c.id).where(lineups.exists())).scalars()
            return set(versions).intersection(found)

    def count(self, versions: Collection[int]) -> int:
        """Return how many matches any of these versions has played."""
        query = select(func.count()).where(MATCH.c.lineup_id.in_(_lineups_with(versions)))
        with self._db.reading() as connection:
            count: int = connection.execute(query).scalar_one()
        return count

    def records(
        self, matches: Collection[int]
    ) -> Iterator[tuple[int, TournamentConfig, MatchRecord]]:
        """Yield matches with their records and the settings that each was played under."""
        configs: dict[int, TournamentConfig] = {}
        for row in self._data(matches):
            if row.tournament_id not in configs:
                configs[row.tournament_id] = self._read(row.id, decode_config, row.config)
            record = self._read(row.id, decode_record, row.data, row.moves)
            yield row.id, configs[row.tournament_id].time_scaled(row.time_factor), record

    def tournaments_with(self, versions: Collection[int]) -> tuple[int, ...]:
        """Return the numbers of the tournaments in which these versions have matches, ascending."""
        query = (
            select(LINEUP.c.tournament_id)
            .distinct()
            .join(LINEUP_SEAT, LINEUP_SEAT.c.lineup_id == LINEUP.c.id)
            .where(LINEUP_SEAT.c.version_id.in_(versions))
            .order_by(LINEUP.c.tournament_id)
        )
        with self._db.reading() as connection:
            return tuple(connection.execute(query).scalars())

    def newest_ending(
        self, game: str, endings: Collection[tuple[Sequence[int], Sequence[float], Termination]]
    ) -> int | None:
        """Return the newest match of a game with one of these endings, or None.

        An ending is the versions and the points by seat, and why the match ended.
        """
        alike: dict[str, set[tuple[str, str]]] = {}
        for versions, scores, termination in endings:
            ended = encode_scores(scores), str(termination)
            alike.setdefault(encode_seating(versions), set()).add(ended)
        query = (
            select(func.max(MATCH.c.id))
            .join(LINEUP, LINEUP.c.id == MATCH.c.lineup_id)
            .join(TOURNAMENT, TOURNAMENT.c.id == LINEUP.c.tournament_id)
            .where(TOURNAMENT.c.game == game, TOURNAMENT.c.is_rated == 1)
        )
        with self._db.reading() as connection:
            found = [
                connection.execute(
                    query.where(
                        LINEUP.c.versions == seating,
                        tuple_(MATCH.c.scores, MATCH.c.termination).in_(sorted(ended)),
                    )
                ).scalar()
                for seating, ended in alike.items()
            ]
        return max((match for match in found if match is not None), default=None)

    def _data(self, matches: Collection[int]) -> Iterator[Any]:
        """Yield the stored data of matches, in order of number."""
        query = (
            select(
                MATCH.c.id,
                MATCH.c.tournament_id,
                MATCH.c.time_factor,
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
            with self._db.reading() as connection:
                yield from connection.execute(query.where(MATCH.c.id.in_(asked)))

    def _read(self, match: int, decode: Any, *data: Any) -> Any:
        try:
            return decode(*data)
        except (KeyError, TypeError, ValueError, OptionError) as error:
            raise DatabaseError(f"match {match}: {error}", self._db.target) from None


def _results(
    ended: Sequence[Any],
    game: str,
    tournament: int | None,
    *,
    meeting: Collection[Collection[int]] = (),
    newest: int | None = None,
) -> Any:
    """Return the query for matches in schedule order: five columns, and `ended`."""
    query = (
        select(
            MATCH.c.id,
            MATCH.c.tournament_id,
            MATCH.c.encounter,
            ENCOUNTER.c.opening,
            MATCH.c.plies,
            *ended,
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
    if newest is not None:
        chosen = query.with_only_columns(MATCH.c.id, maintain_column_froms=True).order_by(None)
        chosen = chosen.order_by(MATCH.c.id.desc()).limit(newest)
        query = query.where(MATCH.c.id.in_(chosen.subquery().select()))
    return query


def _counts(of_opening: Mapping[Any, Sequence[int]]) -> tuple[OpeningCount, ...]:
    return tuple(
        OpeningCount(number, opening, *counted)
        for (number, opening, _), counted in of_opening.items()
    )


def _openings(connection: Any) -> Callable[[int, int | None], int | None]:
    """Return what makes a tournament and a planned opening the opening of a `ResultRow`."""
    config = TOURNAMENT.c.config
    shared = config.like('%"is_opening_shared": true%')
    without = and_(
        config.like('%"opening_plies": 0,%'),
        config.like('%"openings": ""%'),
        config.not_like(f'%"format": "{IMPORT}"%'),
    )
    numbered = set(connection.execute(select(TOURNAMENT.c.id).where(shared)).scalars())
    # All matches there begin at the same position: nobody need read each one's moves.
    plain = set(connection.execute(select(TOURNAMENT.c.id).where(without)).scalars())

    def opening_of(tournament: int, planned: int | None) -> int | None:
        return 0 if tournament in plain else planned if tournament in numbered else None

    return opening_of


def _of(query: Any, game: str, tournament: int | None) -> Any:
    return _of_tournaments(query, MATCH.c.tournament_id, game, tournament)


def _of_tournaments(query: Any, column: Any, game: str, tournament: int | None) -> Any:
    if tournament is not None:
        query = query.where(column == tournament)
    return query.where(column.in_(tournaments_of(game, tournament)))


def _lineups_with(versions: Collection[int]) -> Any:
    return select(LINEUP_SEAT.c.lineup_id).where(LINEUP_SEAT.c.version_id.in_(versions))
