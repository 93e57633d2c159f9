"""Notices: messages of the league to a team or to everybody, and which of them were mailed."""

from collections.abc import Collection
from typing import Any

from sqlalchemy import Connection, insert, or_, select, update

from league.hosting.model.season import Notice, NoticeKind
from league.hosting.store.tables import NOTICE
from league.model.clock import now
from league.store.database import Queries


class NoticeTable(Queries):
    """Storage of notices."""

    def add(
        self, kind: NoticeKind, text: str, team: int | None = None, ends_at: int | None = None
    ) -> None:
        """Leave a notice to a team, or to everybody."""
        with self._db.writing() as connection:
            add_notice(connection, kind, text, team, ends_at)

    def page(
        self, teams: Collection[int] | None = (), *, limit: int = 50, at: int | None = None
    ) -> tuple[Notice, ...]:
        """List the newest notices to everybody and to these teams, newest first.

        `teams` None means all. With `at`, a time, those that have ended by then are left out.
        """
        query = select(NOTICE).order_by(NOTICE.c.id.desc()).limit(limit)
        if teams is not None:
            query = query.where(or_(NOTICE.c.team_id.is_(None), NOTICE.c.team_id.in_(list(teams))))
        if at is not None:
            query = query.where(or_(NOTICE.c.ends_at.is_(None), NOTICE.c.ends_at > at))
        with self._db.reading() as connection:
            return tuple(_notice(row) for row in connection.execute(query))

    def end(self, kind: NoticeKind, team: int | None = None) -> None:
        """End the notices of a kind to a team, or to everybody: something else holds by now."""
        with self._db.writing() as connection:
            end_notices(connection, kind, team)

    def next_unmailed(self, first: int = 0) -> Notice | None:
        """Return notice number `first` if it is not mailed, else the oldest that is not."""
        query = (
            select(NOTICE)
            .where(NOTICE.c.mailed_at.is_(None))
            .order_by(NOTICE.c.id != first, NOTICE.c.id)
            .limit(1)
        )
        with self._db.reading() as connection:
            row = connection.execute(query).one_or_none()
        return None if row is None else _notice(row)

    def mark_mailed(self, notice: int | None = None) -> None:
        """Note that a notice is mailed to everybody concerned; None means all notices so far."""
        change = update(NOTICE).where(NOTICE.c.mailed_at.is_(None)).values(mailed_at=now())
        with self._db.writing() as connection:
            connection.execute(change if notice is None else change.where(NOTICE.c.id == notice))


def add_notice(
    connection: Connection,
    kind: NoticeKind,
    text: str,
    team: int | None,
    ends_at: int | None = None,
) -> None:
    """Leave a notice in a transaction."""
    values = {"team_id": team, "at": now(), "kind": str(kind), "text": text, "ends_at": ends_at}
    connection.execute(insert(NOTICE).values(**values))


def end_notices(connection: Connection, kind: NoticeKind, team: int | None) -> None:
    """End the notices of a kind to a team, or to everybody, in a transaction."""
    at = now()
    is_shown = or_(NOTICE.c.ends_at.is_(None), NOTICE.c.ends_at > at)
    # `==` is `IS NULL` for None.
    concerned = (NOTICE.c.kind == str(kind)) & (NOTICE.c.team_id == team)
    connection.execute(update(NOTICE).where(concerned, is_shown).values(ends_at=at))


def _notice(row: Any) -> Notice:
    return Notice(
        row.id,
        NoticeKind(row.kind),
        row.text,
        at=row.at,
        team=row.team_id,
        ends_at=row.ends_at,
        mailed_at=row.mailed_at,
    )
