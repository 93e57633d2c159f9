"""The texts of users' own games, kept so that their files can be brought back."""

import zlib
from base64 import b64decode, b64encode

from sqlalchemy import select

from games.support.game import digest_of
from league.model.errors import DatabaseError
from league.store.database import Queries
from league.store.tables import SETTING


class RuleReader(Queries):
    """The rules that tournaments began with, by digest.

    They are never run from here: a database may come from somebody else, and rules have no sandbox.
    """

    def get(self, digest: str) -> str:
        """Return the text of a digest, '' if none is kept; raise `DatabaseError` if damaged."""
        query = select(SETTING.c.value).where(SETTING.c.key == _key(digest))
        with self._db.reading() as connection:
            value = connection.execute(query).scalar_one_or_none()
        if value is None:
            return ""
        try:
            text = zlib.decompress(b64decode(value)).decode()
        except (zlib.error, ValueError):
            text = ""
        if digest_of(text) != digest:
            raise DatabaseError(f"the rules {digest} of a game are damaged", self._db.target)
        return text


class RuleTable(RuleReader):
    """Storage of rules."""

    def keep(self, text: str) -> None:
        """Store the text of a game's file unless it is stored already."""
        value = b64encode(zlib.compress(text.encode())).decode()
        with self._db.writing() as connection:
            connection.execute(
                self._db.insert_new(SETTING).values(key=_key(digest_of(text)), value=value)
            )


def _key(digest: str) -> str:
    return f"rules:{digest}"
