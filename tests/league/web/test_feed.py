"""The Atom feed, as a reader of feeds reads it."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from league.store.store import Store, open_store
from league.web.access import Access
from tests.league.analysis.test_news import finish
from tests.league.matches import add_bots
from tests.league.web.asking import ask

ATOM = "{http://www.w3.org/2005/Atom}"
TIME = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"


def read(text: str) -> ET.Element:
    """Read a feed, and check what RFC 4287 requires of it and its entries."""
    feed = ET.fromstring(text)  # noqa: S314 (our own)
    assert feed.tag == f"{ATOM}feed"
    for each in (feed, *feed.iter(f"{ATOM}entry")):
        for name in ("id", "title", "updated"):
            (found,) = each.findall(f"{ATOM}{name}")
            assert found.text
        assert re.fullmatch(TIME, each.findtext(f"{ATOM}updated") or "")
    assert feed.findtext(f"{ATOM}author/{ATOM}name")
    return feed


@pytest.fixture
def empty(tmp_path: Path) -> Store:
    """Make a league of three bots, one with a name that is markup."""
    store = open_store(str(tmp_path / "league.db"), create=True)
    add_bots(store, "<b>&amp;\u202e", "b", "c")
    return store


def test_the_news_are_finished_tournaments_and_new_leaders(empty: Store) -> None:
    with empty as store:
        assert read(ask(store, "/feed.atom")[1]).findall(f"{ATOM}entry") == []
        finish(store, (1, 2), ["WW", "WL"])
        finish(store, (1, 2), ["WW", "DD"])
        status, text, headers = ask(store, "/feed.atom")
        assert (status, headers["content-type"]) == (200, "application/atom+xml; charset=utf-8")
        entries = read(text).findall(f"{ATOM}entry")
        titles = [each.findtext(f"{ATOM}title") for each in entries]
        assert sorted(map(str, titles)) == [
            "Connect Four: <b>&amp;\\u202e leads",
            "Connect Four: tournament 1 is finished",
            "Connect Four: tournament 2 is finished",
        ]
        assert len({each.findtext(f"{ATOM}id") for each in entries}) == 3
        summary = next(
            each.findtext(f"{ATOM}summary")
            for each in entries
            if "tournament 1" in str(each.findtext(f"{ATOM}title"))
        )
        assert "4 matches of 2 bots" in str(summary)
        assert ask(store, "/feed.atom", if_none_match=headers["etag"])[0] == 304


def test_addresses_are_whole_and_public(empty: Store) -> None:
    token = "0123456789abcdefgh"  # noqa: S105 (a test's own)
    access = Access(hosts=("games.example.org",), root="/league", is_secure=True, token=token)
    with empty as store:
        finish(store, (1, 2), ["WW", "WL"])
        told = {"host": "games.example.org"}
        assert ask(store, "/league/feed.atom", access=access, host=told["host"])[0] == 401
        # A reader of feeds keeps no cookies: the token may stay in the address.
        status, text, _ = ask(
            store, f"/league/feed.atom?token={token}", access=access, host=told["host"]
        )
        assert status == 200
        assert token not in text
        links = [each.attrib["href"] for each in read(text).iter(f"{ATOM}link")]
        assert all(each.startswith("https://games.example.org/league/") for each in links)
        page = ask(
            store, "/league/", access=access, host=told["host"], cookie=f"league-token={token}"
        )
        assert '<link rel="alternate" type="application/atom+xml"' in page[1]
