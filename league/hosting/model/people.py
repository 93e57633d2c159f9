"""The people of a hosted league: persons who sign in, and the teams whose bots play."""

from dataclasses import KW_ONLY, dataclass
from enum import StrEnum
from typing import Annotated

from league.model.document import Count, Id, about, document


class Role(StrEnum):
    """The rights of a signed-in person; a visitor has not signed in and has no role."""

    ORGANISER = "organiser"
    AUTHOR = "author"


class TeamStanding(StrEnum):
    """Whether a team's bot plays."""

    ACTIVE = "active"
    SUSPENDED = "suspended"
    """Its bot failed again and again; a new submission lifts this."""
    WITHDRAWN = "withdrawn"
    """The team, or the organiser for it, took it out of the season."""
    DISQUALIFIED = "disqualified"
    """The organiser excluded it; only the organiser can lift this."""


@dataclass(frozen=True, slots=True)
class Team:
    """A team with its one bot, which has the same name.

    `bot` is None before the first accepted submission. `chosen_version` is the version for the
    final, None for the newest.
    """

    id: int
    name: str
    _: KW_ONLY
    bot: int | None = None
    chosen_version: int | None = None
    standing: TeamStanding = TeamStanding.ACTIVE
    standing_reason: str = ""
    created_at: int = 0


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who may sign in with `login`.

    `team` is None for an organiser without a bot. `name` and `email` are shown to organisers and
    the person alone. `deletion_asked_at` is when the person asked to be deleted, None for never.
    """

    id: int
    login: str
    role: Role
    _: KW_ONLY
    team: int | None = None
    name: str = ""
    email: str = ""
    is_active: bool = True
    has_password: bool = False
    created_at: int = 0
    seen_at: int | None = None
    deletion_asked_at: int | None = None

    @property
    def is_organiser(self) -> bool:
        """Whether the person runs the league."""
        return self.role is Role.ORGANISER


@dataclass(frozen=True, slots=True, kw_only=True)
class SignIn:
    """A browser in which a person is signed in; `key` is the digest of its token."""

    key: str
    created_at: int
    used_at: int
    expires_at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalToken:
    """A token with which a person's scripts sign in; its text is shown once and kept nowhere."""

    id: int
    label: str
    created_at: int
    used_at: int | None
    expires_at: int | None
    revoked_at: int | None


@document("AuditEntry", "id at_ms actor action subject detail address")
@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """Something that somebody did.

    `subject` has no login and no name of a person, since entries outlive people.
    """

    id: Id
    at_ms: Annotated[Count, about("UTC, milliseconds since 1970")]
    actor: Annotated[str, about("the login, or 'host' for a command and the league itself")]
    action: str
    subject: Annotated[str, about("'person 3' or 'team NAME', empty for none")]
    detail: str
    address: Annotated[str, about("address of the request, empty if unknown")]
