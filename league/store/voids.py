"""Void matches: they are kept, and count for nothing."""

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, NamedTuple, Unpack

from sqlalchemy import (
    ColumnElement,
    Connection,
    delete,
    exists,
    func,
    insert,
    literal,
    select,
    tuple_,
    update,
)

from league.model.clock import now
from league.model.errors import UnknownRowError
from league.model.records import MatchKey, Repeat
from league.store.database import Database, Queries
from league.store.match_filter import MatchFilter, is_wanted
from league.store.rows import TournamentState, VoidedMatch, VoidRow
from league.store.seating_codec import decode_scores
from league.store.tables import (
    CONDUCT,
    ENCOUNTER,
    LINEUP,
    LINEUP_SEAT,
    LINEUP_TOTAL,
    LLM_CALL,
    MATCH,
    RATING_SNAPSHOT,
    RECORD,
    TOURNAMENT,
    VOID,
    VOID_MATCH,
)
from league.store.totals import counted_totals

ASKED_MAX = 500
"""The most numbers in a query: databases limit it."""

_KEPT = (
    "tournament_id",
    "encounter",
    "rotation",
    "scores",
    "termination",
    "utilities",
    "stand_ins",
    "fault_seat",
    "plies",
    "wall_ms",
    "finished_at",
    "repeat",
    "machine",
    "time_factor",
)
"""The columns that a void match has as it had them."""


class MatchToVoid(NamedTuple):
    """A match to void, with its place."""

    id: int
    tournament: int
    encounter: int


class VoidReader(Queries):
    """The void matches, as numbers."""

    def newest(self, tournament: int | None = None) -> int:
        """Return the number of the newest void, also of a tournament's matches; 0 for none."""
        query = select(func.coalesce(func.max(VOID.c.id), 0))
        if tournament is not None:
            own = VOID_MATCH.c.tournament_id == tournament
            query = select(func.coalesce(func.max(VOID_MATCH.c.void_id), 0)).where(own)
        with self._db.reading() as connection:
            found: int = connection.execute(query).scalar_one()
        return found

    def of_tournament(self, tournament: int) -> list[VoidedMatch]:
        """Return the void matches of a tournament, in the order of the voids."""
        kept = VOID_MATCH.c
        query = (
            select(
                kept.void_id,
                kept.last_stage,
                kept.encounter,
                kept.rotation,
                kept.scores,
                kept.repeat,
                kept.wall_ms,
            )
            .where(kept.tournament_id == tournament)
            .order_by(kept.void_id, kept.encounter, kept.rotation)
        )
        with self._db.reading() as connection:
            return [
                VoidedMatch(
                    void=row.void_id,
                    last_stage=row.last_stage,
                    key=MatchKey(row.encounter, row.rotation),
                    scores=decode_scores(row.scores),
                    repeat=row.repeat,
                    wall_s=row.wall_ms / 1e3,
                )
                for row in connection.execute(query)
            ]


class VoidTable(VoidReader):
    """Storage of void matches."""

    def chosen(self, **wanted: Unpack[MatchFilter]) -> tuple[int, ...]:
        """List the numbers of all matches that a filter chooses."""
        query = select(MATCH.c.id).where(is_wanted(wanted, self._db.dialect))
        with self._db.reading() as connection:
            return tuple(connection.execute(query.order_by(MATCH.c.id)).scalars())

    def whole(self, matches: Collection[int]) -> tuple[MatchToVoid, ...]:
        """Return all matches that are void if these are, by number.

        These are the matches of their encounters, and those that repeat one of them or that one of
        them repeats: they are the same match.
        """
        found: dict[int, MatchToVoid] = {}
        with self._db.reading() as connection:
            copies = _copies(connection)
            asked = set(matches)
            while asked:
                new = {each.id: each for each in _of_encounters(connection, asked)}
                found |= new
                asked = {copy for match in new for copy in copies(match)} - found.keys()
        return tuple(found[number] for number in sorted(found))

    def add(self, matches: Collection[int], reason: str) -> int:
        """Take matches out of all that counts, with the reason; return the number of the void.

        Nobody may run their tournaments meanwhile. The caller gives what `void_with` returns. Their
        tournaments are open again, unless they were cancelled. A match that is not there is left
        out.
        """
        with self._db.writing() as connection:
            number: int = connection.execute(
                insert(VOID).values(at=now(), reason=reason).returning(VOID.c.id)
            ).scalar_one()
            for some in _parts(matches):
                self._add_some(connection, number, some)
        return number

    def _add_some(self, connection: Connection, number: int, matches: Sequence[int]) -> None:
        chosen = MATCH.c.id.in_(matches)
        rows = connection.execute(
            select(MATCH.c.tournament_id, MATCH.c.lineup_id).where(chosen).distinct()
        ).all()
        tournaments = sorted({row.tournament_id for row in rows})
        lineups = sorted({row.lineup_id for row in rows})
        # First, so that it takes turns with whoever plans or changes these tournaments.
        _reopen(connection, tournaments)
        last_stage = (
            select(func.coalesce(func.max(ENCOUNTER.c.stage), -1))
            .where(ENCOUNTER.c.tournament_id == MATCH.c.tournament_id)
            .scalar_subquery()
        )
        columns = {
            "id": MATCH.c.id,
            "void_id": literal(number),
            "last_stage": last_stage,
            "versions": LINEUP.c.versions,
            "data": RECORD.c.data,
            "moves": RECORD.c.moves,
            **{name: MATCH.c[name] for name in _KEPT},
        }
        taken = select(*(value.label(name) for name, value in columns.items()))
        taken = taken.join_from(MATCH, LINEUP, LINEUP.c.id == MATCH.c.lineup_id)
        taken = taken.join(RECORD, RECORD.c.match_id == MATCH.c.id).where(chosen)
        connection.execute(insert(VOID_MATCH).from_select(list(columns), taken))
        _drop_snapshots(connection, chosen)
        seated = select(LINEUP_SEAT.c.version_id).where(LINEUP_SEAT.c.lineup_id.in_(lineups))
        connection.execute(
            # The bug may have made these bots fail, too.
            delete(CONDUCT).where(
                CONDUCT.c.tournament_id.in_(tournaments), CONDUCT.c.version_id.in_(seated)
            )
        )
        _void_calls(connection, chosen)
        connection.execute(delete(MATCH).where(chosen))
        _count_again(connection, lineups)

    def all(self, limit: int = 50) -> tuple[VoidRow, ...]:
        """List the voids, newest first."""
        query = (
            select(
                VOID,
                func.count(VOID_MATCH.c.id).label("matches"),
                func.min(VOID_MATCH.c.id).label("first"),
                func.max(VOID_MATCH.c.id).label("last"),
            )
            .join(VOID_MATCH, VOID_MATCH.c.void_id == VOID.c.id)
            .group_by(VOID.c.id)
            .order_by(VOID.c.id.desc())
            .limit(limit)
        )
        with self._db.reading() as connection:
            return tuple(VoidRow(*row) for row in connection.execute(query))

    def is_void(self, tournament: int, key: MatchKey, data: bytes) -> bool:
        """Whether a match with this record is void."""
        kept = VOID_MATCH.c
        query = select(kept.id).where(
            kept.tournament_id == tournament,
            kept.encounter == key.encounter,
            kept.rotation == key.rotation,
            kept.data == data,
        )
        with self._db.reading() as connection:
            return connection.execute(query).first() is not None


def no_match(db: Database, match: int) -> UnknownRowError:
    """Return the error that there is no match of that number, and why it is void."""
    kept = VOID_MATCH.c
    query = (
        select(VOID.c.at, VOID.c.reason, MATCH.c.id)
        .join(VOID_MATCH, kept.void_id == VOID.c.id)
        .outerjoin(
            MATCH,
            (MATCH.c.tournament_id == kept.tournament_id)
            & (MATCH.c.encounter == kept.encounter)
            & (MATCH.c.rotation == kept.rotation),
        )
        .where(kept.id == match)
    )
    with db.reading() as connection:
        row = connection.execute(query).first()
    if row is None:
        text = f"no match {match}: 'league matches' lists those there are"
    else:
        again = "" if row.id is None else f"; match {row.id} was played in its place"
        at = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(row.at))
        text = f"match {match} is void since {at}: {row.reason}{again}"
    return UnknownRowError(text, "match", match)


def newest_number(connection: Connection) -> int:
    """Return the highest number that a match has or had before it was void, 0 for none."""
    newest = (select(func.max(each.c.id)) for each in (MATCH, VOID_MATCH))
    return max(connection.scalar(each) or 0 for each in newest)


def _parts(matches: Collection[int]) -> Iterator[Sequence[int]]:
    numbers = sorted(matches)
    for begin in range(0, len(numbers), ASKED_MAX):
        yield numbers[begin : begin + ASKED_MAX]


def _of_encounters(connection: Connection, matches: Collection[int]) -> list[MatchToVoid]:
    """Return all matches of the encounters of these."""
    one, other = MATCH.alias(), MATCH.alias()
    query = (
        select(other.c.id, other.c.tournament_id, other.c.encounter)
        .join_from(
            one,
            other,
            (other.c.tournament_id == one.c.tournament_id) & (other.c.encounter == one.c.encounter),
        )
        .distinct()
    )
    return [
        MatchToVoid(*row)
        for some in _parts(matches)
        for row in connection.execute(query.where(one.c.id.in_(some)))
    ]


def _copies(connection: Connection) -> Callable[[int], Collection[int]]:
    """Return what tells the matches that are the same as one, for seatings with repeats."""
    repeated = LINEUP_TOTAL.c.repeat != Repeat.NOTHING
    seatings = (
        select(TOURNAMENT.c.game, LINEUP.c.versions)
        .join(LINEUP, LINEUP.c.tournament_id == TOURNAMENT.c.id)
        .join(LINEUP_TOTAL, LINEUP_TOTAL.c.lineup_id == LINEUP.c.id)
        .where(repeated)
    )
    query = (
        select(MATCH.c.id, MATCH.c.repeat, TOURNAMENT.c.game, LINEUP.c.versions, RECORD.c.moves)
        .join(LINEUP, LINEUP.c.id == MATCH.c.lineup_id)
        .join(TOURNAMENT, TOURNAMENT.c.id == MATCH.c.tournament_id)
        .join(RECORD, RECORD.c.match_id == MATCH.c.id)
        .where(tuple_(TOURNAMENT.c.game, LINEUP.c.versions).in_(seatings))
    )
    lines: dict[int, tuple[Any, ...]] = {}
    same: dict[tuple[Any, ...], list[tuple[int, bool]]] = {}
    for id, repeat, *line in connection.execute(query):
        lines[id] = place = tuple(line)
        same.setdefault(place, []).append((id, repeat != Repeat.NOTHING))

    def copies(match: int) -> Collection[int]:
        alike = same.get(lines.get(match, ()), [])
        is_copy = (match, True) in alike
        return [each for each, is_other in alike if is_copy or is_other]

    return copies


def _reopen(connection: Connection, tournaments: Sequence[int]) -> None:
    chosen = TOURNAMENT.c.id.in_(tournaments)
    connection.execute(
        update(TOURNAMENT)
        .where(chosen)
        .values(revision=TOURNAMENT.c.revision + 1, saves=TOURNAMENT.c.saves + 1)
    )
    is_finished = TOURNAMENT.c.state == str(TournamentState.FINISHED)
    connection.execute(
        update(TOURNAMENT).where(chosen, is_finished).values(state=str(TournamentState.OPEN))
    )


def _drop_snapshots(connection: Connection, chosen: ColumnElement[bool]) -> None:
    """Drop the snapshots of ratings that were made with these matches."""
    first = (
        select(
            TOURNAMENT.c.game, MATCH.c.tournament_id, func.min(MATCH.c.encounter).label("encounter")
        )
        .join(TOURNAMENT, TOURNAMENT.c.id == MATCH.c.tournament_id)
        .where(chosen)
        .group_by(TOURNAMENT.c.game, MATCH.c.tournament_id)
    )
    made = RATING_SNAPSHOT.c
    for row in connection.execute(first).all():
        is_later = tuple_(made.tournament_id, made.encounter) >= (row.tournament_id, row.encounter)
        connection.execute(delete(RATING_SNAPSHOT).where(made.game == row.game, is_later))


def _void_calls(connection: Connection, chosen: ColumnElement[bool]) -> None:
    """Let no call of the chosen matches answer one of those that are played for them."""
    call, match = LLM_CALL.c, MATCH.c
    is_theirs = (
        exists()
        .where(
            match.tournament_id == call.tournament_id,
            match.encounter == call.encounter,
            match.rotation == call.rotation,
            chosen,
        )
        .correlate(LLM_CALL)
    )
    connection.execute(update(LLM_CALL).where(is_theirs).values(is_void=1))


def _count_again(connection: Connection, lineups: Sequence[int]) -> None:
    """Count the totals of some seatings again; one that has no match any more goes."""
    connection.execute(delete(LINEUP_TOTAL).where(LINEUP_TOTAL.c.lineup_id.in_(lineups)))
    counted = counted_totals().where(MATCH.c.lineup_id.in_(lineups))
    connection.execute(insert(LINEUP_TOTAL).from_select(list(LINEUP_TOTAL.c), counted))
    left = select(MATCH.c.lineup_id).where(MATCH.c.lineup_id == LINEUP.c.id).exists()
    connection.execute(delete(LINEUP).where(LINEUP.c.id.in_(lineups), ~left))
