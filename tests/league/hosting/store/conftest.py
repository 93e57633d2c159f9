"""The databases of the tests of the store."""

from tests.league.store.conftest import fresh_db

__all__ = ["fresh_db"]
