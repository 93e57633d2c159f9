"""Submissions: what teams upload, and which checker has which of them."""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection, Select, func, insert, or_, select, update

from league.hosting.model.errors import RefusedUploadError
from league.hosting.model.people import TeamStanding
from league.hosting.model.season import (
    NoticeKind,
    SeasonState,
    Submission,
    SubmissionState,
    UploadRefusal,
)
from league.hosting.store.daily_limit import count_since, used_up
from league.hosting.store.notices import add_notice, end_notices
from league.hosting.store.tables import SEASON, SUBMISSION, TEAM
from league.model.clock import now, now_ms
from league.model.errors import UnknownRowError
from league.store.database import Queries
from league.store.tables import BOT, VERSION

CLAIMED = (SubmissionState.BUILDING, SubmissionState.CHECKING)
"""The states in which a checker has a submission."""

ANOTHER = "replaced by a newer upload of your team before it was checked"

CLOSED = "submissions are closed"

_CLAIMS_LOCK = 0x626C5F63
"""The key of PostgreSQL's lock that claims take in turn."""

_COLUMNS = [each for each in SUBMISSION.c if each.name not in ("archive", "log")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The result of a check: `PLAYING` with the `version`, or `REFUSED`; `log` has the findings.

    The newest `active` versions of the team stay in play. A suspension of the team ends if it
    `lifts_suspension`.
    """

    state: SubmissionState
    message: str = ""
    log: str = ""
    version: int | None = None
    active: int = 1
    lifts_suspension: bool = True


class SubmissionTable(Queries):
    """Storage of submissions."""

    def receive(  # noqa: PLR0913 (an upload, and when it came)
        self,
        team: int,
        person: int | None,
        file_name: str,
        data: bytes,
        settings: Mapping[str, str],
        received_ms: int,
        *,
        a_day: int | None = None,
    ) -> Submission:
        """Store an upload; it is on the disk when this returns.

        Raises `RefusedUploadError` if the season has closed, or the team has made `a_day`
        submissions in the 24 hours before.
        """
        row = {
            "team_id": team,
            "person_id": person,
            "received_ms": received_ms,
            "file_name": file_name,
            "settings": json.dumps(dict(settings)),
            "size": len(data),
            "digest": sha256(data).hexdigest(),
            "archive": data,
            "state": SubmissionState.RECEIVED,
        }
        with self._db.writing(is_durable=True) as connection:
            _check_open(connection)
            # Two uploads of a team at once must not both count as its last one.
            locked = select(TEAM.c.id).where(TEAM.c.id == team).with_for_update()
            if connection.execute(locked).one_or_none() is None:
                raise UnknownRowError(f"no team {team}", "team", team)
            if a_day is not None:
                told = used_up(
                    connection, SUBMISSION.c.received_ms, team, received_ms, a_day, "submissions"
                )
                if told:
                    raise RefusedUploadError(told, UploadRefusal.TOO_MANY)
            added = insert(SUBMISSION).values(row).returning(SUBMISSION.c.id)
            found = connection.execute(added).scalar_one()
            return _one(connection, found)

    def get(self, submission_id: int) -> Submission:
        """Return a submission; raise `UnknownRowError`."""
        with self._db.reading() as connection:
            return _one(connection, submission_id)

    def page(
        self,
        team: int | None = None,
        limit: int = 50,
        offset: int = 0,
        states: Collection[SubmissionState] | None = None,
    ) -> list[Submission]:
        """List submissions, newest first: of a team or of all, in any of the `states` or in all."""
        query = _query().order_by(SUBMISSION.c.id.desc()).limit(limit).offset(offset)
        if team is not None:
            query = query.where(SUBMISSION.c.team_id == team)
        if states is not None:
            query = query.where(SUBMISSION.c.state.in_(list(states)))
        with self._db.reading() as connection:
            return [_submission(row) for row in connection.execute(query)]

    def archive(self, submission_id: int) -> bytes | None:
        """Return an upload as it was received; None once it is no longer kept."""
        query = select(SUBMISSION.c.archive).where(SUBMISSION.c.id == submission_id)
        with self._db.reading() as connection:
            found: bytes | None = connection.execute(query).scalar_one_or_none()
            return found

    def log(self, submission_id: int) -> str:
        """Return all that the check of a submission found, '' before it ends."""
        query = select(SUBMISSION.c.log).where(SUBMISSION.c.id == submission_id)
        with self._db.reading() as connection:
            return connection.execute(query).scalar_one_or_none() or ""

    def count_since(self, team: int, since_ms: int) -> int:
        """Count a team's submissions received at that time or later."""
        with self._db.reading() as connection:
            return count_since(connection, SUBMISSION.c.received_ms, team, since_ms)

    def waiting(self) -> dict[SubmissionState, int]:
        """Count the submissions that are not decided, by state."""
        query = (
            select(SUBMISSION.c.state, func.count())
            .where(SUBMISSION.c.state.in_([SubmissionState.RECEIVED, *CLAIMED]))
            .group_by(SUBMISSION.c.state)
        )
        with self._db.reading() as connection:
            return {SubmissionState(state): count for state, count in connection.execute(query)}

    def bot_name_of(self, team: int) -> str:
        """Return the name of the team's bot, '' before its first accepted submission."""
        query = select(BOT.c.name).join(TEAM, TEAM.c.bot_id == BOT.c.id).where(TEAM.c.id == team)
        with self._db.reading() as connection:
            return connection.execute(query).scalar_one_or_none() or ""

    def claim_next(self, worker: str = "", at_ms: int | None = None) -> Submission | None:
        """Give a waiting submission to a checker; None if there is none.

        It is the newest of the team whose last claim is oldest; the team's others that wait are
        replaced. A team has one submission with a checker at a time. A checker that asks has none:
        what it could not give back, because the database was away, waits again. Each checker needs
        a name of its own.
        """
        at_ms = now_ms() if at_ms is None else at_ms
        with self._db.writing() as connection:
            self._db.take_turn(connection, _CLAIMS_LOCK)
            if worker:
                _release_claims(connection, [worker])
            team = connection.execute(_next_team()).scalar()
            if team is None:
                return None
            waiting = (
                SUBMISSION.c.team_id == team,
                SUBMISSION.c.state == SubmissionState.RECEIVED,
            )
            newest = connection.execute(select(func.max(SUBMISSION.c.id)).where(*waiting)).scalar()
            connection.execute(
                update(SUBMISSION)
                .where(*waiting, SUBMISSION.c.id != newest)
                .values(
                    state=SubmissionState.REPLACED, message=ANOTHER, archive=None, decided_ms=at_ms
                )
            )
            connection.execute(
                update(SUBMISSION)
                .where(SUBMISSION.c.id == newest)
                .values(
                    state=SubmissionState.BUILDING,
                    attempts=SUBMISSION.c.attempts + 1,
                    claimed_by=worker,
                    claimed_ms=at_ms,
                    beat_ms=at_ms,
                )
            )
            return _one(connection, int(newest or 0))

    def claims(self) -> list[tuple[str, int, int]]:
        """List the checkers that have a submission: each with its number and attempt."""
        query = select(SUBMISSION.c.claimed_by, SUBMISSION.c.id, SUBMISSION.c.attempts)
        with self._db.reading() as connection:
            found = connection.execute(query.where(SUBMISSION.c.state.in_(CLAIMED)))
            return [(row.claimed_by, row.id, row.attempts) for row in found]

    def advance(self, claimed: Submission, state: SubmissionState) -> bool:
        """Tell how far the check of a claimed submission is; False if it is somebody else's now."""
        with self._db.writing() as connection:
            done = connection.execute(
                update(SUBMISSION).where(*_claim(claimed)).values(state=state, beat_ms=now_ms())
            )
            return bool(done.rowcount)

    def renew(self, workers: Collection[str], at_ms: int | None = None) -> None:
        """Tell that these checkers live."""
        at_ms = now_ms() if at_ms is None else at_ms
        with self._db.writing() as connection:
            connection.execute(
                update(SUBMISSION)
                .where(SUBMISSION.c.claimed_by.in_(list(workers)), SUBMISSION.c.state.in_(CLAIMED))
                .values(beat_ms=at_ms)
            )

    def release(self, claimed: Submission) -> bool:
        """Let a claimed submission wait again, as if nobody had taken it."""
        with self._db.writing() as connection:
            return bool(_release(connection, *_claim(claimed)))

    def release_all(self, workers: Collection[str]) -> None:
        """Let all submissions of these checkers wait again, as if nobody had taken them."""
        with self._db.writing() as connection:
            _release_claims(connection, workers)

    def requeue(
        self,
        workers: Collection[str] = (),
        before_ms: int | None = None,
        *,
        most: int,
        message: str,
    ) -> int:
        """Let submissions wait again whose checker died; return how many there were.

        These are the ones of `workers`, or of any checker without a sign of life since `before_ms`.
        One that was taken `most` times is refused with the message.
        """
        silent = SUBMISSION.c.beat_ms < (0 if before_ms is None else before_ms)
        lost = or_(SUBMISSION.c.claimed_by.in_(list(workers)), silent)
        is_lost = (SUBMISSION.c.state.in_(CLAIMED), lost)
        with self._db.writing() as connection:
            self._db.take_turn(connection, _CLAIMS_LOCK)
            refused = connection.execute(
                update(SUBMISSION)
                .where(*is_lost, SUBMISSION.c.attempts >= most)
                .values(
                    state=SubmissionState.REFUSED,
                    message=message,
                    claimed_by="",
                    decided_ms=now_ms(),
                )
                .returning(SUBMISSION.c.id)
            )
            ended = refused.scalars().all()
            for each in ended:
                _tell_refusal(connection, each)
            again = connection.execute(
                update(SUBMISSION)
                .where(*is_lost)
                .values(state=SubmissionState.RECEIVED, claimed_by="")
            )
            return len(ended) + int(again.rowcount)

    def decide(
        self,
        submission_id: int,
        verdict: Verdict,
        *,
        attempt: int | None = None,
    ) -> bool:
        """Accept or refuse a submission; False if it is not, or no longer, with that checker.

        `attempt` is that of the claim, None for anybody's.
        """
        is_its = [SUBMISSION.c.id == submission_id, SUBMISSION.c.state.in_(CLAIMED)]
        if attempt is not None:
            is_its.append(SUBMISSION.c.attempts == attempt)
        values: dict[str, Any] = {
            "state": verdict.state,
            "message": verdict.message,
            "log": verdict.log,
            "version_id": verdict.version,
            "claimed_by": "",
            "decided_ms": now_ms(),
        }
        if verdict.state is not SubmissionState.REFUSED:
            values["archive"] = None
        # The author is told, and what an author was told must stay true.
        with self._db.writing(is_durable=True) as connection:
            done = connection.execute(update(SUBMISSION).where(*is_its).values(values))
            if not done.rowcount:
                return False
            query = select(SUBMISSION.c.team_id).where(SUBMISSION.c.id == submission_id)
            team = connection.execute(query).scalar_one()
            if verdict.version is not None:
                _take_version(connection, team, submission_id, verdict)
            else:
                _forget_refused(connection, team, submission_id)
            if verdict.state is SubmissionState.REFUSED:
                _tell_refusal(connection, submission_id)
            return True


def _query() -> Select[Any]:
    return (
        select(
            *_COLUMNS,
            TEAM.c.name.label("team_name"),
            BOT.c.name.label("bot_name"),
            VERSION.c.number.label("version_number"),
        )
        .join(TEAM, TEAM.c.id == SUBMISSION.c.team_id)
        .outerjoin(VERSION, VERSION.c.id == SUBMISSION.c.version_id)
        .outerjoin(BOT, BOT.c.id == VERSION.c.bot_id)
    )


def _one(connection: Connection, submission_id: int) -> Submission:
    row = connection.execute(_query().where(SUBMISSION.c.id == submission_id)).one_or_none()
    if row is None:
        raise UnknownRowError(f"no submission {submission_id}", "submission", submission_id)
    return _submission(row)


def _submission(row: Any) -> Submission:
    return Submission(
        id=row.id,
        team=row.team_id,
        team_name=row.team_name,
        person=row.person_id,
        received_ms=row.received_ms,
        file_name=row.file_name,
        size=row.size,
        digest=row.digest,
        state=SubmissionState(row.state),
        settings=json.loads(row.settings),
        message=row.message,
        attempts=row.attempts,
        version=row.version_id,
        label=f"{row.bot_name}@{row.version_number}" if row.version_id else "",
        decided_ms=row.decided_ms,
    )


def _claim(claimed: Submission) -> tuple[Any, ...]:
    """Return the conditions that a submission is with the checker that claimed it."""
    return (
        SUBMISSION.c.id == claimed.id,
        SUBMISSION.c.attempts == claimed.attempts,
        SUBMISSION.c.state.in_(CLAIMED),
    )


def _release_claims(connection: Connection, workers: Collection[str]) -> None:
    of_these = (SUBMISSION.c.claimed_by.in_(list(workers)), SUBMISSION.c.state.in_(CLAIMED))
    _release(connection, *of_these)


def _release(connection: Connection, *which: Any) -> int:
    """Let submissions wait again, as if nobody had taken them; return how many there were."""
    waiting = {"state": SubmissionState.RECEIVED, "claimed_by": ""}
    fewer = {"attempts": SUBMISSION.c.attempts - 1}
    return connection.execute(update(SUBMISSION).where(*which).values(**waiting, **fewer)).rowcount


def _tell_refusal(connection: Connection, submission_id: int) -> None:
    """Leave a notice to be mailed; pages show the submission itself, so it has ended for them."""
    found = _one(connection, submission_id)
    text = f"Submission {found.id} ({found.file_name}) is refused.\n\n{found.message}"
    add_notice(connection, NoticeKind.SUBMISSION, text, found.team, ends_at=now())


def _next_team() -> Select[Any]:
    """Return the query for the team whose submission is to be checked next."""
    last = SUBMISSION.alias("last")
    busy = select(SUBMISSION.c.team_id).where(SUBMISSION.c.state.in_(CLAIMED))
    last_claim = (
        select(func.coalesce(func.max(last.c.claimed_ms), 0))
        .where(last.c.team_id == SUBMISSION.c.team_id)
        .scalar_subquery()
    )
    return (
        select(SUBMISSION.c.team_id)
        .where(SUBMISSION.c.state == SubmissionState.RECEIVED, SUBMISSION.c.team_id.not_in(busy))
        .group_by(SUBMISSION.c.team_id)
        .order_by(last_claim, func.min(SUBMISSION.c.received_ms), func.min(SUBMISSION.c.id))
        .limit(1)
    )


def _check_open(connection: Connection) -> None:
    """Raise `RefusedUploadError` if the newest season has closed; keep it from closing until then.

    Else the final could begin without an upload that was confirmed a moment later.
    """
    query = select(SEASON.c.state, SEASON.c.closed_at).order_by(SEASON.c.id.desc()).limit(1)
    row = connection.execute(query.with_for_update(read=True)).one_or_none()
    if row is None:
        return
    if row.closed_at is not None or row.state not in (SeasonState.OPEN, SeasonState.PAUSED):
        raise RefusedUploadError(CLOSED, UploadRefusal.CLOSED)


def _take_version(connection: Connection, team: int, submission_id: int, verdict: Verdict) -> None:
    """Let the team play with a version; submissions whose version no longer plays are replaced."""
    query = select(VERSION.c.bot_id).where(VERSION.c.id == verdict.version)
    bot = connection.execute(query).scalar_one()
    connection.execute(update(TEAM).where(TEAM.c.id == team).values(bot_id=bot))
    if verdict.lifts_suspension:
        lifted = (
            update(TEAM)
            .where(TEAM.c.id == team, TEAM.c.standing == TeamStanding.SUSPENDED)
            .values(standing=TeamStanding.ACTIVE, standing_reason="")
        )
        if connection.execute(lifted).rowcount:
            end_notices(connection, NoticeKind.SUSPENSION, team)
    in_play = select(SUBMISSION.c.id, SUBMISSION.c.version_id).where(
        SUBMISSION.c.team_id == team, SUBMISSION.c.state == SubmissionState.PLAYING
    )
    seen: set[int] = set()
    gone: list[int] = []
    # The newest first; two submissions may be the same version.
    newest = in_play.order_by(SUBMISSION.c.version_id.desc(), SUBMISSION.c.id.desc())
    for row in connection.execute(newest).all():
        if row.version_id in seen or len(seen) == verdict.active:
            gone.append(row.id)
        seen.add(row.version_id)
    connection.execute(
        update(SUBMISSION)
        .where(SUBMISSION.c.id.in_([each for each in gone if each != submission_id]))
        .values(state=SubmissionState.REPLACED)
    )


def _forget_refused(connection: Connection, team: int, submission_id: int) -> None:
    """Keep one refused upload of a team, the newest: all of them would fill the disk."""
    connection.execute(
        update(SUBMISSION)
        .where(
            SUBMISSION.c.team_id == team,
            SUBMISSION.c.state == SubmissionState.REFUSED,
            SUBMISSION.c.id != submission_id,
        )
        .values(archive=None)
    )
