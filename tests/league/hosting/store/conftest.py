"""The databases of the tests of the store."""

from tests.league.store.conftest import fresh_db, target

__all__ = ["fresh_db", "target"]
