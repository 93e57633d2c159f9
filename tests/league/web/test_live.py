"""Pages of a tournament in play: many tabs at once, and the end of the server below them."""

import http.client
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit

import pytest

from league.model.live_ply import LivePly
from league.model.records import MatchKey, MoveRecord, ReportRecord
from league.store.rows import LiveMatchRow
from league.store.store import Store, open_store
from tests.browser import NARROW, WIDE, Heard, axe_faults, fits, resize, until
from tests.league.command import league, start
from tests.league.matches import add_bots, add_tournament, won_match
from tests.league.web.serving import served
from tests.waiting import PATIENCE_S, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
FAULTS = (Path(__file__).parent / "page_faults.js").read_text(encoding="utf-8")

WINDOWS = 7
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

# Notes which plies came, in their order.
COUNTING = """
window.plies = [];
document.addEventListener("DOMContentLoaded", () => {
  document.querySelector("[data-topic]")?.addEventListener("change", ({ detail: { parts } }) => {
    const more = (parts?.moves?.more ?? "").matchAll(/data-key="ply(\\d+)"/g);
    plies.push(...[...more].map((found) => Number(found[1])));
  });
});
"""

LISTED = """[...document.querySelectorAll(".live-list li")]
  .map((each) => Number(each.dataset.key.slice(3)))"""

CHARTED = "JSON.parse(document.querySelector('.live-chart script')?.textContent ?? '{\"x\": []}').x"

# How many pixels of the chart have each colour.
COLOURS = """(() => {
  const { width, height } = document.querySelector('.live-chart canvas'), found = {};
  const place = document.querySelector('.live-chart canvas').getContext('2d');
  const { data } = place.getImageData(0, 0, width, height);
  for (let at = 0; at < data.length; at += 4) {
    const colour = data.slice(at, at + 3).join();
    found[colour] = (found[colour] ?? 0) + 1;
  }
  return found;
})()"""

# How far a bot's clock, or what it told, reaches beyond the box that it belongs to.
OUTSIDE = """[...document.querySelectorAll('.live-clock')].map((clock) =>
  Math.max(0, clock.getBoundingClientRect().bottom
    - clock.closest('.strip').getBoundingClientRect().bottom))"""

# In which half of the list each move stands.
LEFTS = """[...document.querySelectorAll('.live-list li')].map((each) => Math.round(
  2 * (each.offsetLeft - each.parentElement.offsetLeft) / each.parentElement.clientWidth))"""

# The board as the page has drawn it, in the place of the picture that came with the page.
PIECES = "document.querySelector('[data-key=board]').shadowRoot.querySelectorAll('.piece').length"

PLAYED = "Number(document.querySelector('.flow progress').value)"


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
                wait_until(lambda: any(row.played for row in store.tournaments.all()))
            yield found
        finally:
            runner.send_signal(signal.SIGINT)
            runner.communicate(timeout=PATIENCE_S)


def test_seven_windows_share_a_stream(browser: "Browser", folder: Path) -> None:
    with served(folder) as link, browser.new_context() as context:
        context.add_init_script(HIDING)
        heard = Heard()
        tabs: list[Page] = []
        for _ in range(WINDOWS):
            tab = context.new_page()
            heard.listen(tab)
            tab.goto(f"{link}tournaments/1")
            tabs.append(tab)
        for tab in tabs:
            until(tab, f"{PLAYED} > {tab.evaluate(PLAYED)}")
        # A window that nobody looks at is told nothing, and told all when somebody comes back.
        tabs[0].evaluate("hide(true)")
        tabs[0].wait_for_timeout(500)
        before = tabs[0].evaluate(PLAYED)
        until(tabs[1], f"{PLAYED} > {before} + 20")
        assert tabs[0].evaluate(PLAYED) == before
        tabs[0].evaluate("hide(false)")
        until(tabs[0], f"{PLAYED} > {before} + 20")
        assert heard.complaints == []


def test_a_browser_without_shared_workers_has_a_stream_for_each_window(
    browser: "Browser", folder: Path
) -> None:
    with served(folder) as link, browser.new_context() as context:
        context.add_init_script("delete globalThis.SharedWorker;")
        heard = [Heard(), Heard()]
        tabs = [context.new_page() for _ in heard]
        # A window that is refused a stream asks for it again.
        tabs[1].route("**/events?**", lambda route: route.fulfill(status=429), times=1)
        for tab, each in zip(tabs, heard, strict=True):
            each.listen(tab)
            tab.goto(f"{link}tournaments/1")
        for tab in tabs:
            until(tab, f"{PLAYED} > {tab.evaluate(PLAYED)}")
        asked = [sum("/events?" in url for url in each.requests) for each in heard]
        assert asked == [1, 2]
        assert [len(each.complaints) for each in heard] == [0, 1]


def show_plies(
    store: Store, tournament: int, versions: list[int], plies: tuple[LivePly, ...]
) -> None:
    """Store a match in play, as its runner does."""
    row = LiveMatchRow(
        key=MatchKey(0, 0),
        game="connectfour",
        versions=tuple(versions),
        plies=plies,
        moved_at_ms=time.time_ns() // 1_000_000,
    )
    store.live.show(tournament, [row])


def test_a_match_is_followed_by_touch(browser: "Browser", tmp_path: Path) -> None:
    plies = tuple(LivePly(move, 100_000_000) for move in (3, 3, 2))
    with ExitStack() as end:
        store = end.enter_context(open_store(str(tmp_path / "league.db"), create=True))
        versions = add_bots(store, "one", "other")
        number = add_tournament(store, *versions)
        end.enter_context(store.tournaments.runner_lock(number))
        show_plies(store, number, versions, plies[:2])
        link = end.enter_context(served(tmp_path))
        context = end.enter_context(browser.new_context(has_touch=True, is_mobile=True))
        page = context.new_page()
        resize(page, NARROW)
        page.goto(f"{link}tournaments/{number}")
        page.tap(".board-link")
        page.wait_for_url("**/live/0/0")
        until(page, f"{LISTED}.length === 2")
        show_plies(store, number, versions, plies)
        until(page, f"{LISTED}.length === 3")
        assert page.evaluate(PIECES) == 3
        assert fits(page)
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            assert axe_faults(page) == []
        assert page.inner_text("[data-key=state]") == "Live"
        store.live.show(number, [])
        until(page, "document.querySelector('[data-key=state]').textContent === 'Ended'")
        assert page.is_hidden(".tag.live")
        store.matches.save(number, [(MatchKey(0, 0), won_match(versions[0], versions[1]))])
        until(page, "document.querySelector('[data-key=replay]:not([hidden])') !== null")
        assert page.inner_text("[data-key=state]") == "Finished"
        assert fits(page)
        page.tap("[data-key=replay]")
        page.wait_for_url("**/matches/1")


@pytest.mark.parametrize(
    "profiles", [1, pytest.param(10, marks=pytest.mark.slow)], ids=["one profile", "ten profiles"]
)
def test_ten_windows_see_every_ply_of_a_match(
    browser: "Browser", tmp_path: Path, profiles: int
) -> None:
    # Windows of one profile share a stream; each profile has its own.
    # This test is the runner: it makes ten plies a second once all windows are open.
    moves = [0, 1] * 3 + [1, 0] * 3 + [2, 3] * 3 + [3, 2] * 3 + [4, 5] * 3 + [5, 4] * 3 + [6] * 6
    report = ReportRecord(depth=3, score=0.5, text="<b>")
    plies = tuple(LivePly(move, 100_000_000, report) for move in moves)
    key = MatchKey(0, 0)
    with ExitStack() as end:
        store = end.enter_context(open_store(str(tmp_path / "league.db"), create=True))
        versions = add_bots(store, "one", "other")
        number = add_tournament(store, *versions)
        end.enter_context(store.tournaments.runner_lock(number))

        def show(count: int) -> None:
            show_plies(store, number, versions, plies[:count])

        show(2)
        link = end.enter_context(served(tmp_path))
        contexts = [end.enter_context(browser.new_context()) for _ in range(profiles)]
        for context in contexts:
            context.add_init_script(COUNTING)
        heard = Heard()
        tabs = [contexts[each % profiles].new_page() for each in range(10)]
        for tab in tabs:
            heard.listen(tab)
            tab.goto(f"{link}tournaments/{number}")
            tab.click(".board-link")
            until(tab, f"{LISTED}.length === 2")
        assert tabs[0].evaluate(OUTSIDE) == [0, 0]
        # The moves of a seat stand in its column.
        assert tabs[0].evaluate(LEFTS) == [0, 1]
        for size in (NARROW, WIDE):
            resize(tabs[0], size)
            assert tabs[0].evaluate(FAULTS) == []
        for count in range(3, len(plies) + 1):
            show(count)
            time.sleep(0.1)
            if count == 4:
                until(tabs[0], "document.querySelector('.live-chart canvas') !== null")
                tabs[0].focus(".chart-plot")
        whole = list(range(1, len(plies) + 1))
        for tab in tabs:
            until(tab, f"{LISTED}.length === {len(plies)}")
            assert tab.evaluate(LISTED) == whole
            # Each ply came once, in order, while the window was open.
            assert tab.evaluate("plies") == whole[2:]
            assert tab.inner_text(".view p >> nth=0").strip() == "+0.50 (50% to win)"
            until(tab, f"{CHARTED}.length === {len(plies)}")
            assert tab.evaluate("document.querySelectorAll('.live-chart canvas').length") == 1
        # The line has the colour of the discs, and on a light card an edge.
        colours = tabs[0].evaluate(COLOURS)
        assert colours["242,194,48"] > 100
        assert sum(colours.get(f"102,88,{blue}", 0) for blue in (41, 42)) > 100
        # A chart that grows leaves its reader there.
        assert tabs[0].evaluate("document.activeElement.matches('.chart-plot')")
        tabs[0].keyboard.press("Home")
        assert tabs[0].inner_text(".chart-told") == "ply 1: one 50% for Red, other –"
        # The list follows where the window, and so the board, changes its size.
        resize(tabs[0], (WIDE[0], WIDE[1] - 200))
        until(
            tabs[0],
            """(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight > clientHeight
              && scrollHeight - scrollTop - clientHeight < 2)(document.querySelector('.moves'))""",
        )
        assert not tabs[0].is_visible("#newest")
        record = replace(
            won_match(versions[0], versions[1]),
            opening=(),
            moves=tuple(MoveRecord(move, wall_ns=100_000_000) for move in moves),
            scores=(0.5, 0.5),
        )
        store.matches.save(number, [(key, record)])
        store.live.show(number, [])
        for tab in tabs:
            until(tab, "document.querySelector('[data-key=replay]:not([hidden])') !== null")
        tabs[0].keyboard.press("Tab")
        tabs[0].click("[data-key=replay]")
        assert tabs[0].url.endswith("/matches/1")
        assert heard.complaints == []
        assert heard.strays(tabs[0]) == []


# A window that was busy finds several changes at once.
BUSY = """
const Shared = SharedWorker;
globalThis.SharedWorker = class extends Shared {
  constructor(...how) { super(...how); globalThis.worker = this; }
};
"""
CHANGES = """([topic]) => new Promise((resolve) => {
  const root = document.querySelector(`[data-topic="${topic}"]`), parts = [];
  root.addEventListener("change", ({ detail }) => parts.push(detail.parts));
  const item = (ply) => `<li data-key="ply${ply}">${ply}</li>`;
  const told = (text) => ({ told: { whole: `<p>${text}</p>` } });
  const all = [{ moves: { more: item(3) } }, { ...told("old"), moves: { more: item(4) } },
    told("new"), { moves: { more: item(5) } }];
  const [epoch] = root.dataset.version.split(".");
  for (const [number, each] of all.entries()) {
    const version = `${epoch}.${90 + number}`;
    worker.port.onmessage({ data: { topic, version, parts: each, now: Date.now() } });
  }
  setTimeout(() => resolve([parts.length, root.dataset.version.split(".")[1],
    root.querySelector("[data-part=told]").textContent]), 200);
})"""


@pytest.mark.slow
def test_a_busy_window_draws_the_newest_state_once_and_lists_every_ply(
    browser: "Browser", tmp_path: Path
) -> None:
    with ExitStack() as end:
        store = end.enter_context(open_store(str(tmp_path / "league.db"), create=True))
        versions = add_bots(store, "one", "other")
        number = add_tournament(store, *versions)
        end.enter_context(store.tournaments.runner_lock(number))
        show_plies(store, number, versions, (LivePly(0), LivePly(1)))
        link = end.enter_context(served(tmp_path))
        page = end.enter_context(browser.new_context()).new_page()
        page.add_init_script(BUSY)
        page.goto(f"{link}tournaments/{number}/live/0/0")
        until(page, f"{LISTED}.length === 2")
        assert page.evaluate(CHANGES, [f"match/{number}/0/0"]) == [1, "93", "new"]
        assert page.evaluate(LISTED) == [1, 2, 3, 4, 5]


@pytest.mark.slow
def test_an_interrupt_ends_it_while_streams_are_open(folder: Path) -> None:
    with start(folder, "serve", "--port", "0") as server, ExitStack() as streams:
        streams.callback(server.kill)
        assert server.stderr is not None
        host = urlsplit(server.stderr.readline().split()[0]).netloc
        for _ in range(WINDOWS):
            stream = http.client.HTTPConnection(host, timeout=PATIENCE_S)
            streams.callback(stream.close)
            stream.request("GET", "/events?topic=tournament/1")
            assert stream.getresponse().readline().startswith(b": hello")
        server.send_signal(signal.SIGINT)
        server.communicate(timeout=PATIENCE_S)
        assert server.returncode == 0
