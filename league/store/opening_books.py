"""The openings that tournaments took from files, kept so that the files may change or go."""

import zlib
from base64 import b64decode, b64encode
from hashlib import sha256

from sqlalchemy import select

from league.model.errors import DatabaseError
from league.store.tables import SETTING
from league.store.transactions import Transactions


class OpeningBookTable(Transactions):
    """The part of the store that keeps openings: compressed, each book once, by its digest.

    Tournaments hold the digest alone, so that listing them reads no openings.
    """

    def keep_book(self, text: str) -> str:
        """Store openings as text, unless they are there already, and return their digest."""
        digest = sha256(text.encode()).hexdigest()
        value = b64encode(zlib.compress(text.encode())).decode()
        with self.writing() as connection:
            connection.execute(self.insert_new(SETTING).values(key=_key(digest), value=value))
        return digest

    def book(self, digest: str) -> str:
        """Return the openings of that digest, '' for ''; raise `DatabaseError` for damaged ones."""
        if not digest:
            return ""
        query = select(SETTING.c.value).where(SETTING.c.key == _key(digest))
        with self.reading() as connection:
            value = connection.execute(query).scalar_one_or_none()
        try:
            text = zlib.decompress(b64decode(value or "")).decode()
        except (zlib.error, ValueError):
            text = ""
        if sha256(text.encode()).hexdigest() != digest:
            raise DatabaseError(f"the openings {digest[:12]} are missing or damaged", self.target)
        return text


def _key(digest: str) -> str:
    return f"openings:{digest}"
