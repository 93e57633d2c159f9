"""The people of a hosted league as tables."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from league.hosting.model.people import AuditEntry, Person
from league.render.text.table import Block, Table


def people_blocks(people: Sequence[Person], teams: Mapping[int, str]) -> list[Block]:
    """Return a row for each person."""
    if not people:
        return ["no people yet: 'league people add LOGIN' adds somebody"]
    rows = [
        (
            each.login,
            each.role,
            _team(each, teams),
            each.name or "–",
            each.email or "–",
            state_of(each),
            _minute(each.seen_at),
        )
        for each in people
    ]
    return [Table(("login", "role", "team", "name", "email", "state", "seen (UTC)"), rows)]


def person_blocks(person: Person, teams: Mapping[int, str]) -> list[Block]:
    """Return all that is known of a person, a line each."""
    rows = {
        "role": person.role,
        "team": _team(person, teams),
        "name": person.name or "–",
        "email": person.email or "–",
        "state": state_of(person),
        "added": f"{_minute(person.created_at)} UTC",
        "last signed in": f"{_minute(person.seen_at)}{' UTC' if person.seen_at else ''}",
    }
    width = max(map(len, rows))
    lines = [f"  {name:{width}}  {text}" for name, text in rows.items()]
    return [f"{person.login} (person {person.id})", *lines]


def audit_blocks(entries: Sequence[AuditEntry], logins: Mapping[str, str]) -> list[Block]:
    """Return a row for each entry; `logins` has those of people who are still there."""
    if not entries:
        return ["nothing is in the audit log yet"]
    rows = [
        (
            f"{datetime.fromtimestamp(each.at_ms / 1000, UTC):%Y-%m-%d %H:%M:%S}",
            each.actor,
            each.action,
            logins.get(each.subject, each.subject),
            each.detail,
            each.address,
        )
        for each in entries
    ]
    return [Table(("when (UTC)", "who", "did", "to", "more", "from"), rows)]


def state_of(person: Person) -> str:
    """Say in a few words whether a person can sign in."""
    if not person.is_active:
        return "disabled"
    if person.deletion_asked_at is not None:
        return "asks for deletion"
    return "active" if person.has_password or person.seen_at else "invited"


def _team(person: Person, teams: Mapping[int, str]) -> str:
    return "–" if person.team is None else teams[person.team]


def _minute(seconds: int | None) -> str:
    return "–" if seconds is None else f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M}"
