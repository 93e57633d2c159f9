"""The tree of a search in the dashboard: what is asked for is shown, and nobody can hang it."""

import re
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bots.support.search import Exhausted
from bots.trace.records import Count, SearchSetting
from bots.trace.search import count_nodes, trace
from games.support.specs import find_game
from league.model.records import BotVersion
from league.render.search.bounded import traced_within
from league.store.store import Store, open_store
from tests.browser import NARROW, WIDE, resize
from tests.examples import slow
from tests.league.matches import add_tournament, save_encounter
from tests.league.web.asking import ask
from tests.league.web.serving import served

if TYPE_CHECKING:
    from playwright.sync_api import Page

TREE = "/matches/1/explain/2"

READABLE = 11
"""The size of the smallest text of a tree, in pixels: those of 13 are scaled."""


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a league with a match between a search that can be explained and one that can't."""
    path = tmp_path_factory.mktemp("league") / "league.db"
    with open_store(str(path), create=True) as store:
        options = {"depth": "2", "order": "game", "evaluate": "tops"}
        search = store.bots.register(
            BotVersion("search", "alphabeta", options=options, digest="0" * 64)
        ).id
        other = store.bots.register(BotVersion("other", "random", digest="1" * 64)).id
        tournament = add_tournament(store, search, other)
        save_encounter(store, tournament, 0, (search, other), "WL")
    return path


@pytest.fixture(scope="module")
def link(path: Path) -> Iterator[str]:
    """Serve that league."""
    with served(path.parent) as found:
        yield found.rstrip("/")


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with open_store(str(path), read_only=True) as found:
        yield found


def test_the_search_of_the_bot_to_move_is_shown(store: Store) -> None:
    status, text, _ = ask(store, TREE)
    assert status == 200
    assert "alpha-beta to depth 2, evaluation tops, moves sorted by evaluation" not in text
    assert "alpha-beta to depth 2, evaluation tops, moves in the game&#39;s own order" in text
    assert text.count('<g class="n') > 10
    for chosen in ("alphabeta", "tops", "game"):
        assert f"<option selected>{chosen}</option>" in text
    # The other bot is no search: the usual one stands in.
    assert "alpha-beta to depth 3" in ask(store, "/matches/1/explain/1")[1]


def test_a_search_is_titled_by_the_bot_that_searches(store: Store) -> None:
    first, second = (f"/matches/1/explain/{ply}" for ply in (0, 1))
    assert "<h1>Red&#39;s search for move 1: search</h1>" in ask(store, first)[1]
    assert "search for move 1: search, step by step</h1>" in ask(store, f"{first}/steps")[1]
    assert "did not run this search" not in ask(store, first)[1]
    # A form that asks for the bot's own settings gets its own search.
    assert "<h1>Red&#39;s search" in ask(store, f"{first}?depth=2&evaluation=tops")[1]
    for address in (second, f"{second}/steps"):
        text = ask(store, address)[1]
        assert "<h1>A search for Yellow&#39;s move 2" in text
        assert "other did not run this search: only those of minimax and alphabeta" in text
    text = ask(store, f"{first}?depth=1")[1]
    assert "<h1>A search for Red&#39;s move 1</h1>" in text
    assert f'its own has other settings. <a href="{first}">Show its own</a>' in text


def test_the_views_of_a_search_say_how_much_they_show_and_what_a_win_is_worth(
    store: Store,
) -> None:
    address = f"{TREE}?depth=4"
    tree, steps = ask(store, address)[1], ask(store, f"{TREE}/steps?depth=4")[1]
    assert re.search(r"A sample: \d+ of .*The outline has \d+\.", tree)
    for text in (tree, steps):
        shown = re.search(r"A sample: (\d+) of ", text)
        assert shown is not None
        assert int(shown[1]) == text.count('<g class="n')
    for text in (tree, steps):
        assert "1000 is a match won, −1000 one lost." in text


def test_the_form_asks_for_another_search(store: Store) -> None:
    query = "?method=minimax&depth=1&evaluation=windows&order=given"
    text = ask(store, TREE + query)[1]
    assert "minimax to depth 1, evaluation windows" in text
    assert "8 nodes made" in text
    assert "moves sorted by evaluation" in ask(store, f"{TREE}?order=evaluation")[1]
    assert f'explain/1{query.replace("&", "&amp;")}"' in text


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/matches/1/explain/4", 404),
        ("/matches/9/explain/0", 404),
        (f"{TREE}?method=mcts", 404),
        (f"{TREE}?order=x", 404),
        (f"{TREE}?evaluation=x", 404),
        *slow((f"{TREE}?depth=x", 200), (f"{TREE}?depth=-1", 200)),
    ],
)
def test_what_can_not_be_searched_is_said(store: Store, address: str, status: int) -> None:
    assert ask(store, address)[0] == status


@pytest.mark.slow
def test_a_search_that_is_too_large_is_cut_and_that_is_said(store: Store) -> None:
    text = ask(store, f"{TREE}?method=minimax&depth=999999")[1]
    depth = re.search(r"Cut: .* This is depth (\d)", text)
    assert depth is not None
    assert f"minimax to depth {depth[1]}" in text


def test_bounds_hold_for_nodes_and_for_time() -> None:
    game = find_game("connectfour")
    setting = SearchSetting(6, game.evaluation(""), method="minimax")
    found = traced_within(game.initial(), setting, nodes_max=500)
    assert found is not None
    # 1 + 7 + 49 + 343
    assert (found.is_cut, found.trace.setting.depth, found.trace.nodes) == (True, 3, 400)
    assert traced_within(game.initial(), setting, time_s=0) is None
    whole = traced_within(game.initial(), SearchSetting(2, game.evaluation("")))
    assert whole is not None
    assert not whole.is_cut
    with pytest.raises(Exhausted):
        trace(game.initial(), replace(setting, depth=12), until_s=time.monotonic() + 0.05)
    # Those below the root are made before there is anything to end.
    assert count_nodes(game.initial(), 12, 10**9, time.monotonic()) == Count(8, is_exact=False)


def test_a_tree_of_its_own_is_searched_to_its_end() -> None:
    game = find_game("tree?file=ghosts")
    found = traced_within(game.initial(), SearchSetting(None, game.evaluation("")))
    assert found is not None
    assert (found.is_cut, found.trace.setting.depth) == (False, None)


def test_the_page_of_steps_is_a_page_like_the_others(store: Store) -> None:
    _, text, headers = ask(store, f"{TREE}/steps?depth=2")
    assert headers["content-security-policy"] == ask(store, TREE)[2]["content-security-policy"]
    assert 'aria-label="League"' in text
    assert f'href="{TREE}?depth=2">Back to the tree' in text
    assert "<style" not in text


def test_a_ply_of_a_replay_is_explained(quiet: "Page", link: str) -> None:
    quiet.goto(f"{link}/matches/1#0")
    quiet.keyboard.press("ArrowRight")
    quiet.keyboard.press("ArrowRight")
    # The search that led to the second move, and the one of the position after it.
    led = quiet.get_attribute("#explain-move a", "href")
    assert led is not None
    assert led.endswith("/explain/1")
    quiet.click("#explain")
    quiet.wait_for_url(f"{link}{TREE}")
    # What is drawn has the style of its sheet, and its root in sight.
    assert (
        quiet.evaluate("getComputedStyle(document.querySelector('.pv > .edge')).stroke") != "none"
    )
    root = quiet.locator('.n[data-n="0"]').bounding_box()
    assert root is not None
    middle = root["x"] + root["width"] / 2
    assert 0 < root["x"] < quiet.evaluate("innerWidth")
    assert abs(middle - quiet.evaluate("innerWidth") / 2) < 50
    # The whole tree fits its frame, or has its own size.
    frame = "document.querySelector('.tree').clientWidth"
    width = "document.querySelector('.tree svg').clientWidth"
    quiet.click("[aria-label='Full size']")
    whole = quiet.evaluate(width)
    quiet.click("[aria-label=Smaller]")
    assert quiet.evaluate(width) < whole
    quiet.click("[aria-label='Fit the whole tree']")
    assert abs(quiet.evaluate(width) - quiet.evaluate(frame)) <= 1
    quiet.click("text=Step through this search")
    quiet.wait_for_url(f"{link}{TREE}/steps")
    # Nodes that are not reached yet show their moves, but not their values.
    seen = "getComputedStyle(document.querySelector('.n.todo > .%s')).visibility"
    assert [quiet.evaluate(seen % each) for each in ("move", "value")] == ["visible", "hidden"]
    # The board follows the steps.
    pieces = "document.querySelector('#position').shadowRoot.querySelectorAll('.piece').length"
    assert quiet.evaluate(pieces) == 2
    quiet.keyboard.press("ArrowRight")
    assert quiet.inner_text("#step").startswith("2 of")
    assert quiet.inner_text("#position-told") == "After 4"
    assert quiet.get_attribute("#position", "aria-label") == "After 4"
    assert quiet.evaluate(pieces) == 3
    quiet.keyboard.press("ArrowLeft")
    assert quiet.evaluate(pieces) == 2


HIDDEN = """(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(
  document.querySelector('.tree'))"""

SMALLEST = """Math.min(...[...document.querySelectorAll('.tree text')].map((each) =>
  parseFloat(getComputedStyle(each).fontSize)
  * each.ownerSVGElement.clientWidth / each.ownerSVGElement.viewBox.baseVal.width))"""


@pytest.mark.parametrize("place", ["", "/steps"])
def test_a_tree_opens_whole_where_it_can_be_read_so(quiet: "Page", link: str, place: str) -> None:
    resize(quiet, WIDE)
    quiet.goto(f"{link}{TREE}?depth=3")
    best = quiet.locator(".n.pv").nth(1).get_attribute("data-n")
    quiet.goto(f"{link}{TREE}{place}?depth=3")
    assert quiet.evaluate(HIDDEN) <= 1
    assert quiet.evaluate(SMALLEST) >= READABLE
    # In a narrow window it scrolls, with its root and, if it is near, the best move in sight.
    resize(quiet, NARROW)
    quiet.reload()
    assert quiet.evaluate(HIDDEN) > 1
    assert quiet.evaluate(SMALLEST) >= READABLE
    frame, root, node = (
        quiet.locator(each).bounding_box()
        for each in (".tree", '.n[data-n="0"]', f'.n[data-n="{best}"]')
    )
    assert frame is not None
    assert root is not None
    assert node is not None
    left, right = frame["x"], frame["x"] + frame["width"]
    assert left <= root["x"] < root["x"] + root["width"] <= right
    if place:
        assert left <= node["x"] < node["x"] + node["width"] <= right
    else:
        assert node["x"] + frame["width"] < root["x"] + node["width"], "too far for both"
        assert root["x"] > (left + right) / 2, "it leaves as much room for the best move as it can"
    quiet.click("[aria-label='Fit the whole tree']")
    assert quiet.evaluate(HIDDEN) <= 1
    quiet.click("[aria-label=Larger]")
    assert quiet.evaluate(HIDDEN) > 1


def test_a_line_begins_below_what_is_known_of_its_parent(quiet: "Page", link: str) -> None:
    gaps = """[...document.querySelectorAll('.e')].map((each) => {
      const parent = data.nodes[each.dataset.n].parent;
      const shown = [...document.querySelector(`.n[data-n="${parent}"]`).children].filter(
        (one) => one.textContent || one.matches('.shape'));
      const lows = shown.map((one) => one.getBoundingClientRect().bottom);
      return each.querySelector('.edge').getBoundingClientRect().top - Math.max(...lows);
    })"""
    quiet.goto(f"{link}{TREE}/steps?depth=3")
    quiet.evaluate("window.data = JSON.parse(document.getElementById('data').textContent)")
    for key in ("Home", "ArrowRight", "ArrowRight", "ArrowRight", "End"):
        quiet.keyboard.press(key)
        assert [gap for gap in quiet.evaluate(gaps) if not -5 < gap < 5] == []


def test_each_number_of_nodes_that_are_not_drawn_has_a_line_from_their_parent(store: Store) -> None:
    text = ask(store, f"{TREE}?depth=3")[1]
    starts = dict(re.findall(r'"n[^"]*" data-n="(\d+)" transform="translate\(([\d.]+),', text))
    lines = re.findall(r'<g class="h" data-n="(\d+)"><path class="gone" d="M([\d.]+) ', text)
    assert len(lines) == text.count('class="h"') > 1
    assert [starts[number] for number, _ in lines] == [x for _, x in lines]
    cut = set(re.findall(r'<g class="c" data-n="(\d+)"', text))
    assert cut & {number for number, _ in lines}, "one of them stands below a box"


@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_the_words_of_a_step_its_tree_and_the_controls_are_on_the_first_screen(
    quiet: "Page", link: str, size: tuple[int, int]
) -> None:
    resize(quiet, size)
    quiet.goto(f"{link}{TREE}/steps?depth=3")
    parts = [quiet.locator(each).bounding_box() for each in (".said", ".tree", ".step-bar")]
    ends = [(each["y"], each["y"] + each["height"]) for each in parts if each]
    assert len(ends) == 3
    assert [end for end in ends if end[0] < 0 or end[1] > size[1]] == []
    assert ends[0][1] <= ends[1][0]
    assert ends[1][1] <= ends[2][0] + 1, "no part of the tree is below the controls"


def test_the_words_below_a_tree_are_about_this_tree(store: Store) -> None:
    text = ask(store, f"{TREE}?depth=3")[1]
    key = text.partition('class="small quiet key">')[2].partition("</p>")[0]
    example = re.search(r"“(\[.*?\])” is a window", key)
    assert example is not None
    drawing = text.partition("<svg viewBox")[2].partition("</svg>")[0]
    assert f">{example[1]}</text>" in drawing
    assert "“by”" in key
    assert re.search(r">by [^<]+</text>", drawing)
    assert "is a window" not in ask(store, f"{TREE}?depth=1&method=minimax")[1]
