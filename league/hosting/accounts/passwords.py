"""Passwords: which ones are taken, and how they are kept (Argon2id, RFC 9106)."""

import unicodedata
from functools import cache
from threading import BoundedSemaphore
from typing import TYPE_CHECKING

from league.hosting.accounts.usual_passwords import USUAL
from league.hosting.model.errors import PeopleError

if TYPE_CHECKING:
    from argon2 import PasswordHasher

SHORTEST, LONGEST = 12, 128
"""A password has so many characters (OWASP ASVS 4.0.3, 2.1.1 and 2.1.2)."""

ENDS = "0123456789!?.,-_*#$@+ "
"""The signs that people append to a common password."""

# A hash takes 64 MB: sixty people who sign in at once must not take all memory.
_TURN = BoundedSemaphore(2)


def check_password(password: str, login: str) -> None:
    """Raise `PeopleError` for a password that is too short, too long or usual."""
    text = _normal(password)
    if len(text) < SHORTEST:
        raise PeopleError(f"this password is too short: expected at least {SHORTEST} characters")
    if len(text) > LONGEST:
        raise PeopleError(f"this password is too long: expected at most {LONGEST} characters")
    folded = text.casefold()
    if login and login.casefold() in (folded, folded.strip(ENDS)):
        raise PeopleError("this password is your login: choose another")
    if len(set(folded)) < 3 or not USUAL.isdisjoint((folded, folded.rstrip(ENDS))):
        raise PeopleError("this password is among those that people guess first: choose another")


def hash_password(password: str) -> str:
    """Return the hash to store, with its salt and parameters."""
    with _TURN:
        return hasher().hash(_normal(password))


def verify_password(password: str, stored: str) -> bool:
    """Whether a password is the one of the hash; without a hash it takes the same time."""
    from argon2.exceptions import InvalidHashError, VerificationError  # noqa: PLC0415 (an extra)

    is_known = bool(stored) and len(password) <= 4 * LONGEST
    with _TURN:
        try:
            hasher().verify(stored if is_known else _nobodys(), _normal(password[: 4 * LONGEST]))
        except (VerificationError, InvalidHashError):
            return False
    return is_known


def is_outdated(stored: str) -> bool:
    """Whether a hash was made with other parameters than those of today."""
    return hasher().check_needs_rehash(stored)


@cache
def _nobodys() -> str:
    """Return a hash that no password of a person has."""
    return hasher().hash("nobody's")


def _normal(password: str) -> str:
    """Return a password as all keyboards and systems write it (NFKC, as RFC 8265 asks for)."""
    return unicodedata.normalize("NFKC", password)


@cache
def hasher() -> "PasswordHasher":
    """Return what makes and checks hashes."""
    from argon2 import PasswordHasher  # noqa: PLC0415 (an extra)

    return PasswordHasher()
