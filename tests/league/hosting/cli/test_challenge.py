"""`league challenge`, against the real application and its checker."""

import json
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from league.hosting.documents import TeamChallenge
from league.hosting.season.practice import play_next
from league.hosting.store.host_store import HostStore, open_host_store
from tests.league.command import both
from tests.league.hosting.season.hosted_app import app_of, serving
from tests.league.hosting.season.hosting import SETTINGS, add_author
from tests.league.hosting.season.teams import FAULTY, new_version
from tests.league.hosting.season.test_practice import playing


@pytest.fixture
def store(tmp_path: Path) -> Iterator[HostStore]:
    """Make a hosted league in which the team `ann` and a house bot play."""
    with open_host_store(str(tmp_path / "hosted.db"), create=True) as found:
        found.seasons.create(replace(SETTINGS, house_bots=("house",), challenges_per_day=2))
        ann = add_author(found, "ann")
        assert ann.team is not None
        new_version(found, "ann", ann.team)
        new_version(found, "house", 0)
        yield found


@pytest.fixture
def link(store: HostStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Serve the league, whose checker plays challenges; the house bot breaks the rules."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    ending = threading.Event()

    def check() -> None:
        while not ending.wait(0.05):
            season = store.seasons.get()
            assert season is not None
            play_next(store, season, make=playing(house=FAULTY))

    checker = threading.Thread(target=check)
    checker.start()
    try:
        person = store.people.by_login("ann")
        assert person is not None
        with serving(app_of(store, person)) as found:
            monkeypatch.setenv("BOTLEAGUE_URL", found)
            monkeypatch.setenv("BOTLEAGUE_TOKEN", "ann")
            yield found
    finally:
        ending.set()
        checker.join()


def test_a_challenge_is_followed_to_its_score(link: str, tmp_path: Path) -> None:
    out, _ = both(tmp_path, "challenge", "House")
    lines = out.splitlines()
    assert lines[0] == "waiting: challenge 1 against house"
    assert lines[1].startswith("match 1, seat 0: won (")
    assert lines[1].endswith(f"illegal move)  {link}/challenges/1/1")
    assert lines[2].startswith("match 2, seat 1: won (")
    assert lines[3] == "2 of 2 points: ann@1 against house@1"
    assert len(lines) == 4


@pytest.mark.slow
def test_it_prints_its_document(link: str, tmp_path: Path) -> None:
    out, _ = both(tmp_path, "challenge", "house", "--json")
    found = msgspec.convert(json.loads(out), TeamChallenge)
    assert (found.team, found.rival, found.version) == ("ann", "house", "ann@1")
    assert [(each.number, each.seat, each.points) for each in found.matches] == [
        (1, 0, 1.0),
        (2, 1, 1.0),
    ]
    out, _ = both(tmp_path, "challenge", "house", "--no-wait", "--json")
    assert not msgspec.convert(json.loads(out), TeamChallenge).matches
    _, told = both(tmp_path, "challenge", "house", code=1)
    assert f"league: {link}: your team has made 2 challenges in 24 hours" in told
    assert "the next one is possible at " in told


@pytest.mark.usefixtures("link")
def test_names_that_nobody_can_challenge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, told = both(tmp_path, "challenge", "hause", code=1)
    assert "no bot 'hause' to challenge (did you mean 'house'?)" in told
    _, told = both(tmp_path, "challenge", "ann", code=1)
    assert "'ann' is your own bot: challenge another one" in told
    _, told = both(tmp_path, "challenge", " ", code=1)
    assert told == "league: '' is no name of a bot: expected one that plays in the season\n"
    monkeypatch.delenv("BOTLEAGUE_TOKEN")
    monkeypatch.delenv("BOTLEAGUE_URL")
    _, told = both(tmp_path, "challenge", "house", code=2)
    assert "run 'league login URL' first" in told


def test_a_challenge_that_fails_says_why(link: str, store: HostStore, tmp_path: Path) -> None:
    season = store.seasons.get()
    assert season is not None
    store.seasons.update(season.id, settings=replace(season.settings, challenges_per_day=0))
    _, told = both(tmp_path, "challenge", "house", code=1)
    assert told == f"league: {link}: challenges are turned off in this season\n"
