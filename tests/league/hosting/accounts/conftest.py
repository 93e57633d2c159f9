"""A league with people, of each kind of database, and a clock that tests set."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import argon2
import pytest

from league.hosting.accounts import passwords
from league.hosting.model.people import Person, Role
from league.hosting.store.host_store import HostStore, open_host_store
from tests.league.postgres import emptied

PASSWORD = "rooks on open files"  # noqa: S105 (a test's own)


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[HostStore]:
    """Open a new league of each kind in turn."""
    target = str(tmp_path / "league.db")
    if request.param == "postgresql":
        target = emptied(request.getfixturevalue("postgres"))
    with open_host_store(target, create=True) as found:
        yield found


@pytest.fixture(autouse=True)
def quick_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hash with the least work, but for tests of the hashes themselves."""
    least = argon2.PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    monkeypatch.setattr(passwords, "hasher", lambda: least)
    passwords._nobodys.cache_clear()


@pytest.fixture
def ada(store: HostStore) -> Person:
    """Add a person with a password."""
    person = store.people.add("ada", Role.AUTHOR)
    store.people.set_password_hash(person.id, passwords.hash_password(PASSWORD))
    return store.people.get(person.id)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Stop the time, and return what moves it on, in seconds."""
    offset = [0]
    begun = time.time()
    monkeypatch.setattr("time.time", lambda: begun + offset[0])

    def later(seconds: int) -> None:
        offset[0] += seconds

    return later
