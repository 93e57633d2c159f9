"""Snapshots of ratings."""

import json
import zlib
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from sqlalchemy import delete, func, insert, select

from league.model.errors import DatabaseError
from league.store.database import Queries
from league.store.rows import Place, PoolExtent, RatingSnapshot, Series, VersionRating
from league.store.tables import RATING_SNAPSHOT, VOID

_PLACE = (
    RATING_SNAPSHOT.c.tournament_id,
    RATING_SNAPSHOT.c.encounter,
    RATING_SNAPSHOT.c.rotation,
)


class SnapshotReader(Queries):
    """The snapshots of ratings, all of which can be recomputed from the matches."""

    def marks(self, series: Series) -> list[PoolExtent]:
        """List the snapshots of a series, ordered by their number of matches."""
        query = _of(select(RATING_SNAPSHOT.c.id, *_PLACE, RATING_SNAPSHOT.c.matches), series)
        with self._db.reading() as connection:
            return [
                PoolExtent(id, Place(*place), matches)
                for id, *place, matches in connection.execute(
                    query.order_by(RATING_SNAPSHOT.c.matches)
                )
            ]

    def get(self, mark: PoolExtent) -> RatingSnapshot:
        """Return one snapshot in full."""
        query = select(RATING_SNAPSHOT).where(RATING_SNAPSHOT.c.id == mark.id)
        with self._db.reading() as connection:
            return self._snapshot(connection.execute(query).one())

    def all(self, series: Series) -> Iterator[RatingSnapshot]:
        """Yield the snapshots of a series, ordered by their number of matches."""
        query = _of(select(RATING_SNAPSHOT), series).order_by(RATING_SNAPSHOT.c.matches)
        with self._db.reading() as connection:
            for row in connection.execute(query):
                yield self._snapshot(row)

    def _snapshot(self, row: Any) -> RatingSnapshot:
        try:
            ratings = json.loads(zlib.decompress(row.ratings))
            return RatingSnapshot(
                place=Place(row.tournament_id, row.encounter, row.rotation),
                matches=row.matches,
                match=row.match_id,
                finished_at=row.finished_at,
                ratings=tuple(
                    VersionRating(version=version, value=value, error=error, matches=matches)
                    for version, value, error, matches in ratings
                ),
                covariance=zlib.decompress(row.covariance),
                state=zlib.decompress(row.state).decode(),
            )
        except (TypeError, ValueError, zlib.error) as error:
            text = f"a snapshot of ratings is damaged ({error}): see 'league ratings recompute'"
            raise DatabaseError(text, self._db.target) from None


class SnapshotTable(SnapshotReader):
    """Storage of snapshots."""

    def save(
        self, series: Series, kept: Collection[int], snapshots: Sequence[RatingSnapshot], void: int
    ) -> None:
        """Keep only the snapshots of a series with ids in `kept`, and add new ones.

        `void` is the number of the newest void before their matches were read: if there is another
        one by now, they may have been made with void matches, and nothing changes.
        """
        values = [_values(series, each) for each in snapshots]
        known = _of(select(RATING_SNAPSHOT.c.id), series)
        newest = select(func.coalesce(func.max(VOID.c.id), 0))
        with self._db.writing() as connection:
            if connection.execute(newest).scalar_one() != void:
                return
            gone = set(connection.execute(known).scalars()) - set(kept)
            for id in sorted(gone):
                connection.execute(delete(RATING_SNAPSHOT).where(RATING_SNAPSHOT.c.id == id))
            if values:
                connection.execute(insert(RATING_SNAPSHOT), values)

    def drop(self, game: str | None = None) -> int:
        """Delete the snapshots of a game, or all, and return how many there were."""
        query = delete(RATING_SNAPSHOT)
        if game is not None:
            query = query.where(RATING_SNAPSHOT.c.game == game)
        with self._db.writing() as connection:
            return connection.execute(query).rowcount


def _of(query: Any, series: Series) -> Any:
    for name, value in series._asdict().items():
        query = query.where(RATING_SNAPSHOT.c[name] == value)
    return query


def _values(series: Series, snapshot: RatingSnapshot) -> dict[str, Any]:
    rows = [[each.version, each.value, each.error, each.matches] for each in snapshot.ratings]
    return {
        **series._asdict(),
        "tournament_id": snapshot.place.tournament,
        "encounter": snapshot.place.encounter,
        "rotation": snapshot.place.rotation,
        "matches": snapshot.matches,
        "match_id": snapshot.match,
        "finished_at": snapshot.finished_at,
        "ratings": zlib.compress(json.dumps(rows, separators=(",", ":")).encode()),
        "covariance": zlib.compress(snapshot.covariance),
        "state": zlib.compress(snapshot.state.encode()),
    }
