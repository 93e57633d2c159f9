"""The people and teams of a hosted league."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, func, insert, or_, select, update

from league.hosting.model.errors import PeopleError
from league.hosting.model.people import Person, Role, Team, TeamStanding
from league.hosting.store.tables import (
    AUDIT,
    INVITATION,
    PERSON,
    PERSONAL_TOKEN,
    SIGN_IN,
    SUBMISSION,
    TEAM,
)
from league.model.clock import now
from league.model.errors import UnknownRowError
from league.store.database import Queries
from league.store.tables import BOT, VERSION

_TEAM_FIELDS = {
    "name": "name",
    "bot": "bot_id",
    "chosen_version": "chosen_version_id",
    "standing": "standing",
    "standing_reason": "standing_reason",
    "failed_version": "failed_version",
}
_PERSON_FIELDS = {
    "login": "login",
    "role": "role",
    "team": "team_id",
    "name": "name",
    "email": "email",
    "subject": "subject",
    "is_active": "is_active",
    "seen_at": "seen_at",
    "deletion_asked_at": "deletion_asked_at",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonEntry:
    """A person as a roster names one; None is what it does not tell.

    `team` is the name of a team, made if it is missing, '' for none.
    """

    login: str
    role: Role | None = None
    name: str | None = None
    email: str | None = None
    team: str | None = None


class PeopleTable(Queries):
    """Storage of people and teams."""

    def add_team(self, name: str) -> Team:
        """Add a team; raise `PeopleError` if its name is taken by a team or a bot."""
        with self._db.writing() as connection:
            return _team(self._added_team(connection, name))

    def team(self, wanted: int | str) -> Team:
        """Return a team by its number or its name; raise `UnknownRowError`."""
        column: Any = TEAM.c.id if isinstance(wanted, int) else TEAM.c.name_folded
        key = wanted if isinstance(wanted, int) else wanted.casefold()
        with self._db.reading() as connection:
            row = connection.execute(select(TEAM).where(column == key)).one_or_none()
        if row is None:
            raise UnknownRowError(f"no team {wanted!r}", "team", wanted)
        return _team(row)

    def teams(self) -> tuple[Team, ...]:
        """List the teams by name."""
        with self._db.reading() as connection:
            rows = connection.execute(select(TEAM).order_by(TEAM.c.name_folded))
            return tuple(map(_team, rows))

    def newest_version(self, team: int) -> int:
        """Return the newest version of a team's bot, 0 without one."""
        query = select(func.coalesce(func.max(VERSION.c.id), 0))
        with self._db.reading() as connection:
            found: int = connection.execute(
                query.join(TEAM, TEAM.c.bot_id == VERSION.c.bot_id).where(TEAM.c.id == team)
            ).scalar_one()
        return found

    def update_team(self, team: int, **fields: Any) -> None:
        """Change fields of a team; raise `PeopleError` if a new name is taken."""
        values = _columns(fields, _TEAM_FIELDS)
        with self._db.writing() as connection:
            if "name" in values:
                values["name_folded"] = values["name"].casefold()
                _check_free(connection, values["name"], team)
            _one(connection, update(TEAM).where(TEAM.c.id == team).values(**values), "team", team)

    def rename_team(self, team: int, name: str) -> None:
        """Give a team and its bot another name; raise `PeopleError` if it is taken."""
        values = {"name": name, "name_folded": name.casefold()}
        with self._db.writing() as connection:
            _check_free(connection, name, team)
            bot = select(TEAM.c.bot_id).where(TEAM.c.id == team).scalar_subquery()
            connection.execute(update(BOT).where(BOT.c.id == bot).values(**values))
            _one(connection, update(TEAM).where(TEAM.c.id == team).values(**values), "team", team)

    def add(
        self,
        login: str,
        role: Role,
        *,
        team: int | None = None,
        name: str = "",
        email: str = "",
    ) -> Person:
        """Add a person; raise `PeopleError` if the login is taken."""
        with self._db.writing() as connection:
            values = {"role": role, "team_id": team, "name": name, "email": email}
            return person_of(_added_person(connection, login, values))

    def save(self, entries: Sequence[PersonEntry]) -> list[tuple[Person, bool]]:
        """Add or change all people of a roster, or none; return them, and who of them is new.

        The teams that they name are made if they are missing.
        """
        with self._db.writing() as connection:
            return [self._saved(connection, each) for each in entries]

    def _saved(self, connection: Connection, entry: PersonEntry) -> tuple[Person, bool]:
        told = {"role": entry.role, "name": entry.name, "email": entry.email}
        values: dict[str, Any] = {name: text for name, text in told.items() if text is not None}
        if entry.team is not None:
            values["team_id"] = self._team_named(connection, entry.team) if entry.team else None
        known = PERSON.c.login_folded == entry.login.casefold()
        row = connection.execute(select(PERSON).where(known)).one_or_none()
        if row is None:
            values = {"role": Role.AUTHOR, **values}
            return person_of(_added_person(connection, entry.login, values)), True
        if values:
            connection.execute(update(PERSON).where(known).values(**values))
        return person_of(connection.execute(select(PERSON).where(known)).one()), False

    def _team_named(self, connection: Connection, name: str) -> int:
        query = select(TEAM.c.id).where(TEAM.c.name_folded == name.casefold())
        found: int | None = connection.execute(query).scalar()
        return self._added_team(connection, name).id if found is None else found

    def _added_team(self, connection: Connection, name: str) -> Any:
        _check_free(connection, name)
        values = {"name": name, "name_folded": name.casefold(), "created_at": now()}
        return connection.execute(insert(TEAM).values(**values).returning(TEAM)).one()

    def get(self, person: int) -> Person:
        """Return a person by number; raise `UnknownRowError`."""
        with self._db.reading() as connection:
            row = connection.execute(select(PERSON).where(PERSON.c.id == person)).one_or_none()
        if row is None:
            raise UnknownRowError(f"no person {person}", "person", person)
        return person_of(row)

    def by_login(self, login: str) -> Person | None:
        """Return the person with that login in letters of any case, None for nobody."""
        query = select(PERSON).where(PERSON.c.login_folded == login.casefold())
        with self._db.reading() as connection:
            row = connection.execute(query).one_or_none()
        return None if row is None else person_of(row)

    def by_subject(self, subject: str) -> Person | None:
        """Return the person whom a provider of OpenID Connect knows as that, None for nobody."""
        query = select(PERSON).where(PERSON.c.subject == subject, PERSON.c.subject != "")
        with self._db.reading() as connection:
            row = connection.execute(query).first()
        return None if row is None else person_of(row)

    def subject_of(self, person: int) -> str:
        """Return as what a provider of OpenID Connect knows a person, '' for none."""
        query = select(PERSON.c.subject).where(PERSON.c.id == person)
        with self._db.reading() as connection:
            return str(connection.execute(query).scalar_one_or_none() or "")

    def claim_by_email(self, email: str, subject: str) -> Person | None:
        """Bind the one active person with that address to a provider's subject, and return them.

        None if there is nobody, or several, or the person is bound already.
        """
        fits = (func.lower(PERSON.c.email) == email.lower()) & (PERSON.c.is_active == 1)
        with self._db.writing() as connection:
            rows = connection.execute(select(PERSON).where(fits)).all()
            if not email or len(rows) != 1 or rows[0].subject:
                return None
            one = PERSON.c.id == rows[0].id
            connection.execute(update(PERSON).where(one).values(subject=subject))
            return person_of(rows[0])

    def all(self) -> tuple[Person, ...]:
        """List the people by login."""
        with self._db.reading() as connection:
            rows = connection.execute(select(PERSON).order_by(PERSON.c.login_folded))
            return tuple(map(person_of, rows))

    def update(self, person: int, **fields: Any) -> None:
        """Change fields of a person; whoever becomes inactive is signed out everywhere."""
        values = _columns(fields, _PERSON_FIELDS)
        if "login" in values:
            values["login_folded"] = values["login"].casefold()
        if "is_active" in values:
            values["is_active"] = int(values["is_active"])
        with self._db.writing() as connection:
            change = update(PERSON).where(PERSON.c.id == person).values(**values)
            _one(connection, change, "person", person)
            if values.get("is_active") == 0:
                for table in (SIGN_IN, INVITATION):
                    connection.execute(delete(table).where(table.c.person_id == person))

    def delete(self, person: int) -> None:
        """Delete a person; of the audit log stay the actions, without login and address."""
        about = or_(AUDIT.c.person_id == person, AUDIT.c.subject == f"person {person}")
        with self._db.writing() as connection:
            connection.execute(update(AUDIT).where(about).values(address=""))
            own = update(AUDIT).where(AUDIT.c.person_id == person)
            connection.execute(own.values(actor=f"person {person}", person_id=None))
            for table in (SIGN_IN, INVITATION, PERSONAL_TOKEN):
                connection.execute(delete(table).where(table.c.person_id == person))
            _one(connection, delete(PERSON).where(PERSON.c.id == person), "person", person)

    def sent_by(self, person: int) -> list[dict[str, Any]]:
        """List what is stored of a person's submissions, the oldest first, without their files."""
        names = ("id", "received_ms", "file_name", "size", "digest", "state")
        query = select(*(SUBMISSION.c[name] for name in names)).order_by(SUBMISSION.c.id)
        with self._db.reading() as connection:
            rows = connection.execute(query.where(SUBMISSION.c.person_id == person))
            return [dict(row._mapping) for row in rows]

    def password_hash(self, person: int) -> str:
        """Return the hash of a person's password, '' for none; raise `UnknownRowError`."""
        with self._db.reading() as connection:
            query = select(PERSON.c.password).where(PERSON.c.id == person)
            found: str | None = connection.execute(query).scalar_one_or_none()
        if found is None:
            raise UnknownRowError(f"no person {person}", "person", person)
        return found

    def set_password_hash(self, person: int, text: str) -> None:
        """Store the hash of a new password, and end all sign-ins and invitations of the person."""
        with self._db.writing() as connection:
            change_password(connection, person, text)

    def refresh_password_hash(self, person: int, before: str, after: str) -> None:
        """Store another hash of the same password, unless the password has changed meanwhile."""
        same = (PERSON.c.id == person) & (PERSON.c.password == before)
        with self._db.writing() as connection:
            connection.execute(update(PERSON).where(same).values(password=after))


def change_password(connection: Connection, person: int, text: str) -> None:
    """Store a password's hash in a transaction, which ends sign-ins and invitations."""
    change = update(PERSON).where(PERSON.c.id == person).values(password=text)
    _one(connection, change, "person", person)
    for table in (SIGN_IN, INVITATION):
        connection.execute(delete(table).where(table.c.person_id == person))


def _added_person(connection: Connection, login: str, values: Mapping[str, Any]) -> Any:
    folded = login.casefold()
    taken = select(PERSON.c.login).where(PERSON.c.login_folded == folded)
    if (other := connection.execute(taken).scalar()) is not None:
        raise PeopleError(f"login {login!r} is in use by {other!r}")
    given = {"login": login, "login_folded": folded, "created_at": now(), **values}
    return connection.execute(insert(PERSON).values(**given).returning(PERSON)).one()


def _check_free(connection: Connection, name: str, team: int | None = None) -> None:
    """Raise `PeopleError` if another team, or a bot that is not this team's, has the name."""
    folded = name.casefold()
    taken = select(TEAM.c.name).where(TEAM.c.name_folded == folded, TEAM.c.id != (team or 0))
    if (other := connection.execute(taken).scalar()) is not None:
        raise PeopleError(f"name {name!r} is in use by team {other!r}")
    own = select(TEAM.c.bot_id).where(TEAM.c.id == (team or 0)).scalar_subquery()
    bots = select(BOT.c.name).where(BOT.c.name_folded == folded, BOT.c.id != func.coalesce(own, 0))
    if (other := connection.execute(bots).scalar()) is not None:
        raise PeopleError(f"name {name!r} is in use by bot {other!r}")


def _columns(fields: Mapping[str, Any], known: Mapping[str, str]) -> dict[str, Any]:
    return {known[name]: value for name, value in fields.items()}


def _one(connection: Connection, change: Any, kind: str, wanted: int) -> None:
    if connection.execute(change).rowcount != 1:
        raise UnknownRowError(f"no {kind} {wanted}", kind, wanted)


def _team(row: Any) -> Team:
    return Team(
        row.id,
        row.name,
        bot=row.bot_id,
        chosen_version=row.chosen_version_id,
        standing=TeamStanding(row.standing),
        standing_reason=row.standing_reason,
        created_at=row.created_at,
    )


def person_of(row: Any) -> Person:
    """Return the value of a row of people."""
    return Person(
        row.id,
        row.login,
        Role(row.role),
        team=row.team_id,
        name=row.name,
        email=row.email,
        is_active=bool(row.is_active),
        has_password=bool(row.password),
        created_at=row.created_at,
        seen_at=row.seen_at,
        deletion_asked_at=row.deletion_asked_at,
    )
