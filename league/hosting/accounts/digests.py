"""Secrets that are drawn here and stored as digests."""

import secrets
from hashlib import sha256


def new_secret() -> str:
    """Return a secret of 256 bits that can stand in an address."""
    return secrets.token_urlsafe(32)


def digest_of(text: str) -> str:
    """Return the SHA-256 of a text in hex: enough for a secret that nobody can guess."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
