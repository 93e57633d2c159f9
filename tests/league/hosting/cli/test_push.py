"""`league login` and `league push`, against the real application."""

import json
import os
import stat
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from league.hosting.api.logins import Login, Logins, chosen_login, logins_path, read_url
from league.hosting.api.remote import Remote
from league.hosting.documents import TeamSubmission
from league.hosting.model.errors import RemoteError
from league.hosting.season.intake import work_once
from league.hosting.season.packing import packed
from league.hosting.store.host_store import open_host_store
from league.model.errors import SetupError
from league.model.records import Isolation
from league.seats.process.isolation import why_no_sandbox
from tests.league.command import LEAGUE, both
from tests.league.hosting.season.hosted_app import app_of, serving
from tests.league.hosting.season.hosting import GOOD, SETTINGS, add_author, season_of
from tests.waiting import PATIENCE_S

LEVEL = Isolation.LIMITS if why_no_sandbox() else Isolation.SANDBOX


@pytest.fixture
def link(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Serve a hosted league that checks what it receives."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("BOTLEAGUE_URL", raising=False)
    monkeypatch.delenv("BOTLEAGUE_TOKEN", raising=False)
    ending = threading.Event()
    with open_host_store(str(tmp_path / "hosted.db"), create=True) as store:
        store.seasons.create(SETTINGS)
        ann = add_author(store, "ann")

        def check() -> None:
            while not ending.wait(0.1):
                work_once(store, season_of(), isolation=LEVEL)

        checker = threading.Thread(target=check)
        checker.start()
        try:
            with serving(app_of(store, ann)) as found:
                yield found
        finally:
            ending.set()
            checker.join()


@pytest.fixture
def ci(link: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Say where the league is as CI does."""
    monkeypatch.setenv("BOTLEAGUE_URL", link)
    monkeypatch.setenv("BOTLEAGUE_TOKEN", "ann")


@pytest.mark.slow
def test_log_in_push_and_see_it_play_or_not(link: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [*LEAGUE, "login", f"{link}/"],
        input="ann\n",
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE_S,
    )
    assert done.stdout == f"logged in to {link} as ann, team ann\n"
    assert "without https" in done.stderr
    kept = logins_path()
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert stat.S_IMODE(kept.parent.stat().st_mode) == 0o700

    (tmp_path / "mine.py").write_text(GOOD.format(0))
    out, _ = both(tmp_path, "push", "mine.py")
    assert out.startswith("received: submission 1, mine.py, ")
    assert out.endswith("playing as ann@1\n")

    (tmp_path / "bad.py").write_text("def choose(state, clock):\n    return 99\n")
    out, told = both(tmp_path, "push", "bad.py", "--json", code=1)
    found = json.loads(out)
    assert (found["state"], found["version"]) == ("refused", None)
    msgspec.convert(found, TeamSubmission)
    assert told.startswith("league: submission 2 does not play:\n")
    assert "illegal move" in told
    assert "league check bad.py --game tictactoe" in told


@pytest.mark.slow
@pytest.mark.usefixtures("ci")
def test_a_folder_and_a_file_with_modules_are_packed(tmp_path: Path) -> None:
    (tmp_path / "picks.py").write_text("def pick(state):\n    return state.legal_moves()[0]\n")
    (tmp_path / "mine.py").write_text(
        "from picks import pick\n\nclass Other:\n    pass\n\n"
        "class Mine:\n    def choose(self, state, clock):\n        return pick(state)\n"
    )
    out, _ = both(tmp_path, "push", "mine.py", "--as", "Mine")
    assert out.endswith("playing as ann@1\n")
    folder = tmp_path / "it"
    folder.mkdir()
    (folder / "bot.py").write_text(GOOD.format(-1))
    out, _ = both(tmp_path, "push", "it", "--no-wait")
    assert out.startswith("received: submission 2, it.zip, ")
    assert not logins_path().exists()


@pytest.mark.slow
def test_usage_and_refusals(link: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine.py").write_text(GOOD.format(0))
    _, told = both(tmp_path, "push", "mine.py", code=2)
    assert "run 'league login URL' first" in told
    monkeypatch.setenv("BOTLEAGUE_TOKEN", "ann")
    _, told = both(tmp_path, "push", "mine.py", code=2)
    assert "set BOTLEAGUE_URL too" in told
    (tmp_path / "token").write_text("wrong\n")
    _, told = both(tmp_path, "login", link, "--token-file", "token", code=1)
    assert "this personal token is unknown" in told
    assert "wrong" not in told
    assert not logins_path().exists()
    _, told = both(tmp_path, "login", "ftp://x", code=1)
    assert "is not the address of a league" in told
    monkeypatch.setenv("BOTLEAGUE_URL", link)
    _, told = both(tmp_path, "push", "none.py", code=1)
    assert told == "league: no file 'none.py'\n"
    (tmp_path / "mine.txt").write_text("")
    _, told = both(tmp_path, "push", "mine.txt", code=1)
    assert "'mine.txt' is not a Python file, zip or folder" in told


def test_a_token_goes_to_its_own_address_alone(link: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(RemoteError, match="redirects to http://localhost:1/api/me"):
        Remote(Login(f"{link}/moved", "ann")).me()
    Logins().keep(Login("https://one.example", "1"))
    Logins.read().keep(Login("https://two.example", "2"))
    assert chosen_login(None) == Login("https://two.example", "2")
    assert chosen_login("https://ONE.example/") == Login("https://one.example", "1")
    monkeypatch.setenv("BOTLEAGUE_URL", "https://ci.example")
    monkeypatch.setenv("BOTLEAGUE_TOKEN", "3")
    assert chosen_login(None) == Login("https://ci.example", "3")
    assert chosen_login("https://two.example") == Login("https://two.example", "2")
    with pytest.raises(SetupError, match=r"no token for http://ci\.example"):
        chosen_login("http://ci.example")
    assert "'3'" not in repr(chosen_login(None))


def test_an_address_that_is_no_league_or_not_there(link: str) -> None:
    with pytest.raises(RemoteError, match="can't reach http://localhost:1: "):
        Remote(Login("http://localhost:1", "x")).me()
    with pytest.raises(RemoteError, match="is this the address of a hosted league"):
        Remote(Login(f"{link}/elsewhere", "x")).me()


@pytest.mark.parametrize(
    "text",
    ["", "games.example", "ftp://x", "https://", "https://a@b", "https://a?b", "https://a b"],
)
def test_addresses_that_are_none(text: str) -> None:
    with pytest.raises(SetupError, match="is not the address of a league"):
        read_url(text)


def test_the_same_folder_is_the_same_upload(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "bot.py").write_text(GOOD.format(0))
    first = packed(folder, "mine")
    os.utime(folder / "bot.py", (1e9, 1e9))
    assert packed(folder, "mine") == first
    assert first.file_name == "mine.zip"
