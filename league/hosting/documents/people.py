"""The people of a hosted league, as organisers see them."""

from typing import Annotated

from league.hosting.model.people import Role
from league.interchange.documents.document import Count, Document, Id, SecondsSince, about


class Person(Document):
    """Somebody who may sign in."""

    id: Id
    login: str
    role: Role
    team: Annotated[str | None, about("its name, null for none")]
    name: str
    email: str
    is_active: bool
    has_password: Annotated[bool, about("whether the one-time link has been used")]
    created_at: SecondsSince
    seen_at: Annotated[SecondsSince | None, about("the last sign-in, null for none")]
    deletion_asked_at: Annotated[SecondsSince | None, about("null unless the person asked for it")]


class Invited(Document):
    """Somebody with a new one-time link, on which they set a password."""

    login: str
    team: Annotated[str | None, about("its name, null for none")]
    link: Annotated[str | None, about("null for people who existed already")]
    is_new: Annotated[bool, about("whether the person was added")]


class AuditEntry(Document):
    """Something that somebody did."""

    id: Id
    at_ms: Annotated[Count, about("UTC, milliseconds since 1970")]
    actor: Annotated[str, about("the login, or 'host' for a command and the league itself")]
    action: str
    subject: Annotated[str, about("'person 3' or 'team NAME', empty for none")]
    detail: str
    address: Annotated[str, about("address of the request, empty if unknown")]


class RenamedTeam(Document):
    """A team that has another name now."""

    team: Annotated[str, about("its name now")]
    before: str
