"""Challenges: unrated matches that teams ask for, which checker has which, and their records."""

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, delete, exists, func, insert, select, update

from league.hosting.model.errors import RefusedChallengeError
from league.hosting.model.season import Challenge, ChallengeState, SubmissionState
from league.hosting.store.daily_limit import DAY_MS, count_since, used_up
from league.hosting.store.tables import CHALLENGE, CHALLENGE_MATCH, SUBMISSION, TEAM
from league.model.clock import now, now_ms
from league.model.errors import UnknownRowError
from league.model.records import MatchRecord
from league.store.database import Queries
from league.store.record_codec.packed_match import PackedMatch
from league.store.record_codec.record import decode_record
from league.store.tables import BOT, VERSION

KEPT = 50
"""The newest challenges of a team that stay; older ones go a day after they were asked for."""

_CLAIMS_LOCK = 0x626C5F64
"""The key of PostgreSQL's lock that claims take in turn."""

_OPEN = (ChallengeState.WAITING, ChallengeState.PLAYING)

_UNDECIDED = tuple(each for each in SubmissionState if not each.is_decided)


class ChallengeMatch(NamedTuple):
    """A finished match of a challenge, by its number from 1; the time is in seconds since 1970."""

    number: int
    record: MatchRecord
    finished_at: int


class ChallengeTable(Queries):
    """Storage of challenges."""

    def add(self, team: int, rival: int, seed: int, asked_ms: int, a_day: int) -> Challenge:
        """Store a challenge of a bot by a team, and delete old ones of the team.

        Raises `RefusedChallengeError` if the team has made `a_day` in the 24 hours before.
        """
        row = {
            "team_id": team,
            "rival_id": rival,
            "seed": seed,
            "asked_ms": asked_ms,
            "state": ChallengeState.WAITING,
        }
        with self._db.writing(is_durable=True) as connection:
            # Two challenges of a team at once must not both count as its last one.
            connection.execute(select(TEAM.c.id).where(TEAM.c.id == team).with_for_update())
            told = used_up(connection, CHALLENGE.c.asked_ms, team, asked_ms, a_day, "challenges")
            if told:
                raise RefusedChallengeError(told, is_used_up=True)
            _delete_old(connection, team, asked_ms)
            added = insert(CHALLENGE).values(row).returning(CHALLENGE.c.id)
            return _one(connection, connection.execute(added).scalar_one())

    def get(self, challenge_id: int) -> Challenge:
        """Return a challenge; raise `UnknownRowError`."""
        with self._db.reading() as connection:
            return _one(connection, challenge_id)

    def page(self, team: int | None = None, limit: int = 50, offset: int = 0) -> list[Challenge]:
        """List challenges, newest first: of a team or of all."""
        query = _query().order_by(CHALLENGE.c.id.desc()).limit(limit).offset(offset)
        if team is not None:
            query = query.where(CHALLENGE.c.team_id == team)
        with self._db.reading() as connection:
            return [_challenge(row) for row in connection.execute(query)]

    def matches(self, challenges: Collection[int]) -> Mapping[int, tuple[ChallengeMatch, ...]]:
        """Return the finished matches of challenges, by challenge and in order."""
        query = (
            select(CHALLENGE_MATCH)
            .where(CHALLENGE_MATCH.c.challenge_id.in_(list(challenges)))
            .order_by(CHALLENGE_MATCH.c.challenge_id, CHALLENGE_MATCH.c.number)
        )
        found: dict[int, tuple[ChallengeMatch, ...]] = dict.fromkeys(challenges, ())
        with self._db.reading() as connection:
            for row in connection.execute(query):
                record = decode_record(row.data, row.moves)
                found[row.challenge_id] += (ChallengeMatch(row.number, record, row.finished_at),)
        return found

    def count_since(self, team: int, since_ms: int) -> int:
        """Count a team's challenges asked for at that time or later."""
        with self._db.reading() as connection:
            return count_since(connection, CHALLENGE.c.asked_ms, team, since_ms)

    def claim(self, worker: str, at_ms: int | None = None) -> Challenge | None:
        """Give a checker the challenge whose next match is due; None if there is none.

        Submissions come first: there is none while one waits, and a team's own is checked before
        its challenge. A challenge that was begun is finished first; then it is the oldest one of
        the team whose last claim is oldest. A checker that asks has none.
        """
        at_ms = now_ms() if at_ms is None else at_ms
        with self._db.reading() as connection:
            # Most looks find nothing, and need not wait until they may write.
            if connection.execute(_next(worker)).first() is None:
                return None
        with self._db.writing() as connection:
            self._db.take_turn(connection, _CLAIMS_LOCK)
            _free(connection, [worker], {"attempts": CHALLENGE.c.attempts - 1})
            found = connection.execute(_next(worker)).scalar()
            if found is None:
                return None
            connection.execute(
                update(CHALLENGE)
                .where(CHALLENGE.c.id == found)
                .values(
                    state=ChallengeState.PLAYING,
                    attempts=CHALLENGE.c.attempts + 1,
                    claimed_by=worker,
                    claimed_ms=at_ms,
                )
            )
            return _one(connection, int(found))

    def begin(
        self, challenge_id: int, version: int, rival_version: int, move_s: float
    ) -> Challenge:
        """Fix which versions play a claimed challenge, unless they are fixed, and return it."""
        values = {"version_id": version, "rival_version_id": rival_version, "move_s": move_s}
        is_new = (CHALLENGE.c.id == challenge_id) & CHALLENGE.c.version_id.is_(None)
        with self._db.writing() as connection:
            connection.execute(update(CHALLENGE).where(is_new).values(**values))
            return _one(connection, challenge_id)

    def save_match(
        self, claimed: Challenge, worker: str, record: MatchRecord, *, is_last: bool
    ) -> bool:
        """Store the next match of a claimed challenge, and let others claim the one after it.

        False, and nothing is stored, if the checker no longer has the challenge.
        """
        packed = PackedMatch.of(record)
        values: dict[str, Any] = {"played": claimed.played + 1, "attempts": 0, "claimed_by": ""}
        if is_last:
            values |= {"state": ChallengeState.PLAYED, "decided_ms": now_ms()}
        row = {
            "challenge_id": claimed.id,
            "number": claimed.played + 1,
            "data": packed.data,
            "moves": packed.notation,
            "finished_at": now(),
        }
        # The match and its count in one transaction: after a kill it is there, or played again.
        with self._db.writing() as connection:
            done = connection.execute(
                update(CHALLENGE).where(*_claim(claimed, worker)).values(**values)
            )
            if done.rowcount:
                connection.execute(insert(CHALLENGE_MATCH).values(row))
            return bool(done.rowcount)

    def fail(self, claimed: Challenge, worker: str, message: str) -> None:
        """End a claimed challenge; the matches that were played stay."""
        with self._db.writing() as connection:
            which = _claim(claimed, worker)
            connection.execute(update(CHALLENGE).where(*which).values(_failed(message)))

    def fail_open(self, message: str) -> None:
        """End all challenges that wait for a match and that no checker has."""
        waiting = (CHALLENGE.c.state.in_(_OPEN), CHALLENGE.c.claimed_by == "")
        query = select(CHALLENGE.c.id).where(*waiting).limit(1)
        with self._db.reading() as connection:
            if connection.execute(query).first() is None:
                return
        with self._db.writing() as connection:
            connection.execute(update(CHALLENGE).where(*waiting).values(_failed(message)))

    def claims(self) -> list[tuple[str, int, int]]:
        """List the checkers that play a challenge: each with its number, and that of the match."""
        query = select(CHALLENGE.c.claimed_by, CHALLENGE.c.id, CHALLENGE.c.played)
        with self._db.reading() as connection:
            found = connection.execute(query.where(CHALLENGE.c.claimed_by != ""))
            return [(row.claimed_by, row.id, row.played + 1) for row in found]

    def release(self, workers: Collection[str]) -> None:
        """Let the challenges of these checkers wait again, as if nobody had taken them."""
        with self._db.writing() as connection:
            _free(connection, workers, {"attempts": CHALLENGE.c.attempts - 1})

    def requeue(self, workers: Collection[str], *, most: int, message: str) -> int:
        """Let challenges wait again whose checker died; return how many there were.

        One whose next match was taken `most` times fails with the message.
        """
        is_lost = CHALLENGE.c.claimed_by.in_(list(workers))
        with self._db.writing() as connection:
            self._db.take_turn(connection, _CLAIMS_LOCK)
            too_often = is_lost & (CHALLENGE.c.attempts >= most)
            failed = connection.execute(update(CHALLENGE).where(too_often).values(_failed(message)))
            return int(failed.rowcount) + _free(connection, workers)


def _query() -> Select[Any]:
    own, rival, version, other = (
        BOT.alias("own"),
        BOT.alias("rival"),
        VERSION.alias("own_version"),
        VERSION.alias("rival_version"),
    )
    return (
        select(
            CHALLENGE,
            TEAM.c.name.label("team_name"),
            rival.c.name.label("rival_name"),
            own.c.name.label("own_name"),
            version.c.number.label("own_number"),
            other.c.number.label("rival_number"),
        )
        .join(TEAM, TEAM.c.id == CHALLENGE.c.team_id)
        .join(rival, rival.c.id == CHALLENGE.c.rival_id)
        .outerjoin(version, version.c.id == CHALLENGE.c.version_id)
        .outerjoin(own, own.c.id == version.c.bot_id)
        .outerjoin(other, other.c.id == CHALLENGE.c.rival_version_id)
    )


def _one(connection: Connection, challenge_id: int) -> Challenge:
    row = connection.execute(_query().where(CHALLENGE.c.id == challenge_id)).one_or_none()
    if row is None:
        raise UnknownRowError(f"no challenge {challenge_id}", "challenge", challenge_id)
    return _challenge(row)


def _challenge(row: Any) -> Challenge:
    is_begun = row.version_id is not None and row.rival_version_id is not None
    return Challenge(
        id=row.id,
        team=row.team_id,
        team_name=row.team_name,
        rival=row.rival_name,
        asked_ms=row.asked_ms,
        seed=row.seed,
        state=ChallengeState(row.state),
        message=row.message,
        attempts=row.attempts,
        played=row.played,
        version=row.version_id,
        rival_version=row.rival_version_id,
        label=f"{row.own_name}@{row.own_number}" if is_begun else "",
        rival_label=f"{row.rival_name}@{row.rival_number}" if is_begun else "",
        move_s=row.move_s,
        decided_ms=row.decided_ms,
    )


def _claim(claimed: Challenge, worker: str) -> tuple[Any, ...]:
    """Return the conditions that a challenge is with the checker that claimed it."""
    return (
        CHALLENGE.c.id == claimed.id,
        CHALLENGE.c.claimed_by == worker,
        CHALLENGE.c.played == claimed.played,
        CHALLENGE.c.attempts == claimed.attempts,
    )


def _free(
    connection: Connection, workers: Collection[str], more: Mapping[str, Any] | None = None
) -> int:
    """Take challenges from checkers; return how many there were."""
    values = {"claimed_by": "", **(more or {})}
    which = CHALLENGE.c.claimed_by.in_(list(workers))
    return connection.execute(update(CHALLENGE).where(which).values(**values)).rowcount


def _failed(message: str) -> dict[str, Any]:
    return {
        "state": ChallengeState.FAILED,
        "message": message,
        "claimed_by": "",
        "decided_ms": now_ms(),
    }


def _next(worker: str) -> Select[Any]:
    """Return the query for the challenge whose next match that checker is to play."""
    last, sent = CHALLENGE.alias("last"), SUBMISSION.alias("sent")
    last_claim = (
        select(func.coalesce(func.max(last.c.claimed_ms), 0))
        .where(last.c.team_id == CHALLENGE.c.team_id)
        .scalar_subquery()
    )
    is_first = exists().where(SUBMISSION.c.state == SubmissionState.RECEIVED)
    is_checked = exists().where(sent.c.team_id == CHALLENGE.c.team_id, sent.c.state.in_(_UNDECIDED))
    return (
        select(CHALLENGE.c.id)
        .where(CHALLENGE.c.state.in_(_OPEN), CHALLENGE.c.claimed_by.in_(["", worker]))
        .where(~is_first, ~is_checked)
        .order_by(CHALLENGE.c.played.desc(), last_claim, CHALLENGE.c.id)
        .limit(1)
    )


def _delete_old(connection: Connection, team: int, at_ms: int) -> None:
    """Delete a team's decided challenges beyond the newest ones; those of the day are counted."""
    own = CHALLENGE.c.team_id == team
    newest = select(CHALLENGE.c.id).where(own).order_by(CHALLENGE.c.id.desc()).limit(KEPT)
    connection.execute(
        delete(CHALLENGE).where(
            own,
            CHALLENGE.c.id.not_in(newest),
            CHALLENGE.c.asked_ms <= at_ms - DAY_MS,
            CHALLENGE.c.state.not_in(_OPEN),
        )
    )
