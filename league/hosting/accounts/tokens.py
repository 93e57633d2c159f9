"""Personal tokens, with which scripts and `league push` sign in."""

from contextlib import suppress

from league.hosting.accounts import audit
from league.hosting.accounts.digests import digest_of, new_secret
from league.hosting.accounts.sign_ins import NOTED_S
from league.hosting.model.errors import PeopleError
from league.hosting.model.people import Person
from league.hosting.store.host_store import HostStore
from league.model.clock import now
from league.model.errors import UnavailableError

PREFIX = "blp_"
"""Tokens begin with it, so that scanners of repositories find those that were published."""

DAYS_MAX = 366
TOKENS_MAX = 20
"""A person has at most so many tokens that hold."""

LABEL_MAX = 80


def new_token(
    store: HostStore, person: Person, label: str, days: int = 90, address: str = ""
) -> str:
    """Return a new token of a person, which holds for so many days; it is shown only now.

    Raises `PeopleError` for a label or a number of days that does not fit.
    """
    label = " ".join(label.split())
    if not 0 < len(label) <= LABEL_MAX or not label.isprintable():
        raise PeopleError(f"label {label[:LABEL_MAX]!r}: expected 1 to {LABEL_MAX} characters")
    if not 1 <= days <= DAYS_MAX:
        raise PeopleError(f"{days} days: expected 1 to {DAYS_MAX}")
    at = now()
    held = [each for each in store.sign_ins.personal_tokens(person.id) if each.revoked_at is None]
    if sum(each.expires_at is None or each.expires_at > at for each in held) >= TOKENS_MAX:
        raise PeopleError(f"you have {TOKENS_MAX} tokens: revoke one first")
    token = PREFIX + new_secret()
    store.sign_ins.add_personal_token(
        person.id, digest_of(token), label, at=at, expires_at=at + days * 24 * 3600
    )
    audit.note(store, person, "made token", f"person {person.id}", address=address)
    return token


def owner_of(store: HostStore, text: str) -> Person | None:
    """Return the person of a token, None if it is unknown, revoked or expired."""
    if not text.startswith(PREFIX):
        return None
    at, digest = now(), digest_of(text)
    found = store.sign_ins.personal_token_owner(digest, at)
    if found is None:
        return None
    person, used_at = found
    if used_at <= at - NOTED_S:
        with suppress(UnavailableError):
            store.sign_ins.use_personal_token(digest, at)
    return person


def revoke(store: HostStore, person: Person, number: int, address: str = "") -> bool:
    """Revoke a token of a person at once; whether there was one that held."""
    is_done = store.sign_ins.revoke_personal_token(person.id, number, now())
    if is_done:
        audit.note(store, person, "revoked token", f"person {person.id}", address=address)
    return is_done
