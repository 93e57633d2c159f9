"""Backups are made when they are due, checked, and rotated."""

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from league.hosting.model.season import SeasonSettings
from league.hosting.store.host_store import HostStore, open_host_store
from league.hosting.supervisor.backups import Backups
from league.model.errors import SetupError
from league.store.tables import METADATA
from tests.league.hosting.web.secret_league import make_secret_league
from tests.league.postgres import emptied, run_client


class Clock:
    """A clock that the test sets."""

    def __init__(self) -> None:
        self.at_s = 1_800_000_000.0

    def __call__(self) -> float:
        """Return the time."""
        return self.at_s


def told(kind: str, text: str, part: str = "host") -> None:
    TOLD.append((kind, text))


TOLD: list[tuple[str, str]] = []


@pytest.fixture
def store(tmp_path: Path) -> HostStore:
    TOLD.clear()
    return open_host_store(str(tmp_path / "league.db"), create=True)


def test_the_newest_stay_and_other_files_are_left_alone(store: HostStore, tmp_path: Path) -> None:
    clock, folder = Clock(), tmp_path / "backups"
    folder.mkdir()
    other = folder / "league-mine.db"
    other.write_text("keep me")
    backups = Backups(store, folder, told, every_s=3600, keep=3, clock=clock)
    for number in range(5):
        store.settings.set("number", str(number))
        backups.look()
        backups.finish()
        backups.look()
        backups.finish()
        clock.at_s += 3600
    made = backups.made()
    assert len(made) == 3
    assert other.exists()
    found = []
    for each in made:
        with open_host_store(str(each), read_only=True) as copy:
            found.append(copy.settings.get("number", ""))
    assert found == ["2", "3", "4"]
    assert [kind for kind, _ in TOLD] == ["backup"] * 5


def test_a_restart_does_not_begin_the_pause_anew(store: HostStore, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    Backups(store, folder, told, every_s=3600, keep=3).make()
    again = Backups(store, folder, told, every_s=3600, keep=3)
    again.look()
    again.finish()
    assert len(again.made()) == 1
    assert again.last_at is not None


def test_a_backup_that_fails_is_told_and_tried_again(store: HostStore, tmp_path: Path) -> None:
    clock, folder = Clock(), tmp_path / "backups"
    backups = Backups(store, folder, told, every_s=86_400, keep=3, clock=clock)
    folder.rmdir()
    backups.look()
    backups.finish()
    assert [kind for kind, _ in TOLD] == ["warning"]
    folder.mkdir()
    clock.at_s += 601
    backups.look()
    backups.finish()
    assert len(backups.made()) == 1


def test_a_server_is_not_copied(postgres: str, tmp_path: Path) -> None:
    with (
        open_host_store(postgres, create=True) as store,
        pytest.raises(SetupError, match="pg_dump"),
    ):
        Backups(store, tmp_path, told, every_s=1, keep=1)


def rows_of(store: HostStore, table: str) -> list[Any]:
    """Return all rows of a table, by their numbers."""
    with store.reading() as connection:
        query = select(METADATA.tables[table])
        return list(map(tuple, connection.execute(query.order_by("id"))))


@pytest.mark.slow
def test_a_dump_of_a_server_is_the_whole_league(postgres: str, tmp_path: Path) -> None:
    make_secret_league(emptied(postgres))
    dump, restored = str(tmp_path / "league.dump"), postgres.replace("/postgres?", "/restored?")
    run_client("pg_dump", "--format=custom", f"--file={dump}", postgres)
    run_client("createdb", f"--maintenance-db={postgres}", "restored")
    run_client("pg_restore", "--no-owner", f"--dbname={restored}", dump)
    with open_host_store(postgres) as before, open_host_store(restored) as after:
        for name in ("season", "team", "person", "submission", "match"):
            assert rows_of(after, name) == rows_of(before, name)
        assert after.services.counts().matches == before.services.counts().matches > 0
        after.seasons.create(SeasonSettings(name="Next", game="connectfour"))
