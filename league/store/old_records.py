"""Rewriting the match records of older leagues."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import bindparam, func, select, update

from games.support.moves import line_of
from games.support.specs import find_game
from league.store.record_codec.record import decode_record, encode_record
from league.store.tables import RECORD
from league.store.transactions import Transactions

BATCH = 200
"""Number of records to rewrite in one transaction."""


@dataclass(frozen=True, slots=True)
class Rewritten:
    """The numbers of rewritten records, and of those that could not be."""

    records: int
    left: int


class OldRecordTable(Transactions):
    """Records without a line of moves: older leagues stored none."""

    def rewrite_records(
        self, on_records: Callable[[int, int], None] = lambda done, total: None
    ) -> Rewritten:
        """Replay records of older leagues and store them in today's form, with their moves.

        A record that is damaged, or whose game can't be played here, stays as it is and is readable
        as before. `on_records` gets the number done and the total. Interrupted, it goes on the next
        time.
        """
        is_old = RECORD.c.moves.is_(None)
        query = select(RECORD.c.match_id, RECORD.c.data).where(is_old).order_by(RECORD.c.match_id)
        with self.reading() as connection:
            total = connection.execute(select(func.count()).where(is_old)).scalar_one()
        done = left = last = 0
        while True:
            with self.reading() as connection:
                rows = connection.execute(query.where(RECORD.c.match_id > last).limit(BATCH)).all()
            if not rows:
                return Rewritten(done - left, left)
            changes = [change for row in rows if (change := _rewritten(row.match_id, row.data))]
            if changes:
                with self.writing() as connection:
                    connection.execute(
                        update(RECORD).where(RECORD.c.match_id == bindparam("match")), changes
                    )
            last = rows[-1].match_id
            done += len(rows)
            left += len(rows) - len(changes)
            on_records(done, total)


def _rewritten(match: int, data: bytes) -> dict[str, Any] | None:
    """Return a record's new values; None if it can't be replayed."""
    try:
        record = decode_record(data)
        line = line_of(find_game(record.game).initial(), record.wires)
    except Exception:
        # A user's own game may raise anything.
        return None
    return {"match": match, "data": encode_record(record), "moves": line}
