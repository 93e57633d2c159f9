"""Journeys through the pages of bots and games in a real browser, by mouse, keys and touch."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from league.analysis.rating_history import keep
from league.store.store import open_store
from tests.browser import NARROW, WIDE, fits, resize, until
from tests.league.matches import add_bots, add_tournament, save_encounter
from tests.league.web.serving import served

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

LONG = "a-bot-with-a-name-of-sixty-characters-that-wants-all-the-room"
FORM = "ol.letters a"


@pytest.fixture(scope="module")
def link(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve a league in which two bots met in three tournaments."""
    folder: Path = tmp_path_factory.mktemp("league")
    with open_store(str(folder / "league.db"), create=True) as store:
        one, other = add_bots(store, "one", LONG)
        for results in ("WW", "WL", "LD"):
            number = add_tournament(store, one, other)
            save_encounter(store, number, 0, (one, other), results)
        keep(store, "connectfour")
    with served(folder) as found:
        yield found.rstrip("/")


def test_a_rating_is_read_from_its_chart_by_mouse_and_by_keys(quiet: "Page", link: str) -> None:
    quiet.goto(f"{link}/bots/one")
    chart = quiet.get_by_role("application", name="Rating after each tournament")
    told = "document.querySelector('.chart-told').textContent"
    chart.focus()
    quiet.keyboard.press("Home")
    first = str(quiet.evaluate(told))
    assert first.startswith("tournament 1: rating ")
    assert "±" in first
    quiet.keyboard.press("End")
    last = str(quiet.evaluate(told))
    assert last.startswith("tournament 3: rating ")
    # The chart ends with the one rating of the page.
    assert last.partition("rating ")[2].split()[0].replace(",", "") in quiet.inner_text(".big")
    box = chart.bounding_box()
    assert box is not None
    quiet.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    until(quiet, f"{told}.startsWith('tournament 2: ')")


def test_from_a_bot_to_its_opponent_and_to_the_end_of_a_match(quiet: "Page", link: str) -> None:
    quiet.goto(f"{link}/bots/one")
    quiet.click(f"table >> text={LONG}")
    quiet.wait_for_url(f"{link}/versus/one/{LONG}?game=connectfour")
    until(quiet, "document.querySelector('.boards img').naturalWidth > 0")
    quiet.focus(".boards a")
    quiet.keyboard.press("Enter")
    quiet.wait_for_url(f"{link}/matches/6")
    quiet.go_back()
    quiet.click("text=Swap sides")
    quiet.wait_for_url(f"{link}/versus/{LONG}/one?versions=all&game=connectfour")


def test_a_phone_fits_and_opens_what_is_folded(browser: "Browser", link: str) -> None:
    size = {"width": NARROW[0], "height": NARROW[1]}
    with browser.new_context(viewport=size, has_touch=True, is_mobile=True) as context:  # type: ignore[arg-type]  # a typed dictionary
        page = context.new_page()
        for address in ("/bots/one", f"/versus/one/{LONG}", "/games/connectfour"):
            page.goto(link + address)
            assert fits(page), address
        page.tap("text=4 options")
        assert page.is_visible("text=how many in a row win")
        page.goto(f"{link}/bots/one")
        assert "±" in page.locator(".chart-told").first.inner_text(), "the newest value"
        assert not page.is_visible(".chart table"), "a script has drawn it"
        page.goto(f"{link}/matches/1/explain/1")
        # The outline is open there, and its nodes open by touch.
        assert page.is_visible(".outline >> text=best line >> nth=0")
        closed = page.locator(".outline details:not([open]) > summary").first
        closed.tap()
        until(page, "document.querySelectorAll('.outline details[open] details[open]').length > 1")


def test_a_phone_begins_with_the_rest_of_a_bot_folded(quiet: "Page", link: str) -> None:
    quiet.goto(f"{link}/bots/one")
    assert quiet.is_visible("th >> text=Version 1")
    resize(quiet, NARROW)
    until(quiet, "!document.querySelector('details.fold[open]')")
    assert not quiet.is_visible("th >> text=Version 1")
    quiet.get_by_role("navigation", name="On this page").get_by_text("Versions").click()
    until(quiet, "document.querySelector('#versions').closest('details').open")
    assert quiet.is_visible("th >> text=Version 1")
    quiet.click("summary >> text=Time and depth")
    assert quiet.locator("details.fold[open]").count() == 2
    resize(quiet, WIDE)
    until(quiet, "!document.querySelector('details.fold:not([open])')")


def test_nothing_of_a_page_is_cut_on_paper(quiet: "Page", link: str) -> None:
    resize(quiet, (794, 1123))
    quiet.emulate_media(media="print")
    for address in ("/bots/one", f"/versus/one/{LONG}", "/games/connectfour"):
        quiet.goto(link + address)
        assert fits(quiet), address


def test_pages_are_read_without_scripts(browser: "Browser", link: str) -> None:
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{link}/bots/one")
        assert page.locator(FORM).count() == 6
        assert page.is_visible("th >> text=Version 1")
        # A chart is its table there, without a legend.
        assert not page.is_visible(".chart .legend")
        assert page.locator(".chart table >> visible=true").first.inner_text().count("±") == 3


def test_the_page_of_a_game_with_two_pools_has_no_hole(quiet: "Page", tmp_path: Path) -> None:
    with open_store(str(tmp_path / "league.db"), create=True) as store:
        first, *others = add_bots(store, *(f"bot{number}" for number in range(8)))
        apart, *distant = add_bots(store, *(f"far{number}" for number in range(5)))
        number = add_tournament(store, first, *others, apart, *distant)
        pairs = [*((first, each) for each in others), *((apart, each) for each in distant)]
        for place, pair in enumerate(pairs):
            save_encounter(store, number, place, pair, "WL")
    with served(tmp_path) as link:
        quiet.goto(f"{link}games/connectfour")
        resize(quiet, WIDE)
        boxes = quiet.locator(".by-rules > .card").evaluate_all(
            "(all) => all.map((each) => each.getBoundingClientRect())"
        )
    leaders, rules, second, results = boxes
    assert rules["y"] == leaders["y"]
    assert abs(rules["bottom"] - leaders["bottom"]) < 120
    # Below, each card has the whole width.
    for each, above in (
        (second, max(rules["bottom"], leaders["bottom"])),
        (results, second["bottom"]),
    ):
        assert (each["x"], each["right"]) == (leaders["x"], rules["right"])
        assert 0 < each["y"] - above < 20
