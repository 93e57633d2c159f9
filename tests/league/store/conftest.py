"""Fresh databases of each kind."""

from collections.abc import Iterator

import pytest

from league.hosting.store.host_store import HostStore, open_host_store


@pytest.fixture
def fresh_db(target: str) -> Iterator[HostStore]:
    """Open a new league of each kind in turn."""
    with open_host_store(target, create=True) as store:
        yield store
