"""Whom the dashboard answers, by which names, and below which path."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from league.model.errors import SetupError
from league.store.store import Store, open_store
from league.web.access import LOCAL, Access, PublicUrl, check_token, read_host
from league.web.server import Service
from tests.league.command import league
from tests.league.matches import add_bots
from tests.league.web.asking import ask


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Open a new league with two bots."""
    with open_store(str(tmp_path / "league.db"), create=True) as found:
        add_bots(found, "a", "b")
        yield found


TOKEN = "0123456789abcdefgh"  # noqa: S105 (a test's own)
CLOSED = Access(token=TOKEN)
BELOW = Access(hosts=("games.example.org",), token=TOKEN, root="/course/league", is_secure=True)


@pytest.mark.parametrize(
    ("address", "leads_to"),
    [
        ("/?token={}", "/"),
        ("/bots?q=a%20b&token={}&sort=name", "/bots?q=a+b&sort=name"),
        ("/bots/a%2Fb%3Fc?token={}", "/bots/a%2Fb%3Fc"),
        ("//evil.example/?token={}", "/evil.example/"),
        ("/\\evil.example/?token={}", "/evil.example/"),
        ("/%5Cevil.example/?token={}", "/%5Cevil.example/"),
        ("///evil.example?token={}&token=x", "/evil.example"),
    ],
)
def test_a_link_with_the_token_leads_to_the_same_place(
    store: Store, address: str, leads_to: str
) -> None:
    status, _, headers = ask(store, address.format(TOKEN), access=CLOSED)
    assert (status, headers["location"]) == (303, leads_to)
    cookie = headers["set-cookie"].lower()
    assert all(word in cookie for word in (TOKEN, "httponly", "samesite=lax", "path=/;"))
    assert "secure" not in cookie
    # Who has the cookie, and follows an old link, is not stopped either.
    status, _, headers = ask(
        store, address.format("old"), access=CLOSED, cookie=f"league-token={TOKEN}"
    )
    assert (status, headers["location"]) == (303, leads_to)
    assert "set-cookie" not in headers


def test_a_person_may_paste_the_token(store: Store) -> None:
    status, text, headers = ask(store, "/bots?q=x", access=CLOSED)
    assert (status, headers["cache-control"]) == (403, "no-store")
    assert re.search(r'<form method="post">.*name="token"', text, re.DOTALL)
    assert "That is not the token" not in text
    # The style of that page needs no token, and nothing else goes without.
    assert ask(store, "/static/style.css", access=CLOSED)[0] == 200
    status, text, _ = ask(store, "/bots", access=CLOSED, method="POST", body="token=x")
    assert status == 403
    assert "That is not the token" in text
    status, _, headers = ask(
        store, "/bots?q=x", access=CLOSED, method="POST", body=f"token=+{TOKEN}+"
    )
    assert (status, headers["location"]) == (303, "/bots?q=x")
    assert TOKEN in headers["set-cookie"]
    long = f"x={'x' * 5000}&token={TOKEN}"
    assert ask(store, "/bots", access=CLOSED, method="POST", body=long)[0] == 403


def test_programs_bring_the_token_with_each_request(store: Store) -> None:
    assert ask(store, "/api/bots", access=CLOSED, authorization=f"bearer {TOKEN}")[0] == 200
    assert ask(store, "/api/bots", access=CLOSED, authorization=f"Basic {TOKEN}")[0] == 401
    assert ask(store, "/api/bots", access=CLOSED, authorization="Bearer x")[0] == 401
    assert ask(store, f"/api/bots?limit=1&token={TOKEN}", access=CLOSED)[0] == 200
    assert ask(store, "/api/bots", access=CLOSED, cookie='league-token="; x=\\')[0] == 401


@pytest.mark.parametrize("cookie", ["===", 'x="' + "\\" * 99 + '"', '=; ;"; league-token'])
def test_odd_cookies_cost_nothing_and_hide_no_other(
    store: Store, monkeypatch: pytest.MonkeyPatch, cookie: str
) -> None:
    # It takes seconds for thirty thousand of these.
    monkeypatch.setattr("http.cookies._unquote", lambda text: 1 // 0)
    whole = f"{cookie}; league-token={TOKEN}"
    assert ask(store, "/bots", access=CLOSED, cookie=whole)[0] == 200
    assert ask(store, "/bots", access=CLOSED, cookie=cookie)[0] == 403


@pytest.mark.parametrize(
    ("headers", "is_refused"),
    [
        ({}, False),
        ({"origin": "http://localhost"}, False),
        ({"origin": "http://evil.example"}, True),
        ({"origin": "null"}, True),
        ({"origin": "http://["}, True),
        ({"origin": "http://a]b"}, True),
        ({"sec_fetch_site": "same-origin"}, False),
        ({"sec_fetch_site": "cross-site"}, True),
        ({"sec_fetch_site": "same-site", "origin": "http://localhost"}, True),
    ],
)
def test_pages_elsewhere_send_nothing(
    store: Store, headers: dict[str, str], is_refused: bool
) -> None:
    status, _, _ = ask(store, "/bots", method="POST", access=LOCAL, body="", **headers)
    assert status == (403 if is_refused else 405)


@pytest.mark.parametrize(
    ("host", "local", "is_known"),
    [
        ("localhost:8000", "127.0.0.1", True),
        ("LOCALHOST", "127.0.0.1", True),
        ("[::1]:80", "::1", True),
        ("192.168.1.5:8000", "192.168.1.5", True),
        ("192.168.1.6", "192.168.1.5", False),
        ("192.168.1.5", "::ffff:192.168.1.5", True),
        ("[fe80::1]:80", "fe80::1%eth0", True),
        ("evil.example", "192.168.1.5", False),
        ("192.168.1.5.evil.example", "192.168.1.5", False),
        ("", "127.0.0.1", False),
        ("localhost", "", True),
    ],
)
def test_the_names_that_it_answers_to(host: str, local: str, is_known: bool) -> None:
    assert Access().is_known(host, local) is is_known


@pytest.mark.parametrize("before", ["", BELOW.root])
def test_it_is_served_below_a_path(store: Store, before: str) -> None:
    """A proxy may leave the path as it is, or cut it off."""
    told = {"host": "games.example.org", "cookie": f"league-token={TOKEN}"}
    status, text, headers = ask(store, f"{before}/", access=BELOW, **told)
    assert status == 200
    found = re.findall(r'(?:href|src|action)="(/[^"]*)"', text)
    assert len(found) > 5
    assert all(each.startswith(f"{BELOW.root}/") for each in found)
    assert ask(store, f"{before}/static/style.css", access=BELOW, **told)[0] == 200
    assert ask(store, f"{before}/api/bots", access=BELOW, **told)[0] == 200
    assert ask(store, f"{before}/api/nothing", access=BELOW, **told)[1].startswith("{")
    status, _, headers = ask(
        store, f"{before}/bots?token={TOKEN}", access=BELOW, host="games.example.org"
    )
    assert (status, headers["location"]) == (303, f"{BELOW.root}/bots")
    assert "secure" in headers["set-cookie"].lower()
    assert f"path={BELOW.root};" in headers["set-cookie"].lower()


def test_the_path_alone_leads_to_the_first_page(store: Store) -> None:
    told = {"host": "games.example.org", "cookie": f"league-token={TOKEN}"}
    status, _, headers = ask(store, f"{BELOW.root}?a=1", access=BELOW, **told)
    assert (status, headers["location"]) == (307, f"{BELOW.root}/?a=1")
    status, _, headers = ask(store, f"{BELOW.root}/bots/", access=BELOW, **told)
    assert status in (200, 404) or headers["location"].startswith("https://games.example.org/")


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("https://games.example.org/league/", ("https", "games.example.org", "/league")),
        ("http://Games.example.org:8080", ("http", "games.example.org:8080", "")),
        ("https://[::1]/a/b", ("https", "[::1]", "/a/b")),
    ],
)
def test_public_addresses(text: str, read: tuple[str, str, str]) -> None:
    found = PublicUrl.read(text)
    assert (found.scheme, found.netloc, found.root) == read
    assert str(found).endswith("/")


@pytest.mark.parametrize(
    "text",
    [
        "games.example.org",
        "ftp://games.example.org",
        "https:///league",
        "https://games.example.org/a?b=c",
        "https://games.example.org/a/../b",
        "https://games.example.org/a b",
        "https://me:pass@games.example.org",
        "https://games.example.org:x",
        "https://games.example.org//evil",
    ],
)
def test_what_is_no_public_address(text: str) -> None:
    with pytest.raises(SetupError, match="public URL"):
        PublicUrl.read(text)


def test_names_and_tokens_that_do_not_fit() -> None:
    assert read_host("Games.example.org:80") == "games.example.org"
    with pytest.raises(SetupError, match="host"):
        read_host("http://games.example.org/")
    with pytest.raises(SetupError, match="16 or more"):
        check_token("short", "a file")
    with pytest.raises(SetupError, match="16 or more"):
        check_token("with spaces in it, and long", "a file")


def test_links_that_others_can_follow() -> None:
    public = PublicUrl.read("https://games.example.org/league")
    service = Service(name="x", host="127.0.0.1", port=0, token=TOKEN, public=public)
    assert service.link(8000) == f"https://games.example.org/league/?token={TOKEN}"
    assert not service.is_local
    assert service.access.is_known("games.example.org", "127.0.0.1")
    assert Service(name="x", host="::1", port=0).link(8000) == "http://[::1]:8000/"
    for everywhere in ("0.0.0.0", "::"):  # noqa: S104 (that is what this is about)
        link = Service(name="x", host=everywhere, port=0).link(8000)
        assert re.fullmatch(r"http://[\[\]0-9a-f.:]+:8000/", link)
        assert f"//{everywhere}:" not in link
        assert "[::]" not in link


def test_a_token_is_kept_in_a_file(tmp_path: Path) -> None:
    from league.cli.serve import _kept_token  # noqa: PLC0415

    path = tmp_path / "token"
    token = _kept_token(path)
    assert (path.stat().st_mode & 0o777, _kept_token(path)) == (0o600, token)
    path.write_text("short")
    with pytest.raises(SetupError, match="16 or more"):
        _kept_token(path)
    with pytest.raises(SetupError, match="can't read the token"):
        _kept_token(tmp_path / "no" / "token")


@pytest.mark.slow
def test_wrong_options_are_refused_before_anything_listens(tmp_path: Path) -> None:
    league(tmp_path, "register", "rnd", "random", "--no-check")
    told = league(tmp_path, "serve", "--public-url", "games", code=1)
    assert "expected an address" in told
    assert "exclude" in league(tmp_path, "serve", "--no-token", "--token-file", "x", code=2)
