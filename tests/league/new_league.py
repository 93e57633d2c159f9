"""New leagues as copies of one that the real statements made: these take long to compile.

All have the same salt, which leagues draw for themselves otherwise: the same seed plays the same
matches in every run of the tests.
"""

import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from unittest import mock

from league.store import store
from league.store.migration import create
from league.store.settings import SALT
from league.store.store import open_store

TEST_SALT = "the salt of all tests"


@contextmanager
def copied() -> Iterator[None]:
    """Have `open_store` copy new databases that are files from one that is empty."""
    with closing(sqlite3.connect(":memory:", check_same_thread=False)) as empty:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "league.db"
            create(str(path))
            with open_store(str(path)) as league:
                league.settings.set(SALT, TEST_SALT)
            with closing(sqlite3.connect(path)) as made:
                made.backup(empty)
        with mock.patch.object(store, "create_database", partial(_create, empty)):
            yield


def _create(empty: sqlite3.Connection, target: str) -> None:
    if "://" not in target and target != ":memory:":
        # The real statements say what is wrong with a file that can't be written.
        with suppress(sqlite3.Error), closing(sqlite3.connect(target)) as new:
            empty.backup(new)
            return
    create(target)
