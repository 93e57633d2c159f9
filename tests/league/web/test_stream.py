"""One stream carries the changes of all topics of a browser, and only what has changed."""

import asyncio
import os
import re
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from league.model.errors import UnknownRowError
from league.model.live_ply import LivePly
from league.model.records import BotVersion, MatchKey, MoveRecord, ReportRecord
from league.render.live_match_page import LiveGame, draw_live_state
from league.store.rows import LiveMatchRow
from league.store.store import Store, open_store
from league.web import match_watch
from league.web.match_watch import MatchWatch, WatchedMatches
from league.web.page_source import PageSource
from league.web.watching import FOLLOWED_MAX
from tests.league.matches import add_tournament, won_match
from tests.league.web.serving import served
from tests.league.web.streaming import changes, text_of

HOSTILE = "<img src=x onerror=alert(1)>"
KEY = MatchKey(3, 1)
MATCH = "match/1/3/1"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Make a league with a tournament that has a runner: this test."""
    with open_store(str(tmp_path / "league.db"), create=True) as found:
        one, two = (found.bots.register(BotVersion(name, "random")).id for name in ("one", HOSTILE))
        number = add_tournament(found, one, two)
        save(found, 0)
        with found.tournaments.runner_lock(number):
            yield found


@pytest.fixture
def link(store: Store, tmp_path: Path) -> Iterator[str]:
    """Serve it."""
    with served(tmp_path) as found:
        yield found.rstrip("/")


def save(store: Store, number: int) -> None:
    """Store a match."""
    store.matches.save(1, [(MatchKey(number, 0), won_match(1, 2, (1.0, 0.0)))])


def show(store: Store, *moves: int) -> None:
    """Have a match in play."""
    report = ReportRecord(depth=4, score=0.5, text=HOSTILE)
    plies = tuple(LivePly(move, 1_000_000, report) for move in moves)
    row = LiveMatchRow(
        key=KEY, game="connectfour", versions=(1, 2), plies=plies, moved_at_ms=1_700_000_000_000
    )
    store.live.show(1, [row])


def version_in(page: str) -> str:
    """Return the version of what a page shows."""
    found = re.search(r'data-version="([^"]+)"', page)
    assert found is not None
    return found[1]


@pytest.mark.slow
def test_a_page_gets_what_came_after_it_and_unknown_topics_end(store: Store, link: str) -> None:
    version = version_in(text_of(f"{link}/tournaments/1"))
    with closing(changes(link, f"tournament/1~{version}", is_packed=True)) as stream:
        save(store, 1)
        first = next(stream)
        # No part comes whole but those that have a new row, and none that is as it was.
        assert first["topic"] == "tournament/1"
        assert "whole" not in first["parts"]["table"]
        assert "matches" in first["parts"]
        assert "boards" not in first["parts"]
    # A connection that broke goes on where it was.
    save(store, 2)
    with closing(changes(link, f"tournament/1~{version}", known=first["id"])) as stream:
        second = next(stream)
    assert "whole" not in second["parts"]["table"]
    assert ">3<" in second["parts"]["table"]["lines"]["s0c0"]
    # Who knows another server's versions gets all.
    with closing(changes(link, "tournament/1~abcdef.3")) as stream:
        whole = next(stream)["parts"]
    assert all(list(each) == ["whole"] for each in whole.values())
    assert "<img src=x" not in str(whole)
    # A topic that is not there ends at once.
    for topic in ("tournament/99", "match/1/77/0", "nothing", "tournament/1/2", "tournament/01"):
        (event,) = changes(link, topic)
        assert event["over"] is True
        assert "parts" not in event
    assert list(changes(link, "<b>", "tournament/" + "9" * 99)) == []


@pytest.mark.slow
def test_every_move_of_a_match_comes_once(store: Store, link: str) -> None:
    show(store, 3)
    page = text_of(f"{link}/tournaments/1/live/3/1")
    assert "<img src=x" not in page
    # A request for any match in play leads there, too.
    assert f'data-topic="{MATCH}"' in text_of(f"{link}/tournaments/1/live")
    assert page.count('<li data-key="ply') == 1
    # The runner hears that somebody watches.
    mark = Path(f"{store.path}-watched-1")
    assert mark.read_text() == "3 1\n"
    seen: list[str] = []
    with closing(changes(link, "tournament/1", f"{MATCH}~{version_in(page)}")) as stream:
        show(store, 3, 3, 2)
        seen += plies_in(next(each for each in stream if each["topic"] == MATCH))
        show(store, 3, 3, 2, 2, 1)
        seen += plies_in(next(each for each in stream if each["topic"] == MATCH))
        moves = tuple(MoveRecord(move, wall_ns=5_000_000) for move in (3, 2, 2, 1, 1, 0))
        store.matches.save(1, [(KEY, replace(won_match(1, 2), moves=moves))])
        store.live.show(1, [])
        last = next(each for each in stream if each["topic"] == MATCH and each["over"])
    assert seen == ["2", "3", "4", "5"]
    # What the runner did not show comes with the result.
    assert plies_in(last) == ["6", "7"]
    assert 'href="/matches/2"' in str(last["parts"]["head"])
    assert "one (Red) won" in str(last["parts"]["head"])
    assert not mark.exists()
    # A match that is over is a replay.
    assert 'id="moves"' in text_of(f"{link}/tournaments/1/live/3/1")
    assert 'data-topic="tournament/1"' in text_of(f"{link}/tournaments/1/live")


def test_a_match_without_a_new_move_is_not_drawn_again(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    show(store, 0, 1)
    drawn: list[int] = []

    def noted(live: LiveGame, *more: Any) -> dict[str, str]:
        drawn.append(len(live.plies))
        return draw_live_state(live, *more)

    monkeypatch.setattr(match_watch, "draw_live_state", noted)
    monkeypatch.setattr(match_watch, "LOOK_S", 0.0)

    async def follow() -> None:
        watch = MatchWatch(store, WatchedMatches(store), (1, KEY))
        for _ in range(5):
            await watch.look(1.0)
        show(store, 0, 1, 2)
        for _ in range(5):
            await watch.look(1.0)

    asyncio.run(follow())
    assert drawn == [2, 3]


def test_topics_that_are_watched_stay_one_whatever_else_is_asked_for(store: Store) -> None:
    made = PageSource(store).tournaments
    watched = made.of(1)
    for number in range(2, 2 * FOLLOWED_MAX):
        made.of(number)
    assert made.of(1) is watched


def plies_in(event: dict[str, dict[str, dict[str, str]]]) -> list[str]:
    """Return the numbers of the plies that an event adds."""
    return re.findall(r'data-key="ply(\d+)"', event["parts"].get("moves", {}).get("more", ""))


def test_an_address_of_no_match_leaves_no_file(store: Store) -> None:
    before = sorted(path.name for path in store.path.parent.iterdir()) if store.path else []
    show(store, 3)

    async def look() -> None:
        watched = WatchedMatches(store)
        for address in ((1000000001, MatchKey(0, 0)), (1, MatchKey(77, 0)), (2, KEY)):
            with pytest.raises(UnknownRowError):
                await MatchWatch(store, watched, address).look(1.0)

    asyncio.run(look())
    assert store.path is not None
    assert sorted(path.name for path in store.path.parent.iterdir()) == before


def test_a_match_that_ends_leaves_no_file_for_one_that_is_left(store: Store) -> None:
    mark = Path(f"{store.path}-watched-1")
    watched = WatchedMatches(store)
    other = (1, MatchKey(0, 0))
    watched.mark((1, KEY), 0.0)
    watched.mark(other, 0.1)
    watched.forget(other)
    assert not mark.exists()
    watched.mark((1, KEY), 0.2)
    assert mark.read_text() == "3 1\n"


@pytest.mark.slow
def test_a_stream_of_no_match_leaves_no_file(store: Store, link: str, tmp_path: Path) -> None:
    before = {path.name for path in tmp_path.iterdir()}
    for number in range(3):
        topics = [f"match/{1000000001 + 8 * number + each}/0/0" for each in range(8)]
        assert [event["over"] for event in changes(link, *topics)] == [True] * 8
    assert {path.name for path in tmp_path.iterdir()} == before


@pytest.mark.slow
def test_what_a_killed_dashboard_left_is_removed_at_the_start(tmp_path: Path) -> None:
    path = tmp_path / "league.db"
    with open_store(str(path), create=True):
        pass
    old = ("league.db-watched-7", "league.db-watched-7.4321")
    kept = ("league.db-watched-seven", "league.db-watched-8", "other.db-watched-7")
    for name in (*old, *kept):
        (tmp_path / name).write_text("0 0\n")
        # That of another dashboard is not old.
        written_s = time.time() + 1000 if name == "league.db-watched-8" else 1
        os.utime(tmp_path / name, (written_s, written_s))
    with served(tmp_path):
        found = {each.name for each in tmp_path.iterdir()}
    assert found & {*old, *kept} == set(kept)
