"""Boards of matches in play: they move in the stream and on the page, and go with the runner."""

import json
import re
import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from league.store.store import open_store
from tests.browser import NARROW, Heard, fits, resize, until
from tests.league.command import league, start
from tests.league.web.serving import served
from tests.league.web.streaming import changes, text_of
from tests.waiting import wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SLOW = """
import time

def choose(state, clock):
    time.sleep(0.25)
    return state.legal_moves()[0]
"""
RUN = ("run", "--game", "connectfour", "--bots", "ann,bob", "--depth", "1", "--workers", "2", "-q")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a league of two bots that take their time."""
    found = tmp_path_factory.mktemp("league")
    (found / "slow.py").write_text(SLOW)
    for name in ("ann", "bob"):
        league(found, "register", name, "slow.py", "--no-check")
    return found


@pytest.fixture(scope="module")
def link(folder: Path) -> Iterator[str]:
    """Serve that league."""
    with served(folder) as found:
        yield found.rstrip("/")


@contextmanager
def played(folder: Path, link: str) -> Iterator[str]:
    """Have a tournament in play, give the link to its page, and kill its runner in the end."""
    with open_store(str(folder / "league.db"), read_only=True) as store:
        number = len(store.tournaments.all()) + 1
    address = f"{link}/tournaments/{number}"
    runner = start(folder, *RUN, "--rounds", "20")
    try:
        with open_store(str(folder / "league.db"), read_only=True) as store:
            wait_until(lambda: len(store.tournaments.all()) >= number)
        wait_until(lambda: "in play" in text_of(address), pause_s=0.2)
        yield address
    finally:
        runner.send_signal(signal.SIGKILL)
        runner.communicate()


@pytest.mark.slow
def test_boards_move_in_the_stream_and_vanish_with_a_kill(folder: Path, link: str) -> None:
    with ExitStack() as stack:
        address = stack.enter_context(played(folder, link))
        topic = f"tournament/{address.rpartition('/')[2]}"
        stream = changes(link, topic)
        pictures: set[str] = set()
        plies: set[str] = set()
        while len(plies) < 3 or len(pictures) < 3:
            text = json.dumps(next(stream)["parts"].get("boards", ""))
            plies.update(re.findall(r"ply (\d+)", text))
            pictures.update(re.findall(r'src=\\"([^"]+)\\"', text))
        assert all(each.startswith("data:image/svg+xml,") for each in pictures)
        stack.close()
        last = list(stream)[-1]
    assert last["over"] is True
    assert 'class="boards' not in text_of(address)
    assert "in play" not in text_of(address)


def test_a_page_shows_boards_that_move(browser: "Browser", folder: Path, link: str) -> None:
    with browser.new_context() as context:
        page, heard = context.new_page(), Heard()
        heard.listen(page)
        resize(page, NARROW)
        board = "document.querySelector('.boards img')"
        with played(folder, link) as address:
            page.goto(address)
            for _ in range(3):
                until(page, f"{board} !== null && {board}.naturalWidth > 0")
                before = page.evaluate(f"{board}.src")
                until(page, f"{board}?.src !== '{before}'")
            assert fits(page)
        until(page, "document.querySelector('.boards') === null")
        assert heard.complaints == []
        assert heard.strays(page) == []
