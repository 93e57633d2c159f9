"""People play in the browser: journeys by mouse, keys and touch."""

import re
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser import NARROW, WIDE, axe_faults, fits, reach_all_by_keys, resize, until
from tests.league.web.serving import LONG_NAME
from tests.league.web.test_pages import FAULTS
from tests.waiting import PATIENCE_S

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


def begin(page: "Page", play_link: str, game: str, against: str = "mini", seat: int = 0) -> None:
    """Choose a match on the form, and begin it."""
    page.goto(f"{play_link}/play?game={game}")
    page.check(f"[name=against][value='{against}']")
    if against:
        page.check(f"[name=seat][value='{seat}']")
    page.click(".play-form .primary")
    until(page, READY)


READY = "['person', 'over'].includes(document.getElementById('status')?.dataset.phase)"
STATUS = "document.getElementById('status')?.dataset.phase"
PLIES = "document.querySelectorAll('#plies li').length"
PLACES = "document.getElementById('board').shadowRoot.querySelectorAll('.place').length"
SPOT = """([x, y]) => {
  const board = document.getElementById("board").shadowRoot.querySelector("svg");
  const spot = new DOMPoint(x, y).matrixTransform(board.getScreenCTM());
  return [spot.x, spot.y];
}"""


def spot(page: "Page", x: int, y: int) -> tuple[float, float]:
    """Return where in the window a point of the drawing is."""
    page.locator("#board").scroll_into_view_if_needed()
    left, top = page.evaluate(SPOT, [x, y])
    return left, top


def first_place(page: "Page") -> tuple[int, int]:
    """Return the first point of the drawing that can be pressed."""
    place = page.evaluate(
        "document.getElementById('board').shadowRoot.querySelector('.place').dataset.place"
    )
    x, y = place.split(",")
    return int(x), int(y)


def type_move(page: "Page", text: str) -> None:
    """Type a move, and wait until it is made."""
    before = page.evaluate(PLIES)
    page.fill("#text", text)
    page.keyboard.press("Enter")
    until(page, f"{PLIES} > {before}")


def quit_match(page: "Page") -> None:
    """End a match, so that others have room."""
    if page.is_visible(".leave"):
        page.click(".leave")
        page.wait_for_url("**/play")


def test_a_match_is_played_by_mouse(quiet: "Page", play_link: str) -> None:
    begin(quiet, play_link, "tictactoe")
    while quiet.evaluate(STATUS) != "over":
        plies = quiet.evaluate(PLIES)
        quiet.mouse.click(*spot(quiet, *first_place(quiet)))
        until(quiet, f"{PLIES} > {plies} && {READY}")
    assert quiet.inner_text("#status") in ("mini won by three in a row.", "A draw: board full.")
    for name, begins in {"pgn": '[Event "Casual match"]', "json": '{"match":0'}.items():
        with quiet.expect_download() as download:
            quiet.click(f"#files a[href$='/{name}']")
        assert Path(download.value.path()).read_text().startswith(begins)
    swapped = quiet.get_by_role("button", name="Rematch, seats swapped")
    swapped.click()
    until(quiet, f"{STATUS} === 'person' && {PLIES} === 1")
    quit_match(quiet)


def test_a_match_is_typed_with_undo_and_reasons(quiet: "Page", play_link: str) -> None:
    begin(quiet, play_link, "tictactoe")
    quiet.focus("#text")
    type_move(quiet, "b2")
    until(quiet, f"{STATUS} === 'person'")
    quiet.keyboard.type("b2")
    quiet.keyboard.press("Enter")
    until(quiet, "!document.getElementById('wrong').hidden")
    assert quiet.inner_text("#wrong") == "illegal move 'b2': the square is taken"
    assert "mini: " in quiet.inner_text("#said")
    # The arrows show earlier positions, in which nothing can be pressed.
    quiet.fill("#text", "")
    quiet.keyboard.press("ArrowLeft")
    until(
        quiet, "document.getElementById('status').textContent.startsWith('After ply 1 of 2: O to')"
    )
    assert quiet.evaluate(PLACES) == 0
    quiet.keyboard.press("Escape")
    until(quiet, f"{PLACES} === 7")
    assert quiet.inner_text("#status") == "Your move."
    quiet.click("#undo")
    until(quiet, f"{PLIES} === 0")
    quiet.focus("#text")
    while quiet.evaluate(STATUS) != "over":
        type_move(quiet, quiet.get_attribute("#known option", "value") or "")
        until(quiet, READY)
    assert not quiet.is_visible("#type")


def test_a_match_is_played_by_touch_on_a_phone(browser: "Browser", play_link: str) -> None:
    with browser.new_context(has_touch=True, is_mobile=True) as context:
        page = context.new_page()
        resize(page, NARROW)
        begin(page, play_link, "connectfour", LONG_NAME)
        assert fits(page)
        # Any place of a column drops a disc there.
        page.touchscreen.tap(*spot(page, 140, 20))
        until(page, f"{PLIES} === 2 && {STATUS} === 'person'")
        assert page.inner_text("#plies li button >> nth=0") == "4"
        page.click("#resign")
        until(page, f"{STATUS} === 'over'")
        assert page.inner_text("#status") == f"You resigned. {LONG_NAME} won."
        assert fits(page)


def test_a_phone_asks_for_the_game_first(browser: "Browser", play_link: str) -> None:
    with browser.new_context() as context:
        page = context.new_page()
        resize(page, NARROW)
        page.goto(f"{play_link}/play?game=connectfour")
        fields = (".game-choice", "[name=against] >> nth=0", "[name=seat] >> nth=0", "[name=limit]")
        tops = [(page.locator(each).bounding_box() or {"y": 0})["y"] for each in fields]
        assert tops == sorted(tops)
        assert len(set(tops)) == len(fields)


def test_two_people_play_at_one_screen_by_clicks_and_drags(quiet: "Page", play_link: str) -> None:
    begin(quiet, play_link, "breakthrough", "")
    # a2-a3 by clicks, a7-a6 by dragging.
    quiet.mouse.click(*spot(quiet, 20, 260))
    quiet.mouse.click(*spot(quiet, 20, 220))
    until(quiet, f"{PLIES} === 1")
    assert quiet.inner_text("#status") == "Black to move."
    quiet.mouse.move(*spot(quiet, 20, 60))
    quiet.mouse.down()
    quiet.mouse.move(*spot(quiet, 20, 80))
    quiet.mouse.move(*spot(quiet, 20, 100))
    quiet.mouse.up()
    until(quiet, f"{PLIES} === 2")
    assert quiet.inner_text("#plies li button >> nth=1") == "a7-a6"
    # A board that is turned takes presses where the pieces are then.
    quiet.click("#turn")
    quiet.mouse.click(*spot(quiet, 60, 260))
    quiet.mouse.click(*spot(quiet, 60, 220))
    until(quiet, f"{PLIES} === 3")
    assert quiet.inner_text("#plies li button >> nth=2") == "b2-b3"
    quit_match(quiet)


def test_a_pawn_is_promoted_to_what_is_asked_for(quiet: "Page", play_link: str) -> None:
    pytest.importorskip("chess", reason="needs the extra 'chess'")
    quiet.goto(f"{play_link}/play?game=chess&option.fen=7k/P7/8/8/8/8/8/7K+w+-+-+0+1")
    quiet.check("[name=against][value='']")
    quiet.click(".play-form .primary")
    until(quiet, f"{STATUS} === 'person'")
    quiet.mouse.click(*spot(quiet, 22, 66))
    quiet.mouse.click(*spot(quiet, 22, 22))
    assert axe_faults(quiet) == []
    quiet.get_by_role("dialog").get_by_role("button", name="a8=N").click()
    until(quiet, f"{PLIES} === 1")
    assert quiet.inner_text("#plies li button") == "a8=N"
    quit_match(quiet)


def test_a_bot_that_crashes_loses_and_the_page_shows_why(quiet: "Page", play_link: str) -> None:
    begin(quiet, play_link, "tictactoe", "crashes")
    type_move(quiet, "a1")
    until(quiet, f"{STATUS} === 'over'")
    assert re.fullmatch(
        r"crashes loses by crash: .*ZeroDivisionError.* You won\.", quiet.inner_text("#status")
    )
    assert "about to divide <b>" in quiet.inner_text("#log")


def test_a_bot_that_hangs_is_late_and_blocks_no_other_page(quiet: "Page", play_link: str) -> None:
    quiet.goto(f"{play_link}/play?game=tictactoe")
    quiet.select_option("[name=limit]", "1s")
    quiet.check("[name=against][value=hangs]")
    quiet.click(".play-form .primary")
    until(quiet, f"{STATUS} === 'person'")
    type_move(quiet, "a1")
    with urllib.request.urlopen(f"{play_link}/bots", timeout=PATIENCE_S) as answer:  # noqa: S310 (our own)
        assert answer.status == 200
    until(quiet, f"{STATUS} === 'over'")
    assert "hangs loses by time forfeit" in quiet.inner_text("#status")
    assert "You won." in quiet.inner_text("#status")


def test_the_pages_are_sound_and_reached_by_keys(quiet: "Page", play_link: str) -> None:
    faults = []
    begin(quiet, play_link, "othello", LONG_NAME)
    table = quiet.url
    for address in (f"{play_link}/play?game=pacman", table):
        quiet.goto(address)
        for size in (WIDE, NARROW):
            resize(quiet, size)
            for scheme in ("light", "dark"):
                quiet.emulate_media(color_scheme=scheme)
                faults += [
                    f"{address}, {scheme}, {size}: {each}" for each in quiet.evaluate(FAULTS)
                ]
                faults += [f"{address}, {scheme}, {size}: {each}" for each in axe_faults(quiet)]
        resize(quiet, WIDE)
        reach_all_by_keys(quiet)
    assert not faults, "\n".join(dict.fromkeys(faults))
    quit_match(quiet)


def test_a_match_can_be_played_without_scripts(browser: "Browser", play_link: str) -> None:
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{play_link}/play?game=tictactoe&against=")
        page.click(".play-form .primary")
        page.fill("#text", "b2")
        page.click("#type button")
        assert page.inner_text("#plies b") == "b2"
        page.fill("#text", "b2")
        page.click("#type button")
        assert "the square is taken" in page.inner_text("#wrong")
        page.click(".leave")
        assert page.url.endswith("/play")
