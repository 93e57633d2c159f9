"""The limit on what a team may do in 24 hours, counted over the rows of a table."""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Column, Connection, func, select

DAY_MS = 24 * 3600 * 1000


def count_since(connection: Connection, made_ms: Column[Any], team: int, since_ms: int) -> int:
    """Count the rows of a team whose column `made_ms` has that time or a later one."""
    is_counted = (made_ms.table.c.team_id == team, made_ms >= since_ms)
    return connection.execute(select(func.count()).where(*is_counted)).scalar_one()


def used_up(
    connection: Connection, made_ms: Column[Any], team: int, at_ms: int, a_day: int, what: str
) -> str:
    """Return why a team can make none of `what` at that time, '' if it has made fewer than `a_day`.

    `made_ms` is the column with the time of a row, in the table that has the team's rows.
    """
    if count_since(connection, made_ms, team, at_ms - DAY_MS + 1) < a_day:
        return ""
    query = (
        select(made_ms)
        .where(made_ms.table.c.team_id == team)
        .order_by(made_ms.desc())
        .offset(max(0, a_day - 1))
        .limit(1)
    )
    told = f"your team has made {a_day} {what} in 24 hours, as many as this season allows"
    oldest = connection.execute(query).scalar()
    if a_day and oldest is not None:
        free = datetime.fromtimestamp((oldest + DAY_MS) / 1000, UTC)
        told += f": the next one is possible at {free:%Y-%m-%d %H:%M} UTC"
    return told
