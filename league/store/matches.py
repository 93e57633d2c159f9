"""Matches and their records."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Unpack

from sqlalchemy import ColumnElement, Connection, func, insert, select, tuple_, update

from games.support.errors import OptionError
from league.model.clock import now
from league.model.errors import DatabaseError, LeagueError
from league.model.records import (
    MatchKey,
    MatchRecord,
    Movers,
    Repeat,
    Termination,
    TournamentConfig,
)
from league.model.tuned_parameter import EntrantOptions
from league.store.config_codec import decode_config
from league.store.database import Queries
from league.store.match_filter import MatchFilter, MatchOrder, is_wanted
from league.store.record_codec.packed_match import PackedMatch
from league.store.record_codec.record import decode_record
from league.store.rows import BotRef, MatchRow, Neighbours
from league.store.seating_codec import (
    decode_options,
    decode_scores,
    decode_seating,
    encode_scores,
    encode_seating,
)
from league.store.tables import (
    BOT,
    ENCOUNTER,
    LINEUP,
    LINEUP_SEAT,
    LINEUP_TOTAL,
    MATCH,
    NO_FAULT,
    RECORD,
    TOURNAMENT,
    VERSION,
)
from league.store.voids import newest_number, no_match

_END = ("lineup_id", "scores", "termination", "fault_seat", "repeat")
"""The columns of `MATCH` that its totals count."""

_End = tuple[int, str, str, int | None, int]

_ROW = (
    *("id", "tournament_id", "encounter", "rotation", *_END),
    *("utilities", "stand_ins", "plies", "wall_ms", "finished_at", "machine", "time_factor"),
)
"""The columns of `MATCH`, as they are inserted."""

ROWS_AT_ONCE = 500

TIMED = 100
"""Number of a tournament's last matches that the duration of a match is taken from."""

Batch = Sequence[tuple[MatchKey, PackedMatch]]


class MatchReader(Queries):
    """The matches, and their records."""

    def whole_encounters(self, tournament: int, matches: int) -> tuple[int, ...]:
        """List the encounters of a tournament that have all of their `matches`."""
        query = _counted_encounters(tournament).having(func.count() == matches)
        with self._db.reading() as connection:
            return tuple(number for (number,) in connection.execute(query).cursor.fetchall())

    def match_s(self, tournament: int) -> float | None:
        """Return how long a match of a tournament takes on average, by its last ones; or None."""
        last = (
            select(MATCH.c.wall_ms)
            .where(MATCH.c.tournament_id == tournament)
            .order_by(MATCH.c.encounter.desc(), MATCH.c.rotation.desc())
            .limit(TIMED)
            .subquery()
        )
        with self._db.reading() as connection:
            found = connection.execute(select(func.avg(last.c.wall_ms))).scalar()
        return None if found is None else float(found) / 1e3

    def scores(
        self, tournament: int, lacking: int | None = None
    ) -> dict[MatchKey, tuple[float, ...]]:
        """Return the points by seat of all matches of a tournament.

        With `lacking`, only of those in encounters without as many matches.
        """
        query = select(MATCH.c.encounter, MATCH.c.rotation, MATCH.c.scores, MATCH.c.id)
        if lacking is not None:
            counted = _counted_encounters(tournament).having(func.count() != lacking)
            query = query.where(MATCH.c.encounter.in_(counted))
        with self._db.reading() as connection:
            # Raw rows of the driver, for speed: there may be some 100,000.
            found = connection.execute(query.where(MATCH.c.tournament_id == tournament))
            rows = found.cursor.fetchall()
        known: dict[str, tuple[float, ...]] = {}
        for *_, text, match in rows:
            if text not in known:
                try:
                    known[text] = decode_scores(text)
                except ValueError as error:
                    told = f"match {match} has damaged scores ({error}): see 'league db verify'"
                    raise DatabaseError(told, self._db.target) from None
        return {MatchKey(number, rotation): known[text] for number, rotation, text, _ in rows}

    def walls(self, tournament: int) -> dict[MatchKey, float]:
        """Return how long the matches of a tournament took, in seconds."""
        query = select(MATCH.c.encounter, MATCH.c.rotation, MATCH.c.wall_ms)
        with self._db.reading() as connection:
            found = connection.execute(query.where(MATCH.c.tournament_id == tournament))
            rows = found.cursor.fetchall()
        return {MatchKey(number, rotation): wall_ms / 1e3 for number, rotation, wall_ms in rows}

    def repeats(self, tournament: int) -> frozenset[MatchKey]:
        """Return the matches of a tournament that repeat others of it."""
        # By the totals, so that a tournament without repeats is not read.
        lineups = (
            select(LINEUP.c.id)
            .join(LINEUP_TOTAL, LINEUP_TOTAL.c.lineup_id == LINEUP.c.id)
            .where(LINEUP.c.tournament_id == tournament)
            .where(LINEUP_TOTAL.c.repeat == Repeat.OF_TOURNAMENT)
        )
        query = select(MATCH.c.encounter, MATCH.c.rotation).where(
            MATCH.c.lineup_id.in_(lineups), MATCH.c.repeat == Repeat.OF_TOURNAMENT
        )
        with self._db.reading() as connection:
            return frozenset(MatchKey(*row) for row in connection.execute(query))

    def page(
        self,
        *,
        limit: int | None = None,
        offset: int = 0,
        order: MatchOrder = MatchOrder.NEWEST,
        **wanted: Unpack[MatchFilter],
    ) -> tuple[MatchRow, ...]:
        """List matches; see `MatchFilter`."""
        # Select ids first, from indexes alone, so that only the rows shown are read.
        query = select(MATCH.c.id).where(self._is_wanted(wanted)).order_by(*order.columns)
        shown = query.limit(limit).offset(offset).subquery().select()
        found = _match_query().where(MATCH.c.id.in_(shown)).order_by(*order.columns)
        with self._db.reading() as connection:
            return self._rows(connection, found)

    def count(self, **wanted: Unpack[MatchFilter]) -> int:
        """Count the matches that `matches` lists."""
        query = select(func.count()).select_from(MATCH).where(self._is_wanted(wanted))
        with self._db.reading() as connection:
            count: int = connection.execute(query).scalar_one()
        return count

    def _is_wanted(self, wanted: MatchFilter) -> ColumnElement[bool]:
        return is_wanted(wanted, self._db.dialect)

    def get(self, match: int) -> tuple[MatchRow, MatchRecord]:
        """Return a match and its record; raise `UnknownRowError`, or `DatabaseError` if damaged."""
        (found,) = self.records([match])
        if isinstance(found, LeagueError):
            raise found
        return found

    def at(self, tournament: int, key: MatchKey) -> int | None:
        """Return the number of a tournament's finished match; None if it is not stored."""
        query = select(MATCH.c.id).where(
            MATCH.c.tournament_id == tournament,
            MATCH.c.encounter == key.encounter,
            MATCH.c.rotation == key.rotation,
        )
        with self._db.reading() as connection:
            return connection.execute(query).scalar_one_or_none()

    def records(
        self, matches: Sequence[int], movers: Movers | None = None
    ) -> Iterator[tuple[MatchRow, MatchRecord] | LeagueError]:
        """Yield each match and its record, or the error that `match` raises for it, in order.

        A view that hides other teams' texts asks `movers` for the seat of each move.
        """
        query = _match_query().add_columns(RECORD.c.data, RECORD.c.moves)
        query = query.join(RECORD, RECORD.c.match_id == MATCH.c.id)
        for begin in range(0, len(matches), ROWS_AT_ONCE):
            some = matches[begin : begin + ROWS_AT_ONCE]
            with self._db.reading() as connection:
                rows = connection.execute(query.where(MATCH.c.id.in_(some))).all()
                names = _names(connection, rows)
            read = {row.id: row for row in rows}
            for match in some:
                if match in read:
                    yield self._record(read[match], names)
                else:
                    yield no_match(self._db, match)

    def rows(self, matches: Sequence[int]) -> Iterator[MatchRow]:
        """Yield the matches of these numbers, in their order; raise `UnknownRowError` for none."""
        for begin in range(0, len(matches), ROWS_AT_ONCE):
            some = matches[begin : begin + ROWS_AT_ONCE]
            with self._db.reading() as connection:
                query = _match_query().where(MATCH.c.id.in_(some))
                rows = {row.id: row for row in self._rows(connection, query)}
            for match in some:
                if match not in rows:
                    raise no_match(self._db, match)
                yield rows[match]

    def neighbours(self, match: MatchRow) -> Neighbours:
        """Return the matches before and after one in its tournament's schedule."""
        place = tuple_(MATCH.c.encounter, MATCH.c.rotation)
        here = tuple_(match.key.encounter, match.key.rotation)
        own = select(MATCH.c.id).where(MATCH.c.tournament_id == match.tournament_id).limit(1)
        backwards = (MATCH.c.encounter.desc(), MATCH.c.rotation.desc())
        together = (MATCH.c.tournament_id == match.tournament_id) & (
            MATCH.c.encounter == match.key.encounter
        )
        query = _match_query().where(together).order_by(MATCH.c.rotation)
        with self._db.reading() as connection:
            return Neighbours(
                connection.scalar(own.where(place < here).order_by(*backwards)),
                connection.scalar(
                    own.where(place > here).order_by(MATCH.c.encounter, MATCH.c.rotation)
                ),
                self._rows(connection, query),
            )

    def numbers(self, tournament: int | None = None, *, after: int = 0) -> tuple[int, ...]:
        """List the numbers of all matches, or of a tournament's, above `after`."""
        query = select(MATCH.c.id).where(MATCH.c.id > after).order_by(MATCH.c.id)
        if tournament is not None:
            query = query.where(MATCH.c.tournament_id == tournament)
        with self._db.reading() as connection:
            return tuple(connection.execute(query).scalars())

    def options(self, match: int) -> tuple[dict[str, str], ...]:
        """Return the options by seat with which a match was played, () as registered."""
        query = select(ENCOUNTER.c.options, MATCH.c.rotation).join(ENCOUNTER, _PLANNED)
        with self._db.reading() as connection:
            row = connection.execute(query.where(MATCH.c.id == match)).first()
        return tuple(map(dict, _by_seat(*row))) if row else ()

    def records_of(
        self, game: str, versions: Sequence[int]
    ) -> Iterator[tuple[int, TournamentConfig, MatchRecord, tuple[EntrantOptions, ...]]]:
        """Yield the matches of a game with this seating: tournament, config, record, options.

        The options are by seat, () if all played as they are registered.
        """
        query = (
            select(
                MATCH.c.id,
                MATCH.c.tournament_id,
                TOURNAMENT.c.config,
                RECORD.c.data,
                RECORD.c.moves,
                MATCH.c.rotation,
                ENCOUNTER.c.options,
            )
            .join(LINEUP, LINEUP.c.id == MATCH.c.lineup_id)
            .join(TOURNAMENT, TOURNAMENT.c.id == MATCH.c.tournament_id)
            .join(RECORD, RECORD.c.match_id == MATCH.c.id)
            .outerjoin(ENCOUNTER, _PLANNED)
            .where(TOURNAMENT.c.game == game, LINEUP.c.versions == encode_seating(versions))
            .order_by(MATCH.c.id)
        )
        with self._db.reading() as connection:
            for row in connection.execute(query):
                try:
                    record = decode_record(row.data, row.moves)
                    options = _by_seat(row.options, row.rotation)
                    yield row.tournament_id, decode_config(row.config), record, options
                except (KeyError, TypeError, ValueError, OptionError) as error:
                    raise DatabaseError(f"match {row.id}: {error}", self._db.target) from None

    def _rows(self, connection: Connection, query: Any) -> tuple[MatchRow, ...]:
        rows = connection.execute(query).all()
        names = _names(connection, rows)
        return tuple(self._row(row, names) for row in rows)

    def _row(self, row: Any, names: dict[int, BotRef]) -> MatchRow:
        try:
            return _match_row(row, names)
        except (KeyError, ValueError) as error:
            text = f"match {row.id} has a damaged row ({error}): see 'league db verify'"
            raise DatabaseError(text, self._db.target) from None

    def _record(
        self, row: Any, names: dict[int, BotRef]
    ) -> tuple[MatchRow, MatchRecord] | DatabaseError:
        try:
            return self._row(row, names), decode_record(row.data, row.moves)
        except DatabaseError as error:
            return error
        except ValueError as error:
            return DatabaseError(f"match {row.id}: {error}", self._db.target)


_PLANNED = (ENCOUNTER.c.tournament_id == MATCH.c.tournament_id) & (
    ENCOUNTER.c.number == MATCH.c.encounter
)


def _by_seat(text: str | None, rotation: int) -> tuple[EntrantOptions, ...]:
    options = decode_options(text)
    return options[rotation:] + options[:rotation]


class MatchTable(MatchReader):
    """Storage of matches."""

    def save(self, tournament: int, batch: Sequence[tuple[MatchKey, MatchRecord]]) -> int:
        """Store finished matches as `save_packed` does."""
        return self.save_packed(tournament, [(key, PackedMatch.of(match)) for key, match in batch])

    def save_packed(self, tournament: int, batch: Batch) -> int:
        """Store finished matches in one transaction and return how many were new.

        A match already stored stays as it is, so saving twice counts once.
        """
        packed = dict(batch)
        saves = update(TOURNAMENT).where(TOURNAMENT.c.id == tournament)
        with self._db.writing() as connection:
            # First, so that two that save matches of one tournament take turns, not a deadlock.
            connection.execute(saves.values(saves=TOURNAMENT.c.saves + 1))
            lineups = self._lineups(connection, tournament, batch)
            ends = {key: _end_of(match, lineups) for key, match in packed.items()}
            new = self._insert(connection, tournament, packed, ends)
            totals = Counter(ends[key] for _, key in new)
            self._db.insert_rows(
                connection,
                self._db.insert_or_add(LINEUP_TOTAL, "matches"),
                (*_END, "matches"),
                [
                    tuple(NO_FAULT if each is None else each for each in (*end, count))
                    for end, count in totals.items()
                ],
            )
            self._db.insert_rows(
                connection,
                insert(RECORD),
                ("match_id", "data", "moves"),
                [(number, packed[key].data, packed[key].notation) for number, key in new],
            )
        return len(new)

    def _insert(
        self,
        connection: Connection,
        tournament: int,
        packed: Mapping[MatchKey, PackedMatch],
        ends: Mapping[MatchKey, _End],
    ) -> list[tuple[int, MatchKey]]:
        """Insert matches that are not stored; return their numbers and keys."""
        before = newest_number(connection)
        at = now()
        rows = [
            (
                *(number, tournament, *key, *ends[key]),
                match.utilities and encode_scores(match.utilities),
                match.stand_ins and encode_seating(match.stand_ins),
                *(match.plies, match.wall_ms, at, match.machine, match.time_factor),
            )
            for number, (key, match) in enumerate(packed.items(), before + 1)
        ]
        # By itself SQLite gives the numbers of void matches again. A server gives one to a row of
        # each transaction in turn.
        skipped = 0 if self._db.is_file else 1
        self._db.insert_rows(
            connection,
            self._db.insert_new(MATCH),
            _ROW[skipped:],
            [row[skipped:] for row in rows] if skipped else rows,
        )
        added = select(MATCH.c.id, MATCH.c.encounter, MATCH.c.rotation).where(
            # The sum keeps SQLite from looking at all the tournament's matches.
            MATCH.c.tournament_id + 0 == tournament,
            MATCH.c.id > before,
        )
        found = connection.execute(added).cursor.fetchall()
        return [(number, MatchKey(encounter, rotation)) for number, encounter, rotation in found]

    def _lineups(self, connection: Connection, tournament: int, batch: Batch) -> dict[str, int]:
        """Return the lineup id of each seating in the batch, adding new lineups."""
        seatings = {encode_seating(match.versions): match.versions for _, match in batch}
        query = select(LINEUP.c.versions, LINEUP.c.id).where(
            tuple_(LINEUP.c.tournament_id, LINEUP.c.versions).in_(
                [(tournament, seating) for seating in seatings]
            )
        )
        known = {row.versions: row.id for row in connection.execute(query)}
        missing = [seating for seating in seatings if seating not in known]
        if missing:
            rows = [{"tournament_id": tournament, "versions": seating} for seating in missing]
            connection.execute(self._db.insert_new(LINEUP), rows)
            known = {row.versions: row.id for row in connection.execute(query)}
            seats = [
                {"lineup_id": known[seating], "seat": seat, "version_id": version}
                for seating in missing
                for seat, version in enumerate(seatings[seating])
            ]
            connection.execute(self._db.insert_new(LINEUP_SEAT), seats)
        return known


def _end_of(match: PackedMatch, lineups: Mapping[str, int]) -> _End:
    return (
        lineups[encode_seating(match.versions)],
        encode_scores(match.scores),
        match.termination.value,
        match.fault_seat,
        match.repeat.value,
    )


def _match_query() -> Any:
    return (
        select(MATCH, LINEUP.c.versions, TOURNAMENT.c.game)
        .join(LINEUP, LINEUP.c.id == MATCH.c.lineup_id)
        .join(TOURNAMENT, TOURNAMENT.c.id == MATCH.c.tournament_id)
    )


def _counted_encounters(tournament: int) -> Any:
    """Return the query for a tournament's encounters, to be chosen by their number of matches."""
    query = select(MATCH.c.encounter).where(MATCH.c.tournament_id == tournament)
    return query.group_by(MATCH.c.encounter)


def _names(connection: Connection, rows: Sequence[Any]) -> dict[int, BotRef]:
    """Return the versions in the lineups of rows, by id."""
    ids = {version for text in {row.versions for row in rows} for version in decode_seating(text)}
    query = select(VERSION.c.id, VERSION.c.number, BOT.c.name).join(
        BOT, BOT.c.id == VERSION.c.bot_id
    )
    found = connection.execute(query.where(VERSION.c.id.in_(ids)))
    return {row.id: BotRef(row.id, row.name, row.number) for row in found}


def _match_row(row: Any, names: dict[int, BotRef]) -> MatchRow:
    return MatchRow(
        id=row.id,
        tournament_id=row.tournament_id,
        key=MatchKey(row.encounter, row.rotation),
        game=row.game,
        versions=tuple(names[version] for version in decode_seating(row.versions)),
        scores=decode_scores(row.scores),
        termination=Termination(row.termination),
        fault_seat=row.fault_seat,
        utilities=None if row.utilities is None else decode_scores(row.utilities),
        stand_ins=None if row.stand_ins is None else decode_seating(row.stand_ins),
        plies=row.plies,
        wall_ms=row.wall_ms,
        finished_at=row.finished_at,
        machine=row.machine,
        time_factor=row.time_factor,
    )
