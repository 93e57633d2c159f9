"""The processes of a host in the database."""

import os
from pathlib import Path

import pytest

from league.hosting.model.services import HostCounts
from league.hosting.store.host_store import HostStore, open_host_store
from league.model.errors import SetupError


def test_a_heartbeat_counts_starts(fresh_db: HostStore) -> None:
    fresh_db.services.beat("web", 7, {"a": 1}, at=100)
    fresh_db.services.beat("web", 7, at=101)
    fresh_db.services.beat("web", 8, {"a": 2}, at=105)
    fresh_db.services.beat("intake", 9, at=106)
    intake, web = fresh_db.services.all()
    assert (web.pid, web.started_at, web.beat_at, web.starts) == (8, 105, 105, 2)
    assert web.state == {"a": 2}
    assert (intake.name, intake.starts, intake.state) == ("intake", 1, {})
    fresh_db.services.forget()
    assert fresh_db.services.all() == ()


def test_a_beat_without_measures_keeps_the_last_ones(fresh_db: HostStore) -> None:
    fresh_db.services.beat("web", 7, {"a": 1}, at=100)
    fresh_db.services.beat("web", 7, at=101)
    (web,) = fresh_db.services.all()
    assert (web.beat_at, web.state) == (101, {"a": 1})


def test_a_league_has_one_host(fresh_db: HostStore) -> None:
    assert not fresh_db.services.is_hosted()
    with fresh_db.services.host_lock() as check:
        check()
        assert fresh_db.services.is_hosted()
        with (
            open_host_store(fresh_db.target) as other,
            pytest.raises(SetupError, match="another process hosts this league"),
            other.services.host_lock(),
        ):
            pass
        # The locks of tournaments are others.
        assert not fresh_db.tournaments.is_in_play(1)
    assert not fresh_db.services.is_hosted()


def test_the_lock_of_a_file_names_its_process(tmp_path: Path) -> None:
    with (
        open_host_store(str(tmp_path / "league.db"), create=True) as store,
        store.services.host_lock(),
        pytest.raises(SetupError, match=f"process {os.getpid()}"),
        store.services.host_lock(),
    ):
        pass


def test_an_empty_league_counts_nothing(fresh_db: HostStore) -> None:
    found = fresh_db.services.counts()
    size = found.database_bytes
    assert size > 0
    assert found == HostCounts(
        matches=0,
        last_match_at=None,
        faults={},
        submissions={},
        oldest_waiting_ms=None,
        teams={},
        database_bytes=size,
    )


def test_teams_and_submissions_are_counted(fresh_db: HostStore) -> None:
    team = fresh_db.people.add_team("rooks")
    fresh_db.submissions.receive(team.id, None, "a.py", b"x", {}, 5000)
    fresh_db.submissions.receive(team.id, None, "a.py", b"y", {}, 4000)
    found = fresh_db.services.counts()
    assert found.submissions == {"received": 2}
    assert found.oldest_waiting_ms == 4000
    assert found.teams == {"active": 1}
