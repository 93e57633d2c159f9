"""Pages of a tournament in play: many tabs at once, and the end of the server below them."""

import http.client
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from league.store.store import open_store
from tests.browser import Heard, until
from tests.league.command import league, start
from tests.league.web.serving import served
from tests.waiting import PATIENCE_S, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

TABS = 7
"""One more than the connections that a browser has to one host."""

# A browser without a window shows every tab at once; here each is told whether it is looked at.
HIDING = """
let hidden = false;
Object.defineProperty(Document.prototype, "hidden", { get: () => hidden });
window.hide = (now) => { hidden = now; document.dispatchEvent(new Event("visibilitychange")); };
"""
WAITS = """
import time

def choose(state, clock):
    time.sleep(0.05)
    return state.legal_moves()[0]
"""
"""A bot that keeps a tournament in play, and computes next to nothing."""

PLAYED = "Number(document.querySelector('#live progress').value)"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Make a league in which a long tournament is in play."""
    found = tmp_path_factory.mktemp("league")
    (found / "waits.py").write_text(WAITS)
    for name in ("one", "other"):
        league(found, "register", name, "waits.py", "--no-check")
    run = ("run", "--bots", "all", "--game", "tictactoe", "--rounds", "5000", "--depth", "3")
    with start(found, *run, "--workers", "1", "--quiet") as runner, ExitStack() as at_last:
        at_last.callback(runner.kill)
        try:
            with open_store(str(found / "league.db"), read_only=True) as store:
                wait_until(lambda: any(row.played for row in store.tournaments()))
            yield found
        finally:
            runner.send_signal(signal.SIGINT)
            runner.communicate(timeout=PATIENCE_S)


def test_seven_tabs_are_alive_at_once(browser: "Browser", folder: Path) -> None:
    with served(folder) as link, browser.new_context() as context:
        context.add_init_script(HIDING)
        tabs: list[Page] = []
        heard = Heard()
        for _ in range(TABS):
            for each in tabs[-1:]:
                each.evaluate("hide(true)")
            tab = context.new_page()
            heard.listen(tab)
            tab.goto(f"{link}tournaments/1")
            until(tab, f"{PLAYED} > {tab.evaluate(PLAYED)}")
            tabs.append(tab)
        # Whoever comes back to a tab finds it as far as the others.
        before = tabs[0].evaluate(PLAYED)
        tabs[-1].evaluate("hide(true)")
        tabs[0].evaluate("hide(false)")
        until(tabs[0], f"{PLAYED} > {before}")
        assert heard.complaints == []


@pytest.mark.slow
def test_an_interrupt_ends_it_while_streams_are_open(folder: Path) -> None:
    with start(folder, "serve", "--port", "0") as server, ExitStack() as streams:
        streams.callback(server.kill)
        assert server.stderr is not None
        host = urlsplit(server.stderr.readline().split()[0]).netloc
        for _ in range(TABS):
            stream = http.client.HTTPConnection(host, timeout=PATIENCE_S)
            streams.callback(stream.close)
            stream.request("GET", "/tournaments/1/events")
            assert stream.getresponse().readline().startswith(b"event: head")
        server.send_signal(signal.SIGINT)
        server.communicate(timeout=PATIENCE_S)
        assert server.returncode == 0
