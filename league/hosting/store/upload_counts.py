"""What the teams of a hosted league have uploaded, in short."""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import case, func, select

from league.hosting.model.season import SubmissionState
from league.hosting.store.tables import SUBMISSION
from league.store.database import Queries


@dataclass(frozen=True, slots=True)
class Uploads:
    """A team's submissions: how many, how many of them refused, and the newest one.

    `message` is why the newest one was refused, '' if it was not.
    """

    count: int
    refused: int
    newest: int
    state: SubmissionState
    received_ms: int
    message: str


class UploadCountTable(Queries):
    """Counts of submissions."""

    def counts(self, since_ms: int = 0, before_ms: int | None = None) -> Mapping[int, Uploads]:
        """Return what each team has uploaded since a time, and before another; by team."""
        is_refused = SUBMISSION.c.state == SubmissionState.REFUSED
        counted = (
            select(
                SUBMISSION.c.team_id,
                func.count().label("made"),
                func.sum(case((is_refused, 1), else_=0)).label("refused"),
                func.max(SUBMISSION.c.id).label("newest"),
            )
            .where(SUBMISSION.c.received_ms >= since_ms)
            .group_by(SUBMISSION.c.team_id)
        )
        if before_ms is not None:
            counted = counted.where(SUBMISSION.c.received_ms < before_ms)
        found = counted.subquery()
        query = select(
            found, SUBMISSION.c.state, SUBMISSION.c.received_ms, SUBMISSION.c.message
        ).join(SUBMISSION, SUBMISSION.c.id == found.c.newest)
        with self._db.reading() as connection:
            return {
                row.team_id: Uploads(
                    row.made,
                    int(row.refused),
                    row.newest,
                    SubmissionState(row.state),
                    row.received_ms,
                    row.message,
                )
                for row in connection.execute(query)
            }

    def has_accepted(self, since_ms: int) -> bool:
        """Whether a submission received at that time or later has become a version."""
        is_accepted = (SUBMISSION.c.received_ms >= since_ms, SUBMISSION.c.version_id.is_not(None))
        with self._db.reading() as connection:
            query = select(SUBMISSION.c.id).where(*is_accepted).limit(1)
            return connection.execute(query).first() is not None
