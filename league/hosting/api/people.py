"""The people of a hosted league: added, listed, invited, disabled, deleted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any
from urllib.parse import urlsplit

from league.api.answer import Answer
from league.hosting.accounts import audit
from league.hosting.accounts.invitations import invite
from league.hosting.accounts.roster import checked, read_roster
from league.hosting.model.errors import PeopleError
from league.hosting.model.people import AuditEntry, Person, Role, Team
from league.hosting.store.host_store import HostStore
from league.hosting.store.people import PersonEntry
from league.hosting.text.people import audit_blocks, people_blocks, person_blocks
from league.model.document import about, document
from league.model.errors import NameInUseError, UnknownRowError
from league.model.names import check_name, check_unlike, normal_name

URL_KEY = "host-url"
"""The setting of the league with the address by which browsers reach it."""

OWN_URL_KEY = "host-own-url"
"""The setting with the address at which the host listened last; it serves where no other is set."""

USUAL_URL = "http://localhost:8000/"

_LOCAL = ("localhost", "127.0.0.1", "::1")


def url_of(store: HostStore) -> str:
    """Return the address by which browsers reach the league."""
    return store.settings.get(URL_KEY, "") or store.settings.get(OWN_URL_KEY, USUAL_URL)


def local_links(store: HostStore) -> str:
    """Say that links work on this machine alone, and what to do; '' if they work elsewhere."""
    url = url_of(store)
    if urlsplit(url).hostname not in _LOCAL:
        return ""
    return (
        f"these links begin with {url} and work on this machine alone: set the public address with "
        "'league host settings url=https://…', and make new links with 'league people link "
        "--pending'"
    )


@document("Invited", "login=person.login team link is_new")
@dataclass(frozen=True, slots=True, kw_only=True)
class Invited:
    """Somebody with a new one-time link, on which they set a password."""

    person: Person
    team: Annotated[str | None, about("its name, null for none")]
    link: Annotated[str | None, about("null for people who existed already")]
    is_new: Annotated[bool, about("whether the person was added")]


class People:
    """The people of the league in a store.

    Each change is written to the audit log as that of `actor`, None for a command of the host.
    Every method may raise `PeopleError`, and `UnknownRowError` for a login that nobody has.
    """

    def __init__(self, store: HostStore, actor: Person | None = None, address: str = "") -> None:
        self._store = store
        self._actor = actor
        self._address = address

    def add(
        self,
        login: str,
        *,
        role: str = Role.AUTHOR,
        team: str = "",
        name: str = "",
        email: str = "",
    ) -> Invited:
        """Add a person, with the team if it is missing; return the one-time link."""
        entry = checked({"login": login, "role": role, "team": team, "name": name, "email": email})
        if (known := self._store.people.by_login(entry.login)) is not None:
            raise PeopleError(f"login {entry.login!r} is in use by {known.login!r}")
        return self._invited(self._save([entry]))[0]

    def import_roster(self, text: str) -> list[Invited]:
        """Add and change all people of a roster, or none; links are for the new ones alone."""
        entries = read_roster(text)
        named = {each.login.casefold(): each.role for each in entries}
        stays = [
            each
            for each in self._organisers()
            if named.get(each.login.casefold()) is not Role.AUTHOR
        ]
        if self._organisers() and not stays and Role.ORGANISER not in named.values():
            raise PeopleError("this roster makes the last organiser an author: nobody was added")
        return self._invited(self._save(entries))

    def link(self, login: str) -> Invited:
        """Return a new one-time link of a person, which ends the one before."""
        person = self.find(login)
        return Invited(
            person=person, team=self._team_of(person), link=self._link(person), is_new=False
        )

    def pending(self) -> list[Person]:
        """Return all active people who have never signed in."""
        return [
            each
            for each in self._store.people.all()
            if each.is_active and not each.has_password and each.seen_at is None
        ]

    def pending_links(self) -> list[Invited]:
        """Return new one-time links of all active people who have never signed in."""
        return [self.link(each.login) for each in self.pending()]

    def find(self, login: str) -> Person:
        """Return the person with that login; raise `UnknownRowError`."""
        found = self._store.people.by_login(normal_name(login))
        if found is None:
            from games.support.errors import suggestion

            known = [each.login for each in self._store.people.all()]
            raise UnknownRowError(f"no login {login!r}{suggestion(login, known)}", "login", login)
        return found

    def everybody(self) -> Answer[tuple[Person, ...]]:
        """Return all people by login."""
        people, teams = self._store.people.all(), self._team_names()
        return Answer(
            people,
            lambda: people_blocks(people, teams),
            lambda: [_document(each, teams) for each in people],
        )

    def show(self, login: str) -> Answer[Person]:
        """Return a person."""
        person, teams = self.find(login), self._team_names()
        return Answer(
            person, lambda: person_blocks(person, teams), lambda: _document(person, teams)
        )

    def audit(self, limit: int = 50, *, login: str | None = None) -> Answer[tuple[AuditEntry, ...]]:
        """Return the newest entries of the audit log, of one person or all."""
        about = None if login is None else self.find(login).id
        entries = self._store.sign_ins.audit(limit, person=about)
        logins = {f"person {each.id}": each.login for each in self._store.people.all()}

        return Answer(entries, lambda: audit_blocks(entries, logins))

    def disable(self, login: str) -> Person:
        """Keep a person from signing in, and sign them out everywhere."""
        person = self._dispensable(login)
        self._store.people.update(person.id, is_active=False)
        self._note("disabled", person)
        return person

    def enable(self, login: str) -> Person:
        """Let a person sign in again."""
        person = self.find(login)
        self._store.people.update(person.id, is_active=True)
        self._note("enabled", person)
        return person

    def remove(self, login: str) -> Person:
        """Delete a person with all that is stored about them; their team and its bot stay."""
        person = self._dispensable(login)
        # Before the deletion, which takes the names out of the entries.
        self._note("deleted", person)
        self._store.people.delete(person.id)
        return person

    def rename_team(self, old: str, new: str) -> Team:
        """Give a team and its bot another name."""
        team, new = self._store.people.team(normal_name(old)), normal_name(new)
        try:
            check_name(new)
            others = [each.name for each in self._store.people.teams() if each.id != team.id]
            check_unlike(new, others)
        except NameInUseError as error:
            raise PeopleError(str(error)) from None
        self._store.people.rename_team(team.id, new)
        audit.note(
            self._store,
            self._actor,
            "renamed team",
            f"team {new}",
            detail=f"from {team.name}",
            address=self._address,
        )
        return self._store.people.team(team.id)

    def _save(self, entries: Sequence[PersonEntry]) -> list[tuple[Person, bool]]:
        known = [each.name for each in self._store.people.teams()]
        for each in entries:
            team = each.team or ""
            try:
                check_unlike(team, [other for other in known if not _is_same(other, team)])
            except NameInUseError as error:
                raise PeopleError(f"team of {each.login!r}: {error}") from None
            known += [team] if team else []
        saved = self._store.people.save(entries)
        for person, is_new in saved:
            self._note("added" if is_new else "imported", person)
        return saved

    def _invited(self, saved: Sequence[tuple[Person, bool]]) -> list[Invited]:
        teams = self._team_names()
        return [
            Invited(
                person=person,
                team=teams.get(person.team or 0),
                link=self._link(person) if is_new else None,
                is_new=is_new,
            )
            for person, is_new in saved
        ]

    def _link(self, person: Person) -> str:
        token = invite(self._store, person, self._actor, self._address)
        return f"{url_of(self._store).rstrip('/')}/invitation/{token}"

    def _dispensable(self, login: str) -> Person:
        """Return a person who is not the last organiser; raise `PeopleError`."""
        person = self.find(login)
        if person.is_organiser and not [e for e in self._organisers() if e.id != person.id]:
            raise PeopleError(f"{person.login!r} is the last organiser: add another one first")
        return person

    def _organisers(self) -> Sequence[Person]:
        return [each for each in self._store.people.all() if each.is_organiser and each.is_active]

    def _team_names(self) -> Mapping[int, str]:
        return {each.id: each.name for each in self._store.people.teams()}

    def _team_of(self, person: Person) -> str | None:
        return None if person.team is None else self._store.people.team(person.team).name

    def _note(self, action: str, person: Person) -> None:
        audit.note(self._store, self._actor, action, f"person {person.id}", address=self._address)


def _document(person: Person, teams: Mapping[int, str]) -> Any:
    from league.hosting.documents import Person as Entry

    return Entry.of(person, team=teams.get(person.team or 0))


def _is_same(one: str, other: str) -> bool:
    return one.casefold() == other.casefold()
