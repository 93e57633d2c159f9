"""Invitations: links that work once, with which people set a password."""

from league.hosting.accounts import audit
from league.hosting.accounts.digests import digest_of, new_secret
from league.hosting.accounts.passwords import check_password, hash_password
from league.hosting.model.errors import PeopleError
from league.hosting.model.people import Person
from league.hosting.store.host_store import HostStore
from league.model.clock import now

HOLDS_S = 14 * 24 * 3600
"""An invitation can be used for so long."""

OVER = "this link has been used or has expired: ask the organiser for a new one"


def invite(store: HostStore, person: Person, actor: Person | None = None, address: str = "") -> str:
    """Return the token of a new invitation; earlier ones of the person end."""
    if not person.is_active:
        raise PeopleError(f"{person.login!r} is disabled: 'league people enable' comes first")
    token, at = new_secret(), now()
    store.sign_ins.add_invitation(person.id, digest_of(token), at=at, expires_at=at + HOLDS_S)
    audit.note(store, actor, "invited", f"person {person.id}", address=address)
    return token


def invited(store: HostStore, token: str) -> Person | None:
    """Return whom an invitation is for, None if it holds no longer; it is not used up."""
    return store.sign_ins.invited_person(digest_of(token), now())


def accept(store: HostStore, token: str, password: str, address: str = "") -> Person:
    """Set the password of the invited person, who is signed out elsewhere; the link ends.

    Raises `PeopleError` if the link holds no longer, or the password does not fit.
    """
    person = invited(store, token)
    if person is None:
        raise PeopleError(OVER)
    check_password(password, person.login)
    found = store.sign_ins.use_invitation(digest_of(token), hash_password(password), now())
    if found is None:
        raise PeopleError(OVER)
    audit.note(store, found, "set password", f"person {found.id}", address=address)
    return found
