"""The matches in play of each tournament, as last seen by its runner."""

import json
from collections.abc import Sequence

from sqlalchemy import delete, insert, select

from league.model.live_ply import pack_plies, unpack_plies
from league.model.records import MatchKey
from league.store.database import Queries
from league.store.rows import LiveMatchRow
from league.store.seating_codec import decode_seating, encode_seating
from league.store.tables import IN_PLAY


class LiveReader(Queries):
    """The matches in play."""

    def shown(self, tournament: int, key: MatchKey | None = None) -> tuple[LiveMatchRow, ...]:
        """Return the shown matches, or the one with that key.

        They are stale if the runner was killed, so check `is_in_play` too.
        """
        query = select(IN_PLAY).where(IN_PLAY.c.tournament_id == tournament)
        if key is not None:
            query = query.where(
                IN_PLAY.c.encounter == key.encounter, IN_PLAY.c.rotation == key.rotation
            )
        with self._db.reading() as connection:
            return tuple(
                LiveMatchRow(
                    key=MatchKey(row.encounter, row.rotation),
                    game=row.game,
                    versions=decode_seating(row.versions),
                    plies=unpack_plies(json.loads(row.moves)),
                    moved_at_ms=row.moved_at,
                )
                for row in connection.execute(query.order_by(IN_PLAY.c.place))
            )


class LiveTable(LiveReader):
    """Storage of matches in play."""

    def show(self, tournament: int, rows: Sequence[LiveMatchRow]) -> None:
        """Replace the shown matches in play of a tournament."""
        values = [
            {
                "tournament_id": tournament,
                "place": place,
                "encounter": row.key.encounter,
                "rotation": row.key.rotation,
                "game": row.game,
                "versions": encode_seating(row.versions),
                "moves": json.dumps(pack_plies(row.plies), separators=(",", ":")),
                "moved_at": row.moved_at_ms,
            }
            for place, row in enumerate(rows)
        ]
        with self._db.writing() as connection:
            connection.execute(delete(IN_PLAY).where(IN_PLAY.c.tournament_id == tournament))
            if values:
                connection.execute(insert(IN_PLAY), values)
