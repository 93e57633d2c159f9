"""Heartbeats, and room on the disk."""

from pathlib import Path

import pytest

from league.hosting.model.services import HOST
from league.hosting.season.room import set_free_wanted, shortage
from league.hosting.store.host_store import HostStore, open_host_store
from league.hosting.supervisor.heartbeat import FRESH_S, ServiceHeartbeat
from league.hosting.supervisor.upkeep import DiskWatch, Upkeep


@pytest.fixture
def store(tmp_path: Path) -> HostStore:
    return open_host_store(str(tmp_path / "league.db"), create=True)


def test_a_shortage_begins_and_ends_by_itself(store: HostStore, tmp_path: Path) -> None:
    told, free = [], 1000 << 20
    watch = DiskWatch(store, tmp_path, lambda kind, *_: told.append(kind), lambda: free)
    watch.look()
    assert shortage(store) == ""
    free = 499 << 20
    watch.look()
    watch.look()
    assert "nearly full" in shortage(store)
    # A little more room is not enough, or it would flicker.
    free = 510 << 20
    watch.look()
    assert shortage(store) != ""
    free = 600 << 20
    watch.look()
    assert shortage(store) == ""
    assert told == ["low disk", "room"]


def test_a_shortage_of_an_earlier_host_ends(store: HostStore, tmp_path: Path) -> None:
    DiskWatch(store, tmp_path, lambda *_: None, lambda: 0).look()
    assert shortage(store) != ""
    DiskWatch(store, tmp_path, lambda *_: None, lambda: 1 << 40).look()
    assert shortage(store) == ""


def test_what_must_be_free_is_a_setting(store: HostStore, tmp_path: Path) -> None:
    set_free_wanted(store, 10 << 20)
    DiskWatch(store, tmp_path, lambda *_: None, lambda: 11 << 20).look()
    assert shortage(store) == ""


def test_the_supervisor_tells_what_it_knows(store: HostStore, tmp_path: Path) -> None:
    watch = DiskWatch(store, tmp_path, lambda *_: None, lambda: 1 << 40)
    Upkeep(store, watch, lambda *_: None, lambda: {"restarts": {"web": 2}}).look()
    (row,) = store.services.all()
    assert row.name == HOST
    assert row.state["disk_free"] == 1 << 40
    assert row.state["restarts"] == {"web": 2}


def test_a_database_that_is_away_is_told_once(store: HostStore, tmp_path: Path) -> None:
    told: list[str] = []
    watch = DiskWatch(store, tmp_path, lambda *_: None, lambda: 1 << 40)
    upkeep = Upkeep(store, watch, lambda kind, *_: told.append(kind), dict)
    path = tmp_path / "league.db"
    away = path.rename(tmp_path / "away")
    upkeep.look()
    upkeep.look()
    away.rename(path)
    upkeep.look()
    assert told == ["warning", "back"]


def test_a_heartbeat_stops_with_the_work(store: HostStore) -> None:
    at_s = 0.0
    heartbeat = ServiceHeartbeat(store, "season", clock=lambda: at_s)
    heartbeat.beat({"played": 3})
    assert heartbeat.write()
    at_s = FRESH_S + 1
    assert not heartbeat.write()
    heartbeat.beat()
    assert heartbeat.write()
    (row,) = store.services.all()
    assert row.state == {"played": 3}
