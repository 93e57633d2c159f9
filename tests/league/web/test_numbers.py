"""Every address with absurd numbers in its path and query: refused or left out, never a failure."""

import asyncio
import logging
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import httpx
import pytest
from starlette.applications import Starlette
from starlette.convertors import IntegerConvertor
from starlette.routing import Route

from league.hosting.store.sign_ins import SignInTable
from league.hosting.web.views import IN_LOG
from league.model.errors import DatabaseError
from league.store.store import open_store
from league.web import matches
from league.web.app import INTERNAL, make_app
from league.web.failure_log import failures_told
from league.web.openapi import description
from league.web.play_host import PlayHost
from tests.league.hosting.web.secret_league import SecretLeague, a_secret_league

LONG = "9" * 5000
ABSURD = (LONG, "0" * 5000 + "1", "-1", str(2**63), str(2**64), "1e400", "٣", "²", "1_0", "nan")

NUMBERS = ("depth", "known", "number", "page", "ply", "season")
"""Names of numbers in the queries of pages."""

TEXTS = ("bot", "done", "from", "game", "match", "method", "order", "q", "seat", "sort", "time")
MORE_TEXTS = ("after", "before", "limit", "offset", "plies", "since", "to", "topic", "tournament")


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SecretLeague]:
    """Open a hosted league."""
    with a_secret_league(tmp_path_factory.mktemp("numbers")) as found:
        yield found


def paths_of(route: Route) -> Iterator[str]:
    """Yield the paths of a route with each absurd number in each place, and one with none."""
    names = list(route.param_convertors)
    for absurd in names:
        for number in ABSURD:
            values = {**dict.fromkeys(names, "1"), absurd: quote(number)}
            yield filled(route, values)
    yield filled(route, dict.fromkeys(names, "1"))


def filled(route: Route, values: dict[str, str]) -> str:
    """Return the path of a route with values in its places."""
    return re.sub(r"\{(\w+)(?::\w+)?\}", lambda found: values[found[1]], route.path)


def queries_of(route: Route, described: dict[str, Any]) -> Iterator[str]:
    """Yield queries with absurd numbers for a route; the API refuses names that it lacks."""
    operation = described.get(re.sub(r":\w+\}", "}", route.path), {}).get("get", {})
    for each in operation.get("parameters", ()):
        if each["in"] == "query" and each["schema"]["type"] == "integer":
            yield from (urlencode({each["name"]: number}) for number in ABSURD)
    if not operation:
        yield urlencode(dict.fromkeys(NUMBERS, LONG))
        for number in ("²", str(2**63)):
            for names in (NUMBERS, TEXTS, MORE_TEXTS):
                yield urlencode(dict.fromkeys(names, number))


def addresses(app: Starlette) -> list[str]:
    """List the addresses of an application with absurd numbers."""
    described = description(app.state.added)["paths"]
    found = []
    for route in app.routes:
        if isinstance(route, Route) and "GET" in (route.methods or ()):
            *others, usual = paths_of(route)
            found += others
            found += [f"{usual}?{query}" for query in queries_of(route, described)]
    return found


def statuses(app: Starlette, wanted: list[str], cookies: httpx.Cookies) -> dict[str, int]:
    """Ask for addresses; return the status of each."""

    async def asked() -> dict[str, int]:
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(
            transport=transport, base_url="http://localhost", cookies=cookies
        ) as client:
            return {each: (await client.get(each)).status_code for each in wanted}

    with ThreadPoolExecutor(1) as threads:
        return threads.submit(asyncio.run, asked()).result()


def failures(found: dict[str, int]) -> list[str]:
    """List the addresses that failed."""
    return [f"{each[:80]}: {status}" for each, status in found.items() if status == 500]


@pytest.mark.slow
def test_absurd_numbers_are_refused_on_every_page(league: SecretLeague) -> None:
    wanted = addresses(league.app)
    assert len(wanted) > 700
    found = statuses(league.app, wanted, league.visitor("").cookies)
    assert failures(found) == []
    # Those that are found are pages whose query was left out.
    assert {200, 404, 422} <= set(found.values())


@pytest.mark.slow
def test_absurd_numbers_are_refused_where_people_play(odd_folder: Path) -> None:
    with open_store(str(odd_folder / "league.db"), read_only=True, remembers=True) as store:
        app = make_app(store, "league", host=PlayHost(2))
        assert failures(statuses(app, addresses(app), httpx.Cookies())) == []


def test_no_path_takes_a_number_of_any_length(league: SecretLeague) -> None:
    for route in league.app.routes:
        if isinstance(route, Route):
            kinds = [type(each) for each in route.param_convertors.values()]
            assert IntegerConvertor not in kinds, route.path
    assert league.visitor("").ask(f"/matches/{LONG}").status_code == 404
    assert league.visitor("").ask("/matches/000000000000001").status_code == 200


@pytest.mark.parametrize("number", ABSURD)
def test_absurd_numbers_in_forms_are_refused(league: SecretLeague, number: str) -> None:
    boss = league.visitor("")
    for fields in ({"numbers": number}, {"tournament": number}, {"since": f"{number}d"}):
        given = {"reason": "a test", "do": "show", **fields}
        assert boss.post("/organise/voids", **given).status_code < 500, fields
    for fields in ({"do": "token", "days": number}, {"do": "revoke", "number": number}):
        assert boss.post("/me", **fields).status_code < 500, fields
    assert boss.post("/organise/settings", memory=number, closes=number).status_code < 500


@pytest.mark.parametrize("error", [DatabaseError("a damaged row", "x.db"), ZeroDivisionError()])
def test_every_failure_is_logged_with_its_traceback(
    league: SecretLeague,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    error: Exception,
) -> None:
    def fails(*given: Any) -> None:
        raise error

    monkeypatch.setattr(matches, "load_replay", fails)
    caplog.set_level(logging.ERROR, "league.web")
    told: list[str] = []
    (path,) = wanted = ["/matches/1"]
    with failures_told(told.append):
        assert statuses(league.app, wanted, league.visitor("Ants").cookies) == {path: 500}
    (record,) = caplog.records
    assert record.getMessage() == "GET '/matches/1' failed"
    (text,) = told
    assert "Traceback" in text
    assert "in fails" in text


def test_a_failure_names_its_log_to_organisers_alone(
    league: SecretLeague, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(matches, "load_replay", lambda *given: 1 // 0)
    boss, author = (page_of(league, team) for team in ("", "Ants"))
    assert IN_LOG in boss
    assert INTERNAL in author
    assert "web.log" not in author


def page_of(league: SecretLeague, team: str) -> str:
    """Return the text of a match's page, also where it fails."""

    async def asked() -> str:
        transport = httpx.ASGITransport(league.app, raise_app_exceptions=False)
        cookies = league.visitor(team).cookies
        async with httpx.AsyncClient(
            transport=transport, base_url="http://localhost", cookies=cookies
        ) as client:
            return unescape((await client.get("/matches/1")).text)

    return asyncio.run(asked())


def test_a_secret_in_a_path_is_not_logged(
    league: SecretLeague, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(SignInTable, "invited_person", lambda *given: 1 // 0)
    found = statuses(league.app, ["/invitation/abcdefghijkl"], httpx.Cookies())
    assert list(found.values()) == [500]
    (record,) = (each for each in caplog.records if each.name == "league.web")
    assert record.getMessage() == "GET '/invitation/…' failed"


def test_odd_cookies_and_forms_are_no_failure(
    league: SecretLeague, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("http.cookies._unquote", lambda text: 1 // 0)
    visitor = league.visitor("")
    odd = "; ".join(
        ["===", 'x="\\101"', *(f"{name}={text}" for name, text in visitor.cookies.items())]
    )
    visitor.cookies = httpx.Cookies()
    assert visitor.ask("/api/me", cookie=odd).json()["login"] == "boss"
    for path in ("/sign-in", "/me", "/sign-out", "/api/challenges"):
        for body in (b"a=1&" * 70, b"&" * 8000, b"\0=%00&%ff=%zz"):
            kind = "application/x-www-form-urlencoded"
            answer = visitor.ask_raw(path, body, kind, cookie=odd)
            assert answer.status_code in (403, 413, 422), (path, body[:9])
    assert caplog.records == []


def test_whoever_goes_while_sending_is_no_failure(
    league: SecretLeague, caplog: pytest.LogCaptureFixture
) -> None:
    messages = [{"type": "http.request", "body": b"login=", "more_body": True}]

    async def receive() -> Any:
        return messages.pop() if messages else {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        pass

    head = [(b"host", b"localhost"), (b"content-length", b"4000")]
    path = {"path": "/sign-in", "raw_path": b"/sign-in", "query_string": b""}
    scope = {"type": "http", "method": "POST", "scheme": "http", "headers": head, **path}
    asyncio.run(league.app(scope, receive, send))
    assert caplog.records == []
