"""The page of a match: read without scripts, and stepped through by mouse, keys and touch."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from games.support.specs import find_game
from league.model.model_calls import CallFault, ModelCall
from league.model.records import (
    BotVersion,
    Limits,
    MatchKey,
    MatchRecord,
    MoveRecord,
    ReportRecord,
    Termination,
    TournamentConfig,
)
from league.store.store import Store, open_store
from tests.browser import NARROW, WIDE, axe_faults, fits, resize, until
from tests.league.web.asking import ask
from tests.league.web.serving import served

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytest.importorskip("chess", reason="needs the extra 'chess'")

LONG = "a-bot-with-a-very-long-name-that-says-what-it-does-in-detail"
PHONE = (390, 664)
"""A phone whose browser shows its bars."""

LOW = (640, 450)
"""A window of usual size at 200%, or a phone held sideways."""

MATE = ["a3", "e5", "h3", "d6", "b3", "d5", "f3", "a6", "g4", "Qh4#"]
SCORES = (3.0, 0.1, 0.3, 0.0, 0.2, 0.1, 0.5, 0.0, -3.0, 9.0)
"""What each bot told with its move: the first one's first and fourth are blunders."""


QUICK_NS = (1_450_000, 60_000, 1_450_000, 70_000, 990_000, *(1_450_000,) * 5)
"""Times that a chart and a list could round otherwise."""


def chess_match(versions: tuple[int, int], plies: int = len(MATE)) -> MatchRecord:
    """Return a match to checkmate, or its first plies, with scores, times and expected lines."""
    state = find_game("chess").initial()
    moves = []
    for number, text in enumerate(MATE[:plies]):
        move = state.parse(text)
        # One line begins with another move than the one played.
        first = state.legal_moves()[0] if number == 2 else move
        after = state.play(first)
        reply = after.legal_moves()[0] if after.outcome() is None else None
        line = (first,) if reply is None else (first, reply)
        report = ReportRecord(depth=3, nodes=1234, score=SCORES[number], pv=line, text="<b>x</b>")
        moves.append(MoveRecord(move, wall_ns=(number + 1) * 10_000_000, report=report))
        state = state.play(move)
    is_over = state.outcome() is not None
    return MatchRecord(
        game="chess",
        versions=versions,
        seed=1,
        opening=(),
        moves=tuple(moves),
        scores=(0.0, 1.0) if is_over else (1.0, 0.0),
        termination=Termination.RULES if is_over else Termination.CRASH,
        utilities=(-1.0, 1.0) if is_over else None,
        fault_seat=None if is_over else 1,
        detail="" if is_over else "fell over",
        log="" if is_over else f"<b>the last words</b>{' and more' * 20}\n   ^^^",
    )


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a league with an encounter of chess, one more match, and one of another tournament."""
    path = tmp_path_factory.mktemp("league") / "league.db"
    with open_store(str(path), create=True) as store:
        one, two = (
            store.bots.register(BotVersion(name, f"uci:{name}", digest=name)).id
            for name in (LONG, "two")
        )
        for time in ("10+0.1", ""):
            config = TournamentConfig(
                game="chess",
                entrants=(one, two),
                rounds=1,
                seed=1,
                opening_plies=0,
                limits=Limits(time=time, depth=3),
            )
            tournament = store.tournaments.add(config, 4)
            store.matches.save(
                tournament,
                [
                    (MatchKey(0, 0), chess_match((one, two))),
                    (MatchKey(0, 1), chess_match((two, one), 5)),
                    (MatchKey(1, 0), chess_match((one, two), 1)),
                ],
            )
        for attempt, answer in enumerate(("<b>Nh3</b>?", "h3")):
            call = ModelCall(
                ply=2,
                seat=0,
                attempt=attempt,
                version=one,
                digest="",
                prompt=f"move 2 {'of White ' * 40}",
                answer=answer,
                fault=None if attempt else CallFault.UNREADABLE,
                tokens_in=900,
                tokens_out=9,
                cost=0.25,
            )
            store.calls.note(tournament, MatchKey(0, 0), call)
        # One bot gives no score, and both are quick.
        config = replace(config, rounds=2)
        match = chess_match((one, two))
        quiet = tuple(
            replace(move, wall_ns=wall_ns, report=None if number % 2 == 0 else move.report)
            for number, (move, wall_ns) in enumerate(zip(match.moves, QUICK_NS, strict=True))
        )
        store.matches.save(
            store.tournaments.add(config, 2), [(MatchKey(0, 0), replace(match, moves=quiet))]
        )
    return path


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with open_store(str(path), read_only=True) as found:
        yield found


@pytest.fixture(scope="module")
def link(path: Path) -> Iterator[str]:
    """Serve that league."""
    with served(path.parent) as found:
        yield found.rstrip("/")


def test_a_tournament_says_what_its_models_cost(store: Store) -> None:
    head = ask(store, "/tournaments/2")[1].partition('data-part="head"')[2]
    assert ">2 calls of models, cost 0.5000</span>" in head
    assert "calls of models" not in ask(store, "/tournaments/1")[1]


@pytest.mark.slow
def test_the_page_names_the_game_the_ending_and_the_neighbours(store: Store) -> None:
    text = ask(store, "/matches/2")[1]
    assert " crashed" in text
    assert "The end of the log of" in text
    assert "&lt;b&gt;the last words&lt;/b&gt;" in text
    assert 'href="/matches/1"' in re.search(r"<a[^>]*rel=\"prev\"[^>]*>", text)[0]  # type: ignore[index]
    assert 'href="/matches/3"' in re.search(r"<a[^>]*rel=\"next\"[^>]*>", text)[0]  # type: ignore[index]
    assert "The same encounter" in text
    first = ask(store, "/matches/1")[1]
    assert "Black won by checkmate" in first
    assert 'rel="prev"' not in first
    assert 'href="/tournaments/1"' in first
    assert f'href="/bots/{LONG}"' in first
    assert "10+0.1, depth 3" in first
    assert "The same encounter" not in ask(store, "/matches/3")[1]


def test_a_search_of_chess_has_the_address_of_its_move(store: Store) -> None:
    status, text, _ = ask(store, "/matches/1/explain/1b?depth=1")
    assert status == 200
    assert "<h1>A search for White&#39;s move 2</h1>" in text
    assert 'href="/matches/1/explain/1w?depth=1" rel="prev"' in text
    assert 'href="/matches/1/explain/2w?depth=1" rel="next"' in text
    assert 'href="/matches/1/explain/1b/steps?depth=1"' in text
    # The number of the ply names the same position.
    assert ask(store, "/matches/1/explain/2?depth=1")[1] == text.replace(
        "explain/1b?", "explain/2?"
    )
    status, text, _ = ask(store, "/matches/1/explain/9w")
    assert status == 404
    assert "No position &#39;9w&#39; in match 1: expected 0 to 5b" in text


def test_moves_are_numbered_as_in_chess_and_blunders_are_told(store: Store) -> None:
    text = ask(store, "/matches/1")[1]
    listed = text.partition('id="moves"')[2].partition("moves-end")[0]
    rows = re.findall(r'<th class="num" scope="row">(\d+)</th>', listed)
    assert rows == ["1", "2", "3", "4", "5"]
    # 2.7 pawns are 73 of 100: 0.5 is 55%, and 3 less than even 25%.
    blunder = re.search(r'data-ply="7"><span class="dot[^>]*></span> (.*?)</li>', text, re.DOTALL)
    assert blunder is not None
    assert "4. f3<em>??</em>" in blunder[1]
    assert "55% to 25%" in blunder[1]
    assert text.count("<em>??</em>") == 3 * 2, "the list of moves has them too"
    assert 'data-blunders="1:75 7:55 9:25"' in text
    assert "25%, then lost" in text
    assert "after its last move counts the result" in text


def test_the_reason_of_a_fault_stands_beside_the_result_and_its_log_below_the_moves(
    store: Store,
) -> None:
    text = ask(store, "/matches/2")[1]
    assert f"{LONG} crashed" in text.partition("page-head")[2].partition("</header>")[0]
    told = text.partition('id="opened"')[2]
    assert f'{LONG} crashed<span class="why">fell over</span>' in told.partition("</p>")[0]
    places = ('"moves-end"', "fell over", '"steps-bar"', "The end of the log", "Time of")
    found = [told.find(each, told.find('id="moves"')) for each in places]
    assert -1 not in found
    assert found == sorted(found)


def test_without_scripts_the_last_board_and_the_moves_are_there(
    browser: "Browser", link: str
) -> None:
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{link}/matches/1")
        picture = page.locator("#board img")
        assert picture.get_attribute("alt") == "The last position: Black won by checkmate"
        box = picture.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) > 200
        assert "Black won by checkmate" in page.locator("#moves").inner_text()
        assert "Qh4#" in page.locator("#moves").inner_text()


def told(page: "Page") -> str:
    return str(page.evaluate("document.getElementById('told').textContent"))


def test_a_junk_fragment_is_ignored(quiet: "Page", link: str) -> None:
    quiet.goto(f"{link}/matches/1#3.7")
    assert told(quiet).startswith("5… two: Qh4#")
    quiet.evaluate("location.hash = '#4'")
    until(quiet, "document.getElementById('told').textContent.startsWith('2… two: d6')")
    for junk in ("#3.7", "#-1", "#x", "#1e3", "#main", "#%", "#99999999999"):
        quiet.evaluate(f"location.hash = {junk!r}")
        quiet.wait_for_timeout(20)
        assert told(quiet).startswith("2… two: d6")
    quiet.evaluate("location.hash = '#999'")
    until(quiet, "document.getElementById('told').textContent.startsWith('5… two: Qh4#')")


def test_a_match_opens_at_its_end_and_plays_from_the_start(quiet: "Page", link: str) -> None:
    quiet.goto(f"{link}/matches/1")
    scores = ".strip .score"
    assert quiet.inner_text("#opened p") == "0 – 1 Black won by checkmate"
    assert not quiet.is_visible("#told")
    assert quiet.is_visible(scores)
    quiet.keyboard.press("Home")
    assert not quiet.is_visible("#opened")
    assert not quiet.is_visible(scores), "nobody has points yet"
    assert told(quiet) == "Starting position"
    assert quiet.url.endswith("#0")
    quiet.keyboard.press("End")
    assert not quiet.is_visible("#opened")
    assert quiet.is_visible(scores)
    quiet.reload()
    quiet.click("text=Play from the start")
    assert quiet.evaluate("document.getElementById('play').ariaLabel") == "Pause (space)"
    assert told(quiet) == "Starting position"


def test_what_a_bot_told_of_a_move_stands_in_a_grid(quiet: "Page", link: str) -> None:
    quiet.goto(f"{link}/matches/1#5")
    assert told(quiet) == f"3. {LONG}: b3 · <b>x</b>"
    facts = quiet.locator("#facts > div").all_inner_texts()
    pairs = dict(each.split("\n") for each in facts)
    assert list(pairs) == ["Score", "Depth", "Nodes", "Time"]
    assert pairs["Score"].startswith("+0.2 (")
    assert (pairs["Depth"], pairs["Nodes"], pairs["Time"]) == ("3", "1234", "50.0 ms")
    assert not quiet.is_visible("#brief")
    resize(quiet, NARROW)
    assert not quiet.is_visible("#brief"), "the panel stands above the controls"
    resize(quiet, LOW)
    assert quiet.inner_text("#brief").startswith(f"3. {LONG}: b3"), "the panel is out of sight"
    quiet.goto(f"{link}/matches/1#9")
    assert "−3" in quiet.inner_text("#facts")


def test_the_list_of_moves_is_one_stop_of_the_tab_key(quiet: "Page", link: str) -> None:
    here = "document.activeElement.dataset.ply ?? document.activeElement.id"
    quiet.goto(f"{link}/matches/1#4")
    quiet.focus("#moves [data-ply='4']")
    for key, ply in (("ArrowUp", 2), ("ArrowRight", 3), ("ArrowDown", 5), ("End", 10)):
        quiet.keyboard.press(key)
        assert quiet.evaluate(here) == str(ply)
    assert told(quiet).startswith("5… ")
    quiet.keyboard.press("Tab")
    assert quiet.evaluate(here) == "slider"
    quiet.keyboard.press("Home")
    quiet.focus("#slider")
    quiet.keyboard.press("Shift+Tab")
    assert quiet.evaluate(here) == "1"


def test_a_journey_by_mouse(quiet: "Page", link: str) -> None:
    quiet.goto(f"{link}/matches/1#0")
    quiet.click("#next")
    quiet.click("#moves [data-ply='5']")
    assert told(quiet).startswith(f"3. {LONG}: b3")
    assert quiet.url.endswith("#3w")
    assert quiet.inner_text(".moves-next .strip-name") == "two"
    assert "to move" in quiet.inner_text(".moves-next")
    quiet.click("#blunder")
    assert told(quiet).startswith("4. ")
    assert quiet.evaluate("document.getElementById('chance').ariaLabel") == "White 52%"
    assert quiet.inner_text("#share") == "52%"
    assert quiet.is_visible("text=The bar beside the board is the chance of White to win")
    quiet.click("#turn")
    above = quiet.locator(".strip-name").first.bounding_box()
    below = quiet.locator(".strip-name").last.bounding_box()
    assert above is not None
    assert below is not None
    assert below["y"] < above["y"], "the first seat is on top now"
    quiet.click("#last")
    assert quiet.evaluate("document.querySelectorAll('.moves-next').length") == 0
    chart = quiet.locator("[data-chart] .u-over").first
    chart.scroll_into_view_if_needed()
    box = chart.bounding_box()
    assert box is not None
    quiet.mouse.click(box["x"] + 2, box["y"] + 30)
    assert told(quiet).startswith("1. "), "a chart leads to its ply"
    here = "parseFloat(document.querySelector('.chart-here').style.left)"
    quiet.keyboard.press("Home")
    assert quiet.evaluate(here) == 0, "the mark does not leave the chart"
    quiet.keyboard.press("ArrowRight")
    mark = "parseFloat([...document.querySelectorAll('.chart-blunder')].at(-1)?.style.left)"
    place = quiet.evaluate(mark)
    resize(quiet, NARROW)
    until(quiet, f"{mark} > 0 && {mark} < {place}")
    quiet.click("#link")
    until(quiet, "document.getElementById('copied').textContent !== ''")
    assert re.search(r"Copied|/matches/1#1w$", quiet.inner_text("#copied"))


def test_a_wide_log_scrolls_by_itself_and_its_signs_stay_below_their_places(
    quiet: "Page", link: str
) -> None:
    resize(quiet, NARROW)
    quiet.goto(f"{link}/matches/3")
    log = quiet.locator(".log")
    assert log.evaluate("each => each.scrollWidth > each.clientWidth")
    assert log.evaluate("each => getComputedStyle(each).maskImage") != "none"
    assert fits(quiet)
    log.focus()
    quiet.keyboard.press("ArrowRight")
    until(quiet, "document.querySelector('.log').scrollLeft > 0")


def test_nobody_is_to_move_after_a_fault(quiet: "Page", link: str) -> None:
    quiet.goto(f"{link}/matches/2")
    assert quiet.locator(".moves-next").count() == 0
    quiet.keyboard.press("ArrowLeft")
    assert quiet.locator(".moves-next").count() == 1


def test_a_move_of_a_model_shows_what_was_asked_and_answered(quiet: "Page", link: str) -> None:
    quiet.goto(f"{link}/matches/4")
    calls, hint = quiet.locator("[data-calls]"), quiet.get_by_text("Choose a move of a language")
    assert calls.count() == 1
    assert not calls.is_visible()
    assert hint.is_visible()
    quiet.locator("#moves a[data-ply='3']").click()
    assert calls.get_by_text("move 2 of White").first.is_visible()
    assert calls.get_by_text("<b>Nh3</b>?").is_visible()
    assert calls.locator("pre").count() == 2
    assert not hint.is_visible()
    assert fits(quiet)
    quiet.keyboard.press("ArrowRight")
    assert not calls.is_visible()
    quiet.goto(f"{link}/matches/1")
    assert not quiet.get_by_text("Calls of language models").count()


def test_a_ply_without_an_expected_line_does_not_light_the_button(quiet: "Page", link: str) -> None:
    quiet.goto(f"{link}/matches/1#1")
    look = "getComputedStyle(document.getElementById('lines')).backgroundColor"
    lit = quiet.evaluate(look)
    quiet.keyboard.press("Home")
    assert quiet.get_attribute("#lines", "aria-pressed") == "true"
    assert quiet.evaluate(look) != lit


def test_charts_tell_the_shown_ply_in_the_words_of_the_list(quiet: "Page", link: str) -> None:
    # A chart of one line has no legend: it tells its value below.
    quiet.goto(f"{link}/matches/7#6")
    chances, times = (quiet.locator("[data-chart]").nth(place) for place in (0, 1))
    assert chances.locator(".chart-told").inner_text() == "ply 6: two 49% for White"
    quiet.keyboard.press("ArrowLeft")
    assert chances.locator(".chart-told").inner_text() == "ply 4: two 50% for White"
    listed = [quiet.inner_text(f"#moves [data-ply='{ply}'] small") for ply in (5, 4)]
    assert listed == ["990 µs", "70 µs"]
    assert times.locator(".legend b").all_inner_texts() == listed
    quiet.keyboard.press("ArrowLeft")
    quiet.keyboard.press("ArrowLeft")
    written = times.locator(".legend b").first.inner_text()
    assert written == quiet.inner_text("#moves [data-ply='3'] small")
    assert f'<td class="num">{written}</td>' in quiet.content()


# The columns of pixels of a chart that have a colour, and the rows, in the plot or right of it.
PAINTED = """([place, colour]) => {
  const figure = document.querySelectorAll("[data-chart]")[place];
  const canvas = figure.querySelector("canvas"), { width, height } = canvas;
  const copy = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
  copy.drawImage(canvas, 0, 0);
  const { data } = copy.getImageData(0, 0, width, height);
  const plot = figure.querySelector(".u-over"), right = plot.offsetLeft + plot.offsetWidth;
  const found = { columns: [], rows: [], beside: 0 };
  for (let at = 0; at < width * height; at++) {
    const [x, y] = [at % width, Math.floor(at / width)];
    if (data.slice(4 * at, 4 * at + 3).join() !== colour || !data[4 * at + 3]) continue;
    if (x >= right) { found.beside++; continue; }
    found.columns.push(x);
    found.rows.push(y);
  }
  return found;
}"""


@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_names_of_bounds_stand_beside_the_lines_and_bars_have_a_slot_each(
    quiet: "Page", link: str, size: tuple[int, int]
) -> None:
    resize(quiet, size)
    quiet.goto(f"{link}/matches/1#4")
    until(quiet, "document.querySelectorAll('[data-chart] canvas').length === 2")
    accent = quiet.evaluate(PAINTED, [0, "168,79,0"])
    assert accent["beside"] > 50, "the names are written there"
    # In the plot are the dashes of three bounds alone, each of one or two rows.
    assert len(set(accent["rows"])) <= 6
    white, black = (quiet.evaluate(PAINTED, [1, each]) for each in ("253,253,251", "22,24,28"))
    assert white["columns"]
    assert black["columns"]
    assert not set(white["columns"]) & set(black["columns"])


def test_a_white_line_is_one_line_on_a_light_card(quiet: "Page", link: str) -> None:
    quiet.goto(f"{link}/matches/1#4")
    until(quiet, "document.querySelectorAll('[data-chart] canvas').length === 2")
    # Between its points no white is drawn: an edge on both sides would look like two lines.
    found = quiet.evaluate(PAINTED, [0, "253,253,251"])
    assert len(set(found["columns"])) < 60
    assert len(set(quiet.evaluate(PAINTED, [0, "140,142,145"])["columns"])) > 60


def test_a_phone_shows_the_move_on_its_first_screen(quiet: "Page", link: str) -> None:
    for height, place in ((PHONE[1], "#brief"), (NARROW[1], "#facts")):
        resize(quiet, (PHONE[0], height))
        quiet.goto("about:blank")
        quiet.goto(f"{link}/matches/1#4")
        found, bar = (quiet.locator(each).bounding_box() for each in (place, ".steps-bar"))
        assert found is not None
        assert bar is not None
        assert found["height"] > 10
        assert found["y"] + found["height"] <= height
        if place == "#facts":
            assert found["y"] + found["height"] <= bar["y"]
            tops = (
                "[...document.querySelectorAll('#facts div')].filter((each) => each.offsetParent)"
            )
            assert len(set(quiet.evaluate(f"{tops}.map((each) => each.offsetTop)"))) == 1


def test_the_result_stands_twice_at_most(quiet: "Page", link: str) -> None:
    shown = """[...document.querySelectorAll('main *')].filter((each) => each.checkVisibility()
      && [...each.childNodes].some((one) => one.nodeType === 3
        && one.data.includes('Black won by checkmate'))).length"""
    quiet.goto(f"{link}/matches/1")
    assert quiet.evaluate(shown) == 2
    quiet.keyboard.press("ArrowLeft")
    assert quiet.evaluate(shown) == 2


def test_a_low_window_has_room_for_the_board_and_the_controls(quiet: "Page", link: str) -> None:
    resize(quiet, LOW)
    quiet.goto(f"{link}/matches/1#4")
    bar = quiet.locator(".steps-bar").bounding_box()
    board = quiet.locator("#board").bounding_box()
    assert bar is not None
    assert board is not None
    assert bar["height"] <= 48
    assert bar["y"] - board["y"] > LOW[1] / 2, "most of the board is seen"
    assert board["height"] <= 0.8 * LOW[1]
    assert fits(quiet)


def test_a_phone_shows_the_whole_board_and_the_controls_at_once(quiet: "Page", link: str) -> None:
    resize(quiet, PHONE)
    quiet.goto(f"{link}/matches/1#4")
    bar = quiet.locator(".steps-bar").bounding_box()
    board = quiet.locator("#board").bounding_box()
    assert bar is not None
    assert board is not None
    assert board["width"] > PHONE[0] * 0.9
    assert board["y"] + board["height"] <= bar["y"], "no part of the board is below the controls"
    assert bar["y"] + bar["height"] <= PHONE[1]
    assert "0 – 1 · Black won by checkmate" in quiet.inner_text(".match-head")
    assert quiet.inner_text("h1") == f"{LONG} – two"
    crumbs = quiet.locator(".crumbs")
    assert crumbs.inner_text() == "Chess / Tournament 1 / Match 1"
    assert crumbs.evaluate("each => each.scrollWidth <= each.clientWidth"), "it is not cut"
    assert fits(quiet)


def test_a_journey_by_keys(quiet: "Page", link: str) -> None:
    quiet.goto(f"{link}/matches/1#0")
    quiet.keyboard.press("n")
    assert told(quiet).startswith("1. ")
    quiet.keyboard.press("n")
    assert told(quiet).startswith("4. ")
    quiet.keyboard.press("n")
    assert told(quiet).startswith("5. "), "the match was lost after it"
    quiet.keyboard.press("n")
    assert told(quiet).startswith("1. "), "after the last comes the first"
    quiet.keyboard.press("3")
    assert quiet.evaluate("document.getElementById('speed').value") == "3"
    quiet.keyboard.press("0")
    here = told(quiet)
    # What is typed into a field is none of the board's keys.
    quiet.focus("input[type=search]")
    quiet.keyboard.type("bn ")
    assert told(quiet) == here
    # A button that was reached by keys does what it says.
    quiet.focus("#back")
    quiet.keyboard.press("Home")
    quiet.focus("#next")
    quiet.keyboard.press("Space")
    assert told(quiet).startswith("1. ")
    assert quiet.evaluate("document.getElementById('play').ariaLabel") == "Play (space)"
    quiet.keyboard.press("?")
    assert quiet.is_visible("#help")
    assert axe_faults(quiet) == []
    quiet.keyboard.press("Escape")
    quiet.focus("[data-chart] .chart-plot")
    quiet.keyboard.press("End")
    quiet.keyboard.press("Enter")
    assert told(quiet).startswith("5… ")


def test_a_journey_by_touch(browser: "Browser", link: str) -> None:
    with browser.new_context(has_touch=True, is_mobile=True) as context:
        page = context.new_page()
        resize(page, NARROW)
        page.goto(f"{link}/matches/1#0")
        touch = context.new_cdp_session(page)
        box = page.locator("#board").bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

        def stroke(across: int, down: int) -> None:
            for kind, share in (("touchStart", 0.0), ("touchMove", 0.5), ("touchMove", 1.0)):
                point = {"x": x + share * across, "y": y + share * down}
                touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [point]})
            touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

        stroke(-100, 0)
        until(page, "document.getElementById('slider').value === '1'")
        stroke(-100, 10)
        until(page, "document.getElementById('slider').value === '2'")
        stroke(100, 0)
        until(page, "document.getElementById('slider').value === '1'")
        stroke(20, -150)
        assert page.evaluate("document.getElementById('slider').value") == "1"
        # The controls are at the lower edge, large enough for a thumb.
        for name in ("first", "back", "play", "next", "last"):
            control = page.locator(f"#{name}").bounding_box()
            assert control is not None
            assert min(control["width"], control["height"]) >= 44
            assert control["y"] + control["height"] <= NARROW[1]
        page.tap("#next")
        until(page, "document.getElementById('slider').value === '2'")
        assert told(page).startswith("1… ")
        board = page.locator("#board").bounding_box()
        assert board is not None
        assert board["width"] > NARROW[0] * 0.8
        assert fits(page)


def test_a_row_of_a_list_opens_and_its_other_links_stay(quiet: "Page", link: str) -> None:
    quiet.goto(f"{link}/matches")
    place = quiet.locator("tr.opens").first.locator("td[data-label=Plies]").bounding_box()
    assert place is not None
    quiet.mouse.click(place["x"] + 2, place["y"] + place["height"] / 2)
    quiet.wait_for_url(re.compile(r"/matches/\d+$"))
    quiet.goto(f"{link}/matches")
    row = quiet.locator("tr.opens").first
    row.locator("a[href='/bots/two']").click()
    quiet.wait_for_url("**/bots/two")
    quiet.goto(f"{link}/matches")
    own = row.locator(".row-link").count()
    assert own == 1, "the keyboard stops once at what covers the row"
