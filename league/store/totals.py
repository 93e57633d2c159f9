"""Totals of matches, and results in rating order."""

from collections import defaultdict
from collections.abc import Collection, Iterator
from typing import Any

from sqlalchemy import Select, delete, func, insert, select, tuple_, update

from league.model.errors import DatabaseError
from league.model.records import Repeat, Termination
from league.store.database import Queries
from league.store.rows import (
    Activity,
    Counted,
    Ending,
    Extent,
    Place,
    Played,
    Total,
    TotalColumns,
)
from league.store.seating_codec import decode_scores, decode_seating
from league.store.tables import LINEUP, LINEUP_SEAT, LINEUP_TOTAL, MATCH, NO_FAULT, TOURNAMENT

FETCHED = 10_000
"""Number of results to fetch at once."""

_PLACE = (MATCH.c.tournament_id, MATCH.c.encounter, MATCH.c.rotation)


class TotalReader(Queries):
    """The totals of seatings."""

    def all(self, *, game: str | None = None, tournament: int | None = None) -> list[Total]:
        """Count matches by seating and ending, in a game or a tournament."""
        found = self.columns(game=game, tournament=tournament)
        counted = zip(found.of_seating, found.of_ending, found.counts, strict=True)
        return [
            Total(
                versions=found.seatings[seating],
                scores=found.endings[ending].scores,
                termination=found.endings[ending].termination,
                fault_seat=found.endings[ending].fault_seat,
                count=count,
            )
            for seating, ending, count in counted
        ]

    def columns(
        self,
        *,
        game: str | None = None,
        tournament: int | Collection[int] | None = None,
        since: int = 0,
        repeated: Repeat | None = None,
    ) -> TotalColumns:
        """Count matches by seating and ending, as columns.

        Those since a time, in seconds since 1970, are counted one by one: that is slower. Matches
        with a repeat beyond `repeated` are not distinct, by default those that repeat another of
        these.
        """
        if repeated is None:
            repeated = furthest_repeat(tournament is not None or since > 0)
        lineups = _chosen(select(LINEUP.c.id, LINEUP.c.versions), LINEUP, game, tournament)
        counted = select(LINEUP_TOTAL).where(
            LINEUP_TOTAL.c.lineup_id.in_(_chosen(select(LINEUP.c.id), LINEUP, game, tournament))
        )
        if since:
            counted = _chosen(counted_totals(), MATCH, game, tournament)
            counted = counted.where(MATCH.c.finished_at >= since)
        with self._db.reading() as connection:
            # Raw rows of the driver, for speed: there may be some 100,000.
            written = dict(connection.execute(lineups).cursor.fetchall())
            rows = connection.execute(counted).cursor.fetchall()
        if since:
            met = {row[0] for row in rows}
            written = {id: text for id, text in written.items() if id in met}
        # The same seating recurs in several tournaments, and an ending many times.
        seatings = {text: number for number, text in enumerate(dict.fromkeys(written.values()))}
        of_lineup = {id: seatings[text] for id, text in written.items()}
        ids, *kinds, repeats, counts = zip(*rows, strict=True) if rows else [()] * 6
        ended = list(zip(*kinds, strict=True))
        endings = {kind: number for number, kind in enumerate(dict.fromkeys(ended))}
        try:
            return TotalColumns(
                seatings=tuple(map(decode_seating, seatings)),
                endings=tuple(
                    Ending(
                        decode_scores(scores),
                        Termination(termination),
                        None if fault_seat == NO_FAULT else fault_seat,
                    )
                    for scores, termination, fault_seat in endings
                ),
                of_seating=[of_lineup[id] for id in ids],
                of_ending=[endings[kind] for kind in ended],
                counts=counts,
                distinct=[
                    count if repeat <= repeated else 0
                    for count, repeat in zip(counts, repeats, strict=True)
                ],
            )
        except (KeyError, ValueError) as error:
            text = f"a match has a damaged row ({error}): see 'league db verify'"
            raise DatabaseError(text, self._db.target) from None

    def counted(self, game: str, tournament: int | None = None) -> dict[int, Counted]:
        """Count the matches and the forfeits of each version in a game, or a tournament of it."""
        chosen = _chosen(select(LINEUP.c.id), LINEUP, game, tournament)
        total = select(LINEUP_TOTAL.c.lineup_id, func.sum(LINEUP_TOTAL.c.matches).label("matches"))
        total = total.where(LINEUP_TOTAL.c.lineup_id.in_(chosen)).group_by(LINEUP_TOTAL.c.lineup_id)
        # Summed by lineup before seats double the rows.
        of_lineup = total.subquery()
        version = LINEUP_SEAT.c.version_id
        played = (
            select(version, func.sum(of_lineup.c.matches))
            .join(of_lineup, of_lineup.c.lineup_id == LINEUP_SEAT.c.lineup_id)
            .group_by(version)
        )
        lost = (
            select(version, LINEUP_TOTAL.c.termination, func.sum(LINEUP_TOTAL.c.matches))
            .join(LINEUP_TOTAL, LINEUP_TOTAL.c.lineup_id == LINEUP_SEAT.c.lineup_id)
            .where(LINEUP_TOTAL.c.lineup_id.in_(chosen))
            .where(LINEUP_TOTAL.c.fault_seat == LINEUP_SEAT.c.seat)
            .where(LINEUP_TOTAL.c.termination.in_([each for each in Termination if each.is_fault]))
            .group_by(version, LINEUP_TOTAL.c.termination)
        )
        forfeits: defaultdict[int, dict[Termination, int]] = defaultdict(dict)
        with self._db.reading() as connection:
            for loser, termination, count in connection.execute(lost):
                forfeits[loser][Termination(termination)] = int(count)
            rows = connection.execute(played)
            return {one: Counted(int(count), forfeits[one]) for one, count in rows}

    def activity(self) -> list[Activity]:
        """Return what each lineup has played; fast, as it reads no match but the newest of each."""
        counted = (
            select(LINEUP_TOTAL.c.lineup_id, func.sum(LINEUP_TOTAL.c.matches).label("matches"))
            .group_by(LINEUP_TOTAL.c.lineup_id)
            .subquery()
        )
        own = MATCH.alias()
        newest = select(func.max(own.c.id)).where(own.c.lineup_id == LINEUP.c.id)
        query = (
            select(TOURNAMENT.c.game, LINEUP.c.versions, counted.c.matches, MATCH.c.finished_at)
            .join(counted, counted.c.lineup_id == LINEUP.c.id)
            .join(TOURNAMENT, TOURNAMENT.c.id == LINEUP.c.tournament_id)
            .where(TOURNAMENT.c.is_rated == 1)
            .join(MATCH, MATCH.c.id == newest.correlate(LINEUP).scalar_subquery())
        )
        with self._db.reading() as connection:
            return [
                Activity(game, decode_seating(versions), int(matches), finished_at)
                for game, versions, matches, finished_at in connection.execute(query)
            ]

    def results(
        self,
        *,
        game: str | None = None,
        tournament: int | None = None,
        after: Place | None = None,
    ) -> Iterator[Played]:
        """Yield every match in schedule order, or only those placed after `after`.

        That order does not depend on the number of workers or on interruptions.
        """
        query = _chosen(
            select(
                MATCH.c.id,
                *_PLACE,
                LINEUP.c.versions,
                MATCH.c.scores,
                MATCH.c.finished_at,
                MATCH.c.repeat,
            ).join(LINEUP, LINEUP.c.id == MATCH.c.lineup_id),
            MATCH,
            game,
            tournament,
        ).order_by(*_PLACE)
        if after is not None:
            query = query.where(tuple_(*_PLACE) > tuple(after))
        seatings: dict[str, tuple[int, ...]] = {}
        scored: dict[str, tuple[float, ...]] = {}
        with self._db.reading() as connection:
            found = connection.execute(query, execution_options={"yield_per": FETCHED})
            for id, *place, versions, scores, finished_at, repeat in found:
                if versions not in seatings:
                    seatings[versions] = decode_seating(versions)
                if scores not in scored:
                    scored[scores] = decode_scores(scores)
                # Positional: keywords take twice as long, and there may be a million rows.
                yield Played(
                    id, Place(*place), seatings[versions], scored[scores], finished_at, repeat
                )

    def count_until(self, game: str, place: Place) -> int:
        """Count the matches of a game up to and including that place."""
        query = _chosen(select(func.count()).select_from(MATCH), MATCH, game, None)
        with self._db.reading() as connection:
            found = connection.execute(query.where(tuple_(*_PLACE) <= tuple(place)))
            return int(found.scalar_one())

    def extents(self, game: str) -> list[Extent]:
        """Return the progress of each tournament of a game that has matches, by number."""
        newest = _chosen(
            select(
                MATCH.c.tournament_id,
                func.count().label("matches"),
                func.max(MATCH.c.id).label("newest"),
            ).group_by(MATCH.c.tournament_id),
            MATCH,
            game,
            None,
        ).subquery()
        query = (
            select(newest, MATCH.c.finished_at)
            .join(MATCH, MATCH.c.id == newest.c.newest)
            .order_by(newest.c.tournament_id)
        )
        with self._db.reading() as connection:
            return [
                Extent(
                    tournament=row.tournament_id,
                    matches=row.matches,
                    newest=row.newest,
                    finished_at=row.finished_at,
                )
                for row in connection.execute(query)
            ]

    def games_played(self) -> tuple[str, ...]:
        """List the games that have matches."""
        query = (
            select(TOURNAMENT.c.game)
            .where(select(MATCH.c.id).where(MATCH.c.tournament_id == TOURNAMENT.c.id).exists())
            .distinct()
            .order_by(TOURNAMENT.c.game)
        )
        with self._db.reading() as connection:
            return tuple(connection.execute(query).scalars())


class TotalTable(TotalReader):
    """Storage of totals."""

    def recount(self) -> None:
        """Recount all totals from the matches."""
        with self._db.writing() as connection:
            connection.execute(update(TOURNAMENT).values(saves=TOURNAMENT.c.saves + 1))
            connection.execute(delete(LINEUP_TOTAL))
            counted = counted_totals()
            connection.execute(insert(LINEUP_TOTAL).from_select(list(LINEUP_TOTAL.c), counted))

    def wrong(self, tournament: int) -> int:
        """Count the totals of a tournament that disagree with its matches."""
        lineups = select(LINEUP.c.id).where(LINEUP.c.tournament_id == tournament)
        kept = select(LINEUP_TOTAL).where(LINEUP_TOTAL.c.lineup_id.in_(lineups))
        counted = counted_totals().where(MATCH.c.tournament_id == tournament)
        with self._db.reading() as connection:
            rows = [{tuple(row) for row in connection.execute(each)} for each in (kept, counted)]
        return len(rows[0] ^ rows[1])


def furthest_repeat(is_part: bool) -> Repeat:
    """Return the furthest repeat of a distinct match: in a whole league it repeats nothing."""
    return Repeat.OF_LEAGUE if is_part else Repeat.NOTHING


def counted_totals() -> Any:
    """Return the query that counts matches by seating and ending, in the columns of totals."""
    keys = (MATCH.c.lineup_id, MATCH.c.scores, MATCH.c.termination)
    kinds = (*keys, MATCH.c.fault_seat, MATCH.c.repeat)
    fault_seat = func.coalesce(MATCH.c.fault_seat, NO_FAULT)
    return select(*keys, fault_seat, MATCH.c.repeat, func.count()).group_by(*kinds)


def tournaments_of(game: str, tournament: int | Collection[int] | None = None) -> Select[Any]:
    """Return the query for the tournaments of a game, only rated ones if none is named."""
    query = select(TOURNAMENT.c.id).where(TOURNAMENT.c.game == game)
    return query.where(TOURNAMENT.c.is_rated == 1) if tournament is None else query


def _chosen(
    query: Any, table: Any, game: str | None, tournament: int | Collection[int] | None
) -> Any:
    if isinstance(tournament, int):
        query = query.where(table.c.tournament_id == tournament)
    elif tournament is not None:
        query = query.where(table.c.tournament_id.in_(tournament))
    if game is not None:
        query = query.where(table.c.tournament_id.in_(tournaments_of(game, tournament)))
    return query
