"""What monitors of a host ask for."""

import asyncio
import json
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families
from starlette.applications import Starlette

from league.hosting.api.health import SILENT_S, fault_of, metrics_text
from league.hosting.model.services import HOST, PARTS, ServiceRow
from league.hosting.pages import WING
from league.hosting.store.host_store import HostStore, open_host_store
from league.hosting.web.health import beating
from league.hosting.web.hosted import Hosted
from league.web.app import make_app

TOKEN = "0123456789abcdef-metrics"  # noqa: S105 (a test's own)


def row(name: str, beat_at: int) -> ServiceRow:
    """Return a process that beat at that time."""
    return ServiceRow(name=name, pid=1, started_at=0, beat_at=beat_at, starts=1)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[HostStore]:
    with open_host_store(str(tmp_path / "league.db"), create=True) as opened:
        yield opened


class Asking:
    """Asks the dashboard of a hosted league from an address."""

    def __init__(
        self,
        store: HostStore,
        *,
        client: str = "127.0.0.1",
        token: str = "",
        is_behind_proxy: bool = False,
        is_hosted: bool = True,
    ) -> None:
        hosted = Hosted(store, metrics_token=token, is_behind_proxy=is_behind_proxy)
        self._app = make_app(store, "league", given={WING: hosted} if is_hosted else {})
        self._client = client

    def get(self, path: str, **headers: str) -> tuple[int, str, dict[str, str]]:
        """Return the status, the text and the headers of an answer; `_` stands for a hyphen."""
        given = {"host": "localhost:8000"}
        given |= {name.replace("_", "-"): each for name, each in headers.items()}
        scope = {
            "type": "http",
            "method": "GET",
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "headers": [(name.lower().encode(), each.encode()) for name, each in given.items()],
            "server": ("127.0.0.1", 8000),
            "client": (self._client, 5000),
        }
        sent: list[Any] = []

        async def receive() -> Any:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Any) -> None:
            sent.append(dict(message))

        def run() -> None:
            asyncio.run(self._app(scope, receive, send))

        # In a thread of its own: that of a test may have the loop of a browser.
        with ThreadPoolExecutor(1) as threads:
            threads.submit(run).result()
        answered = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
        text = b"".join(message.get("body", b"") for message in sent[1:]).decode()
        return sent[0]["status"], text, answered


def test_all_parts_must_beat() -> None:
    rows = [row(name, 100) for name in PARTS]
    assert fault_of(rows, 100) == ""
    assert fault_of(rows, 100 + SILENT_S) == ""
    assert "sign of life" in fault_of(rows, 101 + SILENT_S)
    assert fault_of(rows[1:], 100) == "web has not started"
    # A clock that was set back.
    assert fault_of(rows, 50) == ""


def test_health_tells_the_reason_and_nothing_else(store: HostStore) -> None:
    asking = Asking(store, client="203.0.113.9")
    status, text, _ = asking.get("/healthz")
    assert (status, json.loads(text)) == (
        503,
        {"status": "failing", "reason": "web has not started"},
    )
    for name in PARTS:
        store.services.beat(name, 1)
    status, text, headers = asking.get("/healthz")
    assert (status, json.loads(text)) == (200, {"status": "ok"})
    assert headers["cache-control"] == "no-store"
    store.services.beat("season", 1, at=int(time.time()) - 60)
    status, text, _ = asking.get("/healthz")
    assert status == 503
    assert json.loads(text)["reason"].startswith("season has shown no sign of life")


def test_health_without_a_database_names_no_file(store: HostStore, tmp_path: Path) -> None:
    asking = Asking(store)
    (tmp_path / "league.db").unlink()
    status, text, _ = asking.get("/healthz")
    reason = {"status": "failing", "reason": "the database does not answer"}
    assert (status, json.loads(text)) == (503, reason)


def test_metrics_are_read_by_their_own_parser(store: HostStore) -> None:
    team = store.people.add_team("rooks")
    store.submissions.receive(team.id, None, "a.py", b"x", {}, int(time.time() * 1000) - 5000)
    for name in PARTS:
        store.services.beat(name, 1)
    store.services.beat("web", 2)
    store.services.beat(HOST, 3, {"disk_free": 1 << 30, "load": 0.25, "backup_at": 1_800_000_000})
    families = {each.name: each for each in text_string_to_metric_families(metrics_text(store))}
    values: Mapping[str, list[tuple[dict[str, str], float]]] = {
        name: [(sample.labels, sample.value) for sample in family.samples]
        for name, family in families.items()
    }
    assert values["botleague_up"] == [({}, 1)]
    assert values["botleague_matches"] == [({}, 0)]
    assert values["botleague_submission_queue"] == [({}, 1)]
    assert values["botleague_submissions"] == [({"state": "received"}, 1)]
    assert values["botleague_teams"] == [({"standing": "active"}, 1)]
    assert ({"process": "web"}, 2) in values["botleague_process_starts"]
    assert values["botleague_disk_free_bytes"] == [({}, 1 << 30)]
    assert values["botleague_load1"] == [({}, 0.25)]
    assert values["botleague_database_bytes"][0][1] > 0
    assert values["botleague_submission_oldest_waiting_seconds"][0][1] >= 5
    assert all(family.documentation for family in families.values())


def test_metrics_are_for_this_machine(store: HostStore) -> None:
    asking = Asking(store)
    status, _, headers = asking.get("/metrics")
    assert status == 200
    assert headers["content-type"].startswith("text/plain; version=0.0.4")
    for header in ("X_Forwarded_For", "Forwarded", "X_Real_IP", "Via"):
        assert asking.get("/metrics", **{header: "127.0.0.1"})[0] == 403
    assert Asking(store, client="203.0.113.9").get("/metrics")[0] == 403


def test_behind_a_proxy_the_token_alone_counts(store: HostStore) -> None:
    asking = Asking(store, token=TOKEN, is_behind_proxy=True)
    assert asking.get("/metrics")[0] == 403
    assert asking.get("/metrics", Authorization=f"Bearer {TOKEN}x")[0] == 403
    assert asking.get("/metrics", Authorization=f"Bearer {TOKEN}")[0] == 200


def test_a_league_that_is_only_served_has_neither(store: HostStore) -> None:
    asking = Asking(store, is_hosted=False)
    assert asking.get("/healthz")[0] == 404
    assert asking.get("/metrics")[0] == 404


def test_the_web_beats_while_its_loop_turns() -> None:
    beats: list[int] = []

    async def turn() -> None:
        async with beating(lambda: beats.append(1))(Starlette()):
            await asyncio.sleep(0)

    with ThreadPoolExecutor(1) as threads:
        threads.submit(lambda: asyncio.run(turn())).result()
    assert beats
