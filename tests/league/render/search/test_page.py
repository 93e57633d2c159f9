"""The page that steps through a search, in a real browser."""

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bots.trace.records import Event, SearchSetting, Step, Trace
from bots.trace.search import trace
from games.support.game import NULL
from games.support.specs import find_game
from league.model.number_format import short_value
from league.render.search import page_of
from league.render.search.words import sentence
from tests.browser import NARROW, WIDE, resize
from tests.waiting import PATIENCE_S

if TYPE_CHECKING:
    from playwright.sync_api import Page

SEEN = """({
  step: document.getElementById("step").textContent,
  now: [...document.querySelectorAll(".n.now")].map((each) => Number(each.dataset.n)),
  windows: [...document.querySelectorAll(".n.now .window")].map((each) => each.textContent),
  told: document.querySelector(".said").textContent,
  way: [...document.querySelector(".way tbody").lastChild.children].map((each) => each.textContent),
  made: document.getElementById("made").textContent,
  left: document.getElementById("left").textContent,
  best: document.querySelectorAll(".pv").length,
})"""


def opened(page: "Page", folder: Path, found: Trace, size: tuple[int, int] = WIDE) -> list[Event]:
    """Open the page of a search in the browser; return the events that it steps through."""
    file = folder / "page.html"
    file.write_text(page_of(found, "A search"), encoding="utf-8")
    resize(page, size)
    page.goto(file.as_uri())
    shown = set(
        page.evaluate('[...document.querySelectorAll(".n")].map((each) => Number(each.dataset.n))')
    )
    return [event for event in found.events if event.node in shown]


def whole() -> Trace:
    """Search a small tree, of which all is shown."""
    return trace(find_game("tree?file=ghosts").initial(), SearchSetting(None, NULL))


def large() -> Trace:
    """Search Connect Four so deep that only a sample is shown."""
    game = find_game("connectfour")
    return trace(game.initial(), SearchSetting(5, game.evaluation("")))


def windows_of(found: Trace, events: list[Event]) -> list[str]:
    """Return the window of each event's node after it, '' for leaves."""
    bounds: dict[int, list[str]] = {}
    texts = []
    for event in events:
        node = found.recorded[event.node]
        if event.step is Step.ENTER:
            bounds[event.node] = [short_value(node.alpha), short_value(node.beta)]
        elif event.step in (Step.ALPHA, Step.BETA):
            bounds[event.node][event.step is Step.BETA] = short_value(event.value)
        own = bounds.get(event.node)
        texts.append("" if own is None else f"[{own[0]}, {own[1]}]")
    return texts


def check_step(page: "Page", found: Trace, events: list[Event], index: int) -> None:
    """Assert that the page shows the event of that index."""
    event, window = events[index], windows_of(found, events[: index + 1])[-1]
    seen: dict[str, Any] = page.evaluate(SEEN)
    assert seen["step"] == f"{index + 1} of {len(events)}"
    assert seen["now"] == [event.node]
    assert seen["told"] == sentence(found, event)
    assert (seen["made"], seen["left"]) == (f"{event.made:,}", f"{event.left_out:,}")
    assert seen["windows"] == ([window] if window else [])
    if window:
        assert window in seen["way"]
    assert (seen["best"] > 0) == (index == len(events) - 1)


def test_a_whole_search_steps_by_keys_and_back(quiet: "Page", tmp_path: Path) -> None:
    found = whole()
    events = opened(quiet, tmp_path, found)
    assert events == list(found.events)
    assert quiet.evaluate('document.querySelector(".note")') is None
    for index in range(len(events)):
        check_step(quiet, found, events, index)
        quiet.keyboard.press("ArrowRight")
    for index in (len(events) - 1, len(events) - 2, len(events) - 3):
        check_step(quiet, found, events, index)
        quiet.keyboard.press("ArrowLeft")
    quiet.keyboard.press("Home")
    check_step(quiet, found, events, 0)
    quiet.keyboard.press("ArrowLeft")
    check_step(quiet, found, events, 0)
    quiet.keyboard.press("End")
    check_step(quiet, found, events, len(events) - 1)


@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_a_sample_says_so_and_steps_by_buttons_that_stay(
    quiet: "Page", tmp_path: Path, size: tuple[int, int]
) -> None:
    found = large()
    events = opened(quiet, tmp_path, found, size)
    shown = quiet.evaluate('document.querySelectorAll(".n").length')
    note = quiet.evaluate('document.querySelector(".note").innerText')
    assert note.startswith(f"A sample: {shown} of {found.nodes:,} nodes")
    assert 0 < shown < found.nodes
    places, heights = [], []
    for index in range(40):
        check_step(quiet, found, events, index)
        places.append(quiet.evaluate('document.getElementById("on").getBoundingClientRect().top'))
        heights.append(quiet.evaluate('document.querySelector(".tree").clientHeight'))
        quiet.click("#on")
    assert len(set(places)) == 1
    # Only what is told may need another line in a narrow window; the way here does not.
    assert size == NARROW or len(set(heights)) == 1
    quiet.click("#back")
    check_step(quiet, found, events, 39)
    quiet.click("#last")
    check_step(quiet, found, events, len(events) - 1)
    quiet.click("#first")
    check_step(quiet, found, events, 0)
    # The middle of the slider is the middle of the search.
    quiet.click("#slider")
    seen = int(quiet.evaluate("at"))
    assert abs(seen - len(events) / 2) < len(events) / 10
    check_step(quiet, found, events, seen)
    assert quiet.evaluate("document.documentElement.scrollWidth") == size[0]


def test_it_plays_and_pauses_by_button_and_by_space(quiet: "Page", tmp_path: Path) -> None:
    found = whole()
    events = opened(quiet, tmp_path, found)
    for is_key in (False, True):
        before = int(quiet.evaluate("at"))
        if is_key:
            quiet.evaluate("document.activeElement.blur()")
        for label in ("Pause", "Play"):
            if is_key:
                quiet.keyboard.press(" ")
            else:
                quiet.click("#play")
            assert quiet.evaluate('document.getElementById("play").ariaLabel') == label
            end = time.monotonic() + PATIENCE_S
            while label == "Pause" and quiet.evaluate("at") == before and time.monotonic() < end:
                time.sleep(0.05)
        now = int(quiet.evaluate("at"))
        assert now > before
        check_step(quiet, found, events, now)
        time.sleep(0.8)
        assert quiet.evaluate("at") == now


def test_the_highlighted_node_is_in_sight(quiet: "Page", tmp_path: Path) -> None:
    events = opened(quiet, tmp_path, large(), NARROW)
    for index in range(0, len(events), len(events) // 12):
        quiet.evaluate(f"go({index})")
        box, frame = (
            quiet.evaluate(
                f"document.querySelector({json.dumps(each)}).getBoundingClientRect().toJSON()"
            )
            for each in (".n.now .shape", ".tree")
        )
        assert frame["left"] <= box["left"] <= box["right"] <= frame["right"]
        assert frame["top"] <= box["top"] <= box["bottom"] <= frame["bottom"]
