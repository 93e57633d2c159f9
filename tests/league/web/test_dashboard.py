"""The dashboard as `league serve` runs it: its pages, whom it answers, and its end."""

import http.client
import json
import re
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit

import pytest

from tests.browser import until
from tests.league.command import league, start
from tests.league.web.serving import served
from tests.waiting import PATIENCE_S, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Page

PAGES = ("/", "/tournaments", "/tournaments/1", "/bots", "/matches", "/matches/1", "/games")
RUN = ("run", "--bots", "all", "--depth", "2", "--seed", "1", "--quiet")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a league with two tournaments."""
    found = tmp_path_factory.mktemp("league")
    for name, spec in {"ab": "alphabeta", "rnd": "random", "gr": "greedy"}.items():
        league(found, "register", name, spec, "--no-check")
    league(found, *RUN, "--game", "connectfour")
    league(found, *RUN, "--game", "tictactoe", "--format", "knockout")
    return found


@pytest.fixture(scope="module")
def link(folder: Path) -> Iterator[str]:
    """Serve that league."""
    with served(folder) as found:
        yield found.rstrip("/")


def got(link: str, method: str = "GET", **headers: str) -> tuple[int, str, dict[str, str]]:
    """Ask for an address; return the status, the text and the headers of the answer."""
    request = urllib.request.Request(link, headers=headers, method=method)  # noqa: S310 (our own)
    try:
        with urllib.request.urlopen(request) as answer:  # noqa: S310
            return answer.status, answer.read().decode(), dict(answer.headers)
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode(), dict(error.headers)


@pytest.mark.parametrize("path", [*PAGES, "/bots/ab"])
def test_every_page_is_there_and_strict(link: str, path: str) -> None:
    status, text, headers = got(link + path)
    assert status == 200
    assert "script-src 'self'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert not {"access-control-allow-origin", "server", "x-powered-by"} & set(headers)
    assert len(text) < 150_000
    assert not re.search(r"(src|href)=\"(https?:)?//", text)


@pytest.mark.parametrize("path", ["/nothing", "/matches/999", "/bots/nobody", "/tournaments/99"])
def test_what_is_not_there_is_said(link: str, path: str) -> None:
    assert got(link + path)[0] == 404
    status, text, _ = got(f"{link}/api{path}")
    assert (status, list(json.loads(text))) == (404, ["error"])


def test_the_api_gives_what_commands_print(link: str, folder: Path) -> None:
    for path, command in {
        "/api/tournaments": ("tournaments",),
        "/api/bots/ab": ("bots", "ab"),
        "/api/matches?limit=3": ("matches", "--limit", "3"),
        "/api/matches/1": ("replay", "1"),
    }.items():
        assert json.loads(got(link + path)[1]) == json.loads(league(folder, *command, "--json"))


@pytest.mark.parametrize("query", ["from=x", "from=-1", "from=²", "from=", "from=" + "9" * 5000])
def test_what_is_no_number_is_no_failure(link: str, query: str) -> None:
    assert got(f"{link}/matches?{quote(query, safe='=')}")[0] == 200


def test_other_names_for_this_machine_are_refused(link: str) -> None:
    assert got(f"{link}/", Host="evil.example")[0] == 421
    assert got(f"{link}/", Host="127.0.0.1.evil.example:80")[0] == 421
    assert got(f"{link}/", Host="LOCALHOST:1")[0] == 200


@pytest.mark.slow
def test_others_need_the_link(folder: Path) -> None:
    everywhere = "0.0.0.0"  # noqa: S104 (that is what this is about)
    with served(folder, "--host", everywhere) as found:
        bare, _, token = found.partition("?token=")
        # The link has an address of this machine that others reach, and works as it is.
        assert everywhere not in bare
        local = f"http://127.0.0.1:{urlsplit(bare).port}/"
        for each in (bare, local):
            assert got(each)[0] == 403
            assert got(f"{each}?token=x")[0] == 403
            assert got(f"{each}matches", Cookie=f"league-token={token}")[0] == 200
            assert got(f"{each}api/bots", Authorization=f"Bearer {token}")[0] == 200
        status, text, headers = got(f"{local}api/bots")
        assert (status, list(json.loads(text))) == (401, ["error"])
        assert headers["www-authenticate"] == "Bearer"
        assert got(local, Host="evil.example", Cookie=f"league-token={token}")[0] == 421


def test_a_match_is_replayed(quiet: "Page", link: str) -> None:
    quiet.goto(f"{link}/matches/1#0")
    quiet.keyboard.press("ArrowRight")
    assert str(quiet.evaluate("document.getElementById('told').textContent")).startswith("1. ")


def test_a_tournament_in_play_is_followed(quiet: "Page", folder: Path, link: str) -> None:
    with start(folder, *RUN, "--game", "othello", "--rounds", "400", "--depth", "3") as runner:
        wait_until(lambda: "in play" in got(f"{link}/tournaments/3")[1], pause_s=0.1)
        quiet.goto(f"{link}/tournaments/3")
        value = "document.querySelector('.flow progress').value"
        for _ in range(3):
            until(quiet, f"{value} > {quiet.evaluate(value)}")
        league(folder, "tournament", "cancel", "3")
        quiet.wait_for_selector(".flow:has-text('cancelled')")
        runner.communicate(timeout=PATIENCE_S)


def test_a_connection_that_is_kept_answers_at_once(link: str) -> None:
    connection = http.client.HTTPConnection(link.removeprefix("http://"))

    def took_s() -> float:
        begin = time.perf_counter()
        connection.request("GET", "/static/style.css")
        connection.getresponse().read()
        return time.perf_counter() - begin

    took_s()
    # A system that waits for more to acknowledge waits 40 ms, each time but the first.
    wait_until(lambda: took_s() < 0.035)
    connection.close()


@pytest.mark.slow
def test_a_match_is_offered_as_files(link: str, folder: Path) -> None:
    page = got(f"{link}/matches/1")[1]
    offered = re.findall(r'href="/matches/1/(\w+)"[^>]* download', page)
    assert offered == ["html", "svg", "animated", "pgn", "json"]
    kinds = {"html": "text/html", "svg": "image/svg+xml", "pgn": "application/x-chess-pgn"}
    for name in offered:
        status, text, headers = got(f"{link}/matches/1/{name}")
        assert status == 200
        suffix = "svg" if name == "animated" else name
        assert headers["content-disposition"] == f'attachment; filename="match-1.{suffix}"'
        assert headers["content-type"].startswith(kinds.get(suffix, "application/json"))
        assert text == league(folder, "export", "--match", "1", "--as", name)
    assert 'href="/tournaments/1/matches"' in got(f"{link}/tournaments/1")[1]
    status, text, headers = got(f"{link}/tournaments/1/matches")
    assert headers["content-disposition"] == 'attachment; filename="tournament-1.json"'
    assert (status, text) == (200, league(folder, "export", "1", "--as", "json"))
    assert got(f"{link}/tournaments/99/matches")[0] == 404
    assert got(f"{link}/matches/1/svg?ply=3")[1] == league(
        folder, "export", "--match", "1", "--svg", "-", "--ply", "3"
    )
    assert got(f"{link}/matches/1/svg?ply=999")[0] == 400
    assert got(f"{link}/matches/999/svg")[0] == 404
    assert got(f"{link}/matches/1/gif")[0] == 404
