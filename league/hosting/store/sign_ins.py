"""Sign-ins, invitations, personal tokens, failed attempts, and the audit log.

Tokens come in as their digests; this room never sees their texts.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import delete, func, insert, select, update

from league.hosting.model.people import AuditEntry, Person, PersonalToken, SignIn
from league.hosting.store.people import change_password, person_of
from league.hosting.store.tables import (
    AUDIT,
    INVITATION,
    PERSON,
    PERSONAL_TOKEN,
    SIGN_IN,
    SIGN_IN_FAILURE,
)
from league.model.clock import now_ms
from league.store.database import Queries

DETAIL_MAX = 500
"""The most characters that an entry of the audit log says."""


class SignInTable(Queries):
    """Storage of what lets people in, and of what they did."""

    def add(self, person: int, token: str, *, at: int, expires_at: int) -> None:
        """Store that a person signed in."""
        values = {"created_at": at, "used_at": at, "expires_at": expires_at}
        with self._db.writing() as connection:
            connection.execute(insert(SIGN_IN).values(token=token, person_id=person, **values))
            seen = update(PERSON).where(PERSON.c.id == person)
            connection.execute(seen.values(seen_at=at))

    def person(self, token: str, *, at: int, idle_s: int) -> tuple[Person, int] | None:
        """Return the active person of a sign-in that holds, and when it was last used."""
        query = (
            select(PERSON, SIGN_IN.c.used_at)
            .join(SIGN_IN, SIGN_IN.c.person_id == PERSON.c.id)
            .where(
                SIGN_IN.c.token == token,
                SIGN_IN.c.expires_at > at,
                SIGN_IN.c.used_at > at - idle_s,
                PERSON.c.is_active == 1,
            )
        )
        with self._db.reading() as connection:
            row = connection.execute(query).one_or_none()
        return None if row is None else (person_of(row), row.used_at)

    def use(self, token: str, at: int) -> None:
        """Store that a sign-in was used."""
        with self._db.writing() as connection:
            used = update(SIGN_IN).where(SIGN_IN.c.token == token).values(used_at=at)
            connection.execute(used)

    def of_person(self, person: int, *, at: int, idle_s: int) -> tuple[SignIn, ...]:
        """List the sign-ins of a person that hold, the newest first."""
        holds = (SIGN_IN.c.expires_at > at) & (SIGN_IN.c.used_at > at - idle_s)
        query = select(SIGN_IN).where(SIGN_IN.c.person_id == person, holds)
        with self._db.reading() as connection:
            rows = connection.execute(query.order_by(SIGN_IN.c.created_at.desc(), SIGN_IN.c.token))
            return tuple(
                SignIn(
                    key=row.token,
                    created_at=row.created_at,
                    used_at=row.used_at,
                    expires_at=row.expires_at,
                )
                for row in rows
            )

    def end(self, token: str, person: int | None = None) -> int:
        """Forget a sign-in, of this person alone if one is given; return how many there were."""
        query = delete(SIGN_IN).where(SIGN_IN.c.token == token)
        if person is not None:
            query = query.where(SIGN_IN.c.person_id == person)
        with self._db.writing() as connection:
            return connection.execute(query).rowcount

    def end_all(self, person: int) -> int:
        """Forget all sign-ins of a person; return how many there were."""
        with self._db.writing() as connection:
            return connection.execute(delete(SIGN_IN).where(SIGN_IN.c.person_id == person)).rowcount

    def forget_expired(self, *, at: int, idle_s: int) -> None:
        """Delete sign-ins that hold no longer, and invitations that have expired."""
        over = (SIGN_IN.c.expires_at <= at) | (SIGN_IN.c.used_at <= at - idle_s)
        with self._db.writing() as connection:
            connection.execute(delete(SIGN_IN).where(over))
            connection.execute(delete(INVITATION).where(INVITATION.c.expires_at <= at))

    def add_invitation(self, person: int, token: str, *, at: int, expires_at: int) -> None:
        """Store an invitation; it takes the place of earlier ones of the person."""
        with self._db.writing() as connection:
            connection.execute(delete(INVITATION).where(INVITATION.c.person_id == person))
            values = {"token": token, "created_at": at, "expires_at": expires_at}
            connection.execute(insert(INVITATION).values(person_id=person, **values))

    def invited_person(self, token: str, at: int) -> Person | None:
        """Return whom an invitation is for, None if it is used, expired or unknown."""
        query = (
            select(PERSON)
            .join(INVITATION, INVITATION.c.person_id == PERSON.c.id)
            .where(INVITATION.c.token == token, *_holds(at), PERSON.c.is_active == 1)
        )
        with self._db.reading() as connection:
            row = connection.execute(query).one_or_none()
        return None if row is None else person_of(row)

    def use_invitation(self, token: str, password: str, at: int) -> Person | None:
        """Take an invitation, once, and set the hash of a password; None if it holds no longer."""
        with self._db.writing() as connection:
            taken = connection.execute(
                update(INVITATION)
                .where(INVITATION.c.token == token, *_holds(at))
                .values(used_at=at)
                .returning(INVITATION.c.person_id)
            ).scalar_one_or_none()
            if taken is None:
                return None
            change_password(connection, taken, password)
            return person_of(connection.execute(select(PERSON).where(PERSON.c.id == taken)).one())

    def add_personal_token(
        self, person: int, token: str, label: str, *, at: int, expires_at: int | None
    ) -> int:
        """Store a personal token; return its number."""
        values = {"token": token, "label": label, "created_at": at, "expires_at": expires_at}
        with self._db.writing() as connection:
            made = insert(PERSONAL_TOKEN).values(person_id=person, **values)
            number: int = connection.execute(made.returning(PERSONAL_TOKEN.c.id)).scalar_one()
        return number

    def personal_tokens(self, person: int) -> tuple[PersonalToken, ...]:
        """List the personal tokens of a person, the newest first, with those revoked or expired."""
        query = select(PERSONAL_TOKEN).where(PERSONAL_TOKEN.c.person_id == person)
        with self._db.reading() as connection:
            rows = connection.execute(query.order_by(PERSONAL_TOKEN.c.id.desc()))
            return tuple(
                PersonalToken(
                    id=row.id,
                    label=row.label,
                    created_at=row.created_at,
                    used_at=row.used_at,
                    expires_at=row.expires_at,
                    revoked_at=row.revoked_at,
                )
                for row in rows
            )

    def personal_token_owner(self, token: str, at: int) -> tuple[Person, int] | None:
        """Return the active person of a personal token that holds, and when it was last used."""
        query = (
            select(PERSON, func.coalesce(PERSONAL_TOKEN.c.used_at, 0).label("used_at"))
            .join(PERSONAL_TOKEN, PERSONAL_TOKEN.c.person_id == PERSON.c.id)
            .where(
                PERSONAL_TOKEN.c.token == token,
                PERSONAL_TOKEN.c.revoked_at.is_(None),
                (PERSONAL_TOKEN.c.expires_at.is_(None)) | (PERSONAL_TOKEN.c.expires_at > at),
                PERSON.c.is_active == 1,
            )
        )
        with self._db.reading() as connection:
            row = connection.execute(query).one_or_none()
        return None if row is None else (person_of(row), row.used_at)

    def use_personal_token(self, token: str, at: int) -> None:
        """Store that a personal token was used."""
        with self._db.writing() as connection:
            one = update(PERSONAL_TOKEN).where(PERSONAL_TOKEN.c.token == token)
            connection.execute(one.values(used_at=at))

    def revoke_personal_token(self, person: int, number: int, at: int) -> bool:
        """Revoke a personal token of a person; whether there was one that held."""
        query = update(PERSONAL_TOKEN).where(
            PERSONAL_TOKEN.c.id == number,
            PERSONAL_TOKEN.c.person_id == person,
            PERSONAL_TOKEN.c.revoked_at.is_(None),
        )
        with self._db.writing() as connection:
            return connection.execute(query.values(revoked_at=at)).rowcount == 1

    def count_attempt(
        self, waits: Mapping[str, Sequence[int]], *, at: int, forgotten_s: int
    ) -> int:
        """Count an attempt to sign in before it is tried; return 0, or the seconds to wait for it.

        `waits` has for each subject the seconds to wait after 0, 1, 2 failures in a row and so on;
        the last of them holds for all that follow. An attempt that has to wait is not counted.
        Attempts are forgotten `forgotten_s` after the last. Counting first keeps many attempts at
        once from passing together.
        """
        old = delete(SIGN_IN_FAILURE).where(SIGN_IN_FAILURE.c.failed_at <= at - forgotten_s)
        subjects = sorted(waits)
        with self._db.writing() as connection:
            connection.execute(old)
            for each in subjects:
                none = {"subject": each, "failures": 0, "failed_at": at}
                connection.execute(self._db.insert_new(SIGN_IN_FAILURE).values(**none))
            known = SIGN_IN_FAILURE.c.subject.in_(subjects)
            query = select(SIGN_IN_FAILURE).where(known).order_by(SIGN_IN_FAILURE.c.subject)
            rows = connection.execute(query.with_for_update()).all()
            left = [
                row.failed_at + _wait(waits[row.subject], row.failures) - at
                for row in rows
                if _wait(waits[row.subject], row.failures)
            ]
            if (longest := max(left, default=0)) > 0:
                return int(longest)
            more = {"failures": SIGN_IN_FAILURE.c.failures + 1, "failed_at": at}
            connection.execute(update(SIGN_IN_FAILURE).where(known).values(**more))
            return 0

    def forgive(self, *, wholly: str, once: Sequence[str]) -> None:
        """Forget the failures of one subject, and one failure of each of some others."""
        with self._db.writing() as connection:
            connection.execute(delete(SIGN_IN_FAILURE).where(SIGN_IN_FAILURE.c.subject == wholly))
            some = SIGN_IN_FAILURE.c.subject.in_(once) & (SIGN_IN_FAILURE.c.failures > 0)
            fewer = update(SIGN_IN_FAILURE).where(some)
            connection.execute(fewer.values(failures=SIGN_IN_FAILURE.c.failures - 1))

    def add_audit(
        self, actor: Person | None, action: str, *, subject: str, detail: str, address: str
    ) -> None:
        """Write down what somebody did; None is the league itself."""
        values = {
            "at_ms": now_ms(),
            "person_id": None if actor is None else actor.id,
            "actor": "host" if actor is None else actor.login,
            "action": action,
            "subject": subject,
            "detail": detail[:DETAIL_MAX],
            "address": address[:45],
        }
        with self._db.writing() as connection:
            connection.execute(insert(AUDIT).values(**values))

    def audit(
        self, limit: int, offset: int = 0, *, person: int | None = None
    ) -> tuple[AuditEntry, ...]:
        """List the audit log, the newest first; of a person, what they did and what befell them."""
        query = select(AUDIT).order_by(AUDIT.c.id.desc()).limit(limit).offset(offset)
        if person is not None:
            about = (AUDIT.c.person_id == person) | (AUDIT.c.subject == f"person {person}")
            query = query.where(about)
        with self._db.reading() as connection:
            return tuple(_audit_entry(row) for row in connection.execute(query))


def _holds(at: int) -> tuple[Any, ...]:
    return (INVITATION.c.used_at.is_(None), INVITATION.c.expires_at > at)


def _wait(waits: Sequence[int], failures: int) -> int:
    """Return the seconds to wait after so many failures; the last of them for all that follow."""
    return waits[min(failures, len(waits) - 1)]


def _audit_entry(row: Any) -> AuditEntry:
    return AuditEntry(
        id=row.id,
        at_ms=row.at_ms,
        actor=row.actor,
        action=row.action,
        subject=row.subject,
        detail=row.detail,
        address=row.address,
    )
