"""The processes of a host: their heartbeats, the lock of the host, and what it counts."""

import json
from collections.abc import Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from sqlalchemy import case, delete, func, select, text, update

from league.hosting.model.season import SubmissionState
from league.hosting.model.services import HostCounts, ServiceRow
from league.hosting.store.tables import SERVICE, SUBMISSION, TEAM
from league.model.clock import now
from league.model.records import FAULTS
from league.store.database import Queries
from league.store.runner_lock import (
    HOST,
    CheckLock,
    file_lock,
    is_file_locked,
    is_server_locked,
    server_lock,
)
from league.store.tables import LINEUP_TOTAL, MATCH


class ServiceTable(Queries):
    """Storage of the host's processes."""

    def host_lock(self) -> AbstractContextManager[CheckLock]:
        """Hold the league as its only host; raise `SetupError` if another process does.

        Call the function that the context yields now and then: a server may end its session.
        """
        if self._db.path is not None:
            return file_lock(self._db.path, HOST)
        return server_lock(self._db.engine, self._db.target, HOST)

    def is_hosted(self) -> bool:
        """Whether a process hosts the league now."""
        if self._db.path is not None:
            return is_file_locked(self._db.path, HOST)
        with self._db.reading() as connection:
            return is_server_locked(connection, HOST)

    def beat(
        self, name: str, pid: int, state: Mapping[str, Any] | None = None, *, at: int | None = None
    ) -> None:
        """Store a heartbeat of a process; another `pid` than the last one counts as a start.

        Without `state`, the last one stays.
        """
        at = now() if at is None else at
        told = {} if state is None else {"state": json.dumps(state, separators=(",", ":"))}
        is_new = SERVICE.c.pid != pid
        changed = (
            update(SERVICE)
            .where(SERVICE.c.name == name)
            .values(
                beat_at=at,
                starts=SERVICE.c.starts + case((is_new, 1), else_=0),
                started_at=case((is_new, at), else_=SERVICE.c.started_at),
                pid=pid,
                **told,
            )
        )
        first = {"name": name, "pid": pid, "started_at": at, "beat_at": at, "starts": 1, **told}
        with self._db.writing() as connection:
            if connection.execute(changed).rowcount == 0:
                connection.execute(self._db.insert_new(SERVICE).values(**first))

    def all(self) -> tuple[ServiceRow, ...]:
        """List the processes by name."""
        with self._db.reading() as connection:
            rows = connection.execute(select(SERVICE).order_by(SERVICE.c.name)).all()
        return tuple(
            ServiceRow(
                name=row.name,
                pid=row.pid,
                started_at=row.started_at,
                beat_at=row.beat_at,
                starts=row.starts,
                state=json.loads(row.state or "{}"),
            )
            for row in rows
        )

    def forget(self) -> None:
        """Forget the processes of an earlier host."""
        with self._db.writing() as connection:
            connection.execute(delete(SERVICE))

    def counts(self) -> HostCounts:
        """Count what the host shows of the league."""
        with self._db.reading() as connection:
            ended: list[Any] = list(
                connection.execute(
                    select(LINEUP_TOTAL.c.termination, func.sum(LINEUP_TOTAL.c.matches)).group_by(
                        LINEUP_TOTAL.c.termination
                    )
                )
            )
            newest = select(MATCH.c.finished_at).order_by(MATCH.c.id.desc()).limit(1)
            last = connection.execute(newest).scalar()
            states: list[Any] = list(
                connection.execute(
                    select(SUBMISSION.c.state, func.count()).group_by(SUBMISSION.c.state)
                )
            )
            standings: list[Any] = list(
                connection.execute(select(TEAM.c.standing, func.count()).group_by(TEAM.c.standing))
            )
            waiting = select(func.min(SUBMISSION.c.received_ms)).where(
                SUBMISSION.c.state == SubmissionState.RECEIVED
            )
            (oldest,) = connection.execute(waiting).one()
            size = 0
            if self._db.path is None:
                query = text("SELECT pg_database_size(current_database())")
                size = int(connection.execute(query).scalar() or 0)
        return HostCounts(
            matches=sum(int(count) for _, count in ended),
            last_match_at=last,
            faults={each: int(count) for each, count in ended if each in FAULTS},
            submissions={each: int(count) for each, count in states},
            oldest_waiting_ms=oldest,
            teams={each: int(count) for each, count in standings},
            database_bytes=size if self._db.path is None else _file_bytes(self._db.path),
        )


def _file_bytes(path: Path) -> int:
    """Return the bytes of a database file with its journal."""
    found = 0
    for each in (path, path.with_name(f"{path.name}-wal")):
        try:
            found += each.stat().st_size
        except FileNotFoundError:
            continue
    return found
