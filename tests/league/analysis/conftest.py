"""A fresh league of four bots."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from league.store.store import Store, open_store
from tests.league.matches import add_bots


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Open a new league with the bots a, b, c and d, of versions 1 to 4."""
    with open_store(str(tmp_path / "league.db"), create=True) as found:
        assert add_bots(found, "a", "b", "c", "d") == [1, 2, 3, 4]
        yield found
