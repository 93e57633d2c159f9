"""Fresh databases: SQLite files, and a private PostgreSQL server where its binaries are."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from league.hosting.store.host_store import HostStore, open_host_store
from tests.league.postgres import emptied


@pytest.fixture(params=["sqlite", "postgresql"])
def target(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the name of an empty database, of each kind in turn."""
    if request.param == "sqlite":
        return str(tmp_path / "league.db")
    return emptied(request.getfixturevalue("postgres"))


@pytest.fixture
def fresh_db(target: str) -> Iterator[HostStore]:
    """Open a new league of each kind in turn."""
    with open_host_store(target, create=True) as store:
        yield store
