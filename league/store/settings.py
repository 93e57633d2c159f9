"""The league's settings."""

import secrets

from sqlalchemy import delete, insert, select

from league.store.database import Queries
from league.store.tables import SETTING

SALT = "salt"
"""The key of the setting that keeps bots from computing seeds; never shown, '' for none."""


class SettingReader(Queries):
    """The settings of a league, texts by key."""

    def get(self, key: str, default: str) -> str:
        """Return a setting of the league, or `default`."""
        with self._db.reading() as connection:
            value = connection.execute(
                select(SETTING.c.value).where(SETTING.c.key == key)
            ).scalar_one_or_none()
        return default if value is None else value


class SettingTable(SettingReader):
    """Storage of settings."""

    def set(self, key: str, value: str) -> None:
        """Change a setting of the league."""
        with self._db.writing() as connection:
            connection.execute(delete(SETTING).where(SETTING.c.key == key))
            connection.execute(insert(SETTING).values(key=key, value=value))

    def draw_salt(self) -> None:
        """Draw the league's secret salt of 128 bits, unless it has one."""
        drawn = self._db.insert_new(SETTING).values(key=SALT, value=secrets.token_hex(16))
        with self._db.writing() as connection:
            connection.execute(drawn)
