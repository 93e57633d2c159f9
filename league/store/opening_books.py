"""Openings imported from files, stored so that the files may change or disappear."""

import zlib
from base64 import b64decode, b64encode
from hashlib import sha256

from sqlalchemy import select

from league.model.errors import DatabaseError
from league.store.database import Queries
from league.store.tables import SETTING


class BookReader(Queries):
    """The openings of tournaments, kept apart so that a list of tournaments reads none."""

    def get(self, digest: str) -> str:
        """Return the openings with that digest, '' for ''; raise `DatabaseError` if damaged."""
        if not digest:
            return ""
        query = select(SETTING.c.value).where(SETTING.c.key == _key(digest))
        with self._db.reading() as connection:
            value = connection.execute(query).scalar_one_or_none()
        try:
            text = zlib.decompress(b64decode(value or "")).decode()
        except (zlib.error, ValueError):
            text = ""
        if sha256(text.encode()).hexdigest() != digest:
            raise DatabaseError(
                f"the openings {digest[:12]} are missing or damaged", self._db.target
            )
        return text


class BookTable(BookReader):
    """Storage of opening books."""

    def keep(self, text: str) -> str:
        """Store openings as text unless already stored, and return their digest."""
        digest = sha256(text.encode()).hexdigest()
        value = b64encode(zlib.compress(text.encode())).decode()
        with self._db.writing() as connection:
            connection.execute(self._db.insert_new(SETTING).values(key=_key(digest), value=value))
        return digest


def _key(digest: str) -> str:
    return f"openings:{digest}"
