"""Signing in with a login and a password; how long that holds."""

from contextlib import suppress

from league.hosting.accounts import audit
from league.hosting.accounts.digests import digest_of, new_secret
from league.hosting.accounts.passwords import (
    check_password,
    hash_password,
    is_outdated,
    verify_password,
)
from league.hosting.model.errors import LockedError, SignInError
from league.hosting.model.people import Person
from league.hosting.store.host_store import HostStore
from league.model.clock import now
from league.model.errors import UnavailableError
from league.model.network import network_of

IDLE_S = 7 * 24 * 3600
"""A sign-in ends when it has not been used for so long."""

ABSOLUTE_S = 30 * 24 * 3600
"""A sign-in ends after so long, however often it was used."""

NOTED_S = 60
"""The use of a sign-in or token is stored again after so long, so that pages do not write."""

_BACKOFF = (30, 60, 120, 240, 480, 900)

LOGIN_WAITS = (*(0,) * 5, *_BACKOFF)
"""Seconds to wait after so many failures in a row with one login."""

ADDRESS_WAITS = (*(0,) * 50, *_BACKOFF)
"""The same from one address, which a whole class may share."""

FORGOTTEN_S = 3600
"""Failures are forgotten so long after the last one."""

WRONG = "this login and this password do not belong together"


def sign_in(store: HostStore, login: str, password: str, address: str = "") -> str:
    """Sign a person in; return the token of the sign-in, which is always a new one.

    `address` is where the request comes from, '' if that is not known. Raises `SignInError`, or
    `LockedError` when too many attempts have failed.
    """
    login = login.strip()
    by_login, by_address = _subjects(login, address)
    waits = {by_login: LOGIN_WAITS} | dict.fromkeys(by_address, ADDRESS_WAITS)
    wait_s = store.sign_ins.count_attempt(waits, at=now(), forgotten_s=FORGOTTEN_S)
    if wait_s:
        raise LockedError(wait_s)
    person = store.people.by_login(login)
    stored = "" if person is None else store.people.password_hash(person.id)
    is_right = verify_password(password, stored)
    if person is None or not is_right or not person.is_active:
        subject = "" if person is None else f"person {person.id}"
        # Not the login: people type their password there.
        audit.note(store, None, "sign-in failed", subject, address=address)
        raise SignInError(WRONG)
    store.sign_ins.forgive(wholly=by_login, once=by_address)
    if is_outdated(stored):
        store.people.refresh_password_hash(person.id, stored, hash_password(password))
    return begin(store, person, address, "password")


def begin(store: HostStore, person: Person, address: str = "", way: str = "") -> str:
    """Begin a sign-in of a person who has shown who they are; return its token."""
    token, at = new_secret(), now()
    store.sign_ins.forget_expired(at=at, idle_s=IDLE_S)
    store.sign_ins.add(person.id, digest_of(token), at=at, expires_at=at + ABSOLUTE_S)
    audit.note(store, person, "signed in", f"person {person.id}", detail=way, address=address)
    return token


def signed_in(store: HostStore, token: str) -> Person | None:
    """Return the person of a sign-in, None if it is unknown or over."""
    if not token:
        return None
    at, digest = now(), digest_of(token)
    found = store.sign_ins.person(digest, at=at, idle_s=IDLE_S)
    if found is None:
        return None
    person, used_at = found
    if used_at <= at - NOTED_S:
        # A busy database must not keep people out.
        with suppress(UnavailableError):
            store.sign_ins.use(digest, at)
    return person


def sign_out(store: HostStore, token: str) -> None:
    """End a sign-in."""
    store.sign_ins.end(digest_of(token))


def change_password(store: HostStore, person: Person, before: str, after: str, address: str) -> str:
    """Give a person another password, end all their sign-ins, and return the token of a new one.

    Raises `SignInError` if `before` is not their password, `LockedError` after too many failures,
    and `PeopleError` if the new one does not fit.
    """
    check_password(after, person.login)
    own = digest_of(f"password {person.id}")
    wait_s = store.sign_ins.count_attempt({own: LOGIN_WAITS}, at=now(), forgotten_s=FORGOTTEN_S)
    if wait_s:
        raise LockedError(wait_s)
    if not verify_password(before, store.people.password_hash(person.id)):
        raise SignInError("that is not your current password")
    store.sign_ins.forgive(wholly=own, once=())
    store.people.set_password_hash(person.id, hash_password(after))
    audit.note(store, person, "changed password", f"person {person.id}", address=address)
    return begin(store, person, address, "changed password")


def _subjects(login: str, address: str) -> tuple[str, list[str]]:
    """Return the digests by which failures are counted: of the login, and of the address."""
    found = network_of(address)
    by_address = [digest_of(f"address {found}")] if found else []
    return digest_of(f"login {login.casefold()}"), by_address
