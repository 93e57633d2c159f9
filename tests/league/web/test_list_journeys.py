"""Journeys through the first page, the lists, tournaments and games, by touch, keys and mouse."""

import re
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from league.store.store import open_store
from tests.browser import NARROW, WIDE, fits, resize, until
from tests.league.command import league
from tests.league.matches import add_bots, add_tournament, save_encounter
from tests.league.web.serving import served

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

LONG = "a-bot-with-a-name-of-sixty-characters-that-wants-all-the-room"
STRONG, WEAK, KNOCKOUT = "strong", "weak", 2
FOCUSED = "document.activeElement"
KEYS_MAX = 150


@pytest.fixture(scope="module")
def link(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve a league of four bots: 60 matches of Connect Four, and a knockout of Tic-tac-toe."""
    folder: Path = tmp_path_factory.mktemp("league")
    with open_store(str(folder / "league.db"), create=True) as store:
        bots = add_bots(store, STRONG, LONG, "third", WEAK)
        number = add_tournament(store, *bots, rounds=5)
        for place, pair in enumerate([*combinations(bots, 2)] * 5):
            save_encounter(store, number, place, pair, "WD")
        store.tournaments.finish(number, 1, 1)
    knockout = ("--game", "tictactoe", "--format", "knockout")
    league(folder, "run", *knockout, "--bots", "all", "--depth", "1", "--seed", "1", "--quiet")
    with served(folder) as found:
        yield found.rstrip("/")


@pytest.fixture
def phone(browser: "Browser") -> Iterator["Page"]:
    """Open an empty page on a phone."""
    size = {"width": NARROW[0], "height": NARROW[1]}
    with browser.new_context(viewport=size, has_touch=True, is_mobile=True) as context:  # type: ignore[arg-type]  # a typed dictionary
        yield context.new_page()


def focus_by_keys(page: "Page", selector: str) -> None:
    """Press Tab until the focus is on the first element that a selector finds."""
    page.wait_for_selector(selector)
    wanted = page.locator(selector).first
    for _ in range(KEYS_MAX):
        page.keyboard.press("Tab")
        if wanted.evaluate(f"(each) => each === {FOCUSED}"):
            return
    pytest.fail(f"no Tab leads to {selector}")


def test_the_first_page_leads_on_by_touch(phone: "Page", link: str) -> None:
    phone.goto(link)
    assert fits(phone)
    phone.tap("#featured .board")
    phone.wait_for_url(f"{link}/matches/*")
    phone.goto(link)
    phone.tap(".leaders .name a")
    phone.wait_for_url(f"{link}/bots/*")
    phone.goto(link)
    phone.locator("#results-area .thumb").first.tap()
    phone.wait_for_url(f"{link}/matches/*")
    phone.goto(link)
    phone.tap("#counts a[href='/matches']")
    phone.wait_for_url(f"{link}/matches")


def test_a_list_is_filtered_sorted_and_paged_by_touch(phone: "Page", link: str) -> None:
    phone.goto(f"{link}/matches")
    assert fits(phone)
    phone.tap(".orders >> text=Plies")
    phone.wait_for_url(f"{link}/matches?sort=-plies")
    phone.tap("[rel=next]")
    phone.wait_for_url(f"{link}/matches?sort=-plies&page=2")
    phone.goto(f"{link}/matches")
    phone.select_option("[name=game]", "connectfour")
    phone.tap("summary >> text=More filters")
    phone.fill("[name=opponent]", WEAK)
    phone.fill("[name=bot]", STRONG)
    phone.tap("text=Filter >> visible=true >> nth=0")
    phone.wait_for_url(f"{link}/matches?game=connectfour&bot={STRONG}&opponent={WEAK}*")
    assert phone.locator("tr.opens").count() == 10
    # The whole row opens the match, not only its number.
    phone.locator("tr.opens").first.tap(position={"x": 250, "y": 12})
    phone.wait_for_url(f"{link}/matches/*")


def test_a_phone_lists_the_rounds_of_a_knockout(phone: "Page", link: str) -> None:
    phone.goto(f"{link}/tournaments/{KNOCKOUT}")
    # A busy machine may draw the page before it has read the matches.
    phone.wait_for_selector(".bracket-rounds .tie")
    assert fits(phone)
    assert not phone.is_visible(".bracket")
    rounds = phone.locator(".bracket-rounds h3")
    assert rounds.all_inner_texts() == ["Final", "Semi-final"]
    final = phone.locator(".bracket-rounds .tie").first
    names = final.locator(".tie-name").evaluate_all(
        "(all) => all.map((each) => each.firstChild.data)"
    )
    long_names = final.locator(".tie-name")
    long_names.evaluate_all(
        f"(all) => all.forEach((each) => {{ each.firstChild.data = '{LONG}'; }})"
    )
    assert fits(phone)
    final.tap()
    phone.wait_for_url(f"{link}/matches?tournament={KNOCKOUT}&bot={names[0]}&opponent={names[1]}")
    assert phone.locator("tbody tr").count() >= 2
    for said in phone.locator("tbody .name").all_inner_texts():
        assert all(name in said for name in names)


# The fields and buttons of a form in the order of the Tab key, and as they are seen.
ORDERS = """(() => {
  const all = [...document.querySelectorAll("main .filters :is(input, select, button, summary)")]
    .filter((each) => each.checkVisibility() && each.type !== "hidden");
  const place = (each) => each.getBoundingClientRect();
  const seen = all.toSorted((one, other) => Math.abs(place(one).bottom - place(other).bottom) > 20
    ? place(one).bottom - place(other).bottom : place(one).left - place(other).left);
  return [all, seen].map((each) => each.map((field) => field.name || field.textContent));
})()"""


@pytest.mark.parametrize(
    "path", ["/matches", "/matches?result=won", "/bots", "/tournaments", "/matches/1/explain/1"]
)
def test_a_phone_shows_filters_in_the_order_of_the_keys(
    phone: "Page", link: str, path: str
) -> None:
    phone.goto(link + path)
    by_keys, seen = phone.evaluate(ORDERS)
    assert len(seen) >= 4
    assert seen == by_keys


# The ends of the axis of the ratings, of the lines, and of their intervals.
RANGES = """import("/static/charts.js").then(({ drawn }) => {
  const [[figure, { plot }]] = drawn, { min, max } = plot.scales.y;
  const { lines } = JSON.parse(figure.querySelector("script").textContent);
  const range = (all) => [Math.min(...all.filter(Number)), Math.max(...all.filter(Number))];
  const values = lines.flatMap((line) => line.values), ends = lines.flatMap((line) => line.ends);
  return [[min, max], range(values), range(ends.flat())];
})"""


def test_the_axis_of_a_rating_history_follows_the_lines(quiet: "Page", link: str) -> None:
    quiet.goto(f"{link}/tournaments/1")
    quiet.wait_for_selector(".history canvas")
    axis, lines, intervals = quiet.evaluate(RANGES)
    assert axis[0] <= lines[0] <= lines[1] <= axis[1]
    assert intervals[1] - intervals[0] > 1.5 * (lines[1] - lines[0])
    assert axis[1] - axis[0] < 1.5 * (lines[1] - lines[0])
    # A reader still gets each interval in numbers.
    assert "±" in quiet.inner_text(".history .legend")


def test_a_tournament_is_read_by_keys(quiet: "Page", link: str) -> None:
    quiet.goto(f"{link}/tournaments/1")
    focus_by_keys(quiet, "#main .standings .row-link")
    quiet.keyboard.press("Enter")
    quiet.wait_for_url(f"{link}/bots/{STRONG}")
    quiet.go_back()
    focus_by_keys(quiet, ".cross td a")
    quiet.keyboard.press("Enter")
    quiet.wait_for_url(f"{link}/versus/{STRONG}/*?game=connectfour")
    quiet.go_back()
    focus_by_keys(quiet, ".chart-plot:has(canvas)")
    told = "document.querySelector('.chart-told').textContent"
    quiet.keyboard.press("Home")
    first = str(quiet.evaluate(told))
    quiet.keyboard.press("End")
    assert re.match(r"(1 match|[\d,]+ matches): ", first)
    assert quiet.evaluate(told) != first
    focus_by_keys(quiet, ".settings summary")
    quiet.keyboard.press("Enter")
    until(quiet, "document.querySelector('.settings').open")


def test_a_knockout_is_read_by_keys(quiet: "Page", link: str) -> None:
    quiet.goto(f"{link}/tournaments/{KNOCKOUT}")
    quiet.wait_for_selector(".bracket .tie")
    assert not quiet.is_visible(".bracket-rounds")
    focus_by_keys(quiet, ".bracket a.tie")
    quiet.keyboard.press("Enter")
    quiet.wait_for_url(f"{link}/matches?tournament={KNOCKOUT}&bot=*&opponent=*")


def test_scores_of_all_rounds_are_as_wide(quiet: "Page", tmp_path: Path) -> None:
    with open_store(str(tmp_path / "league.db"), create=True) as store:
        add_bots(store, *(f"bot{number}" for number in range(11)))
    swiss = ("--game", "tictactoe", "--format", "swiss", "--rounds", "4")
    league(tmp_path, "run", *swiss, "--bots", "all", "--depth", "1", "--seed", "1", "--quiet")
    with served(tmp_path) as link:
        quiet.goto(f"{link}tournaments/1")
        scores = quiet.locator("td.round-score > *")
        scores.first.wait_for()
        ranks = [text[-2:] for text in scores.locator("small").all_inner_texts()]
        # One digit and two, and no opponent.
        assert {len(rank.strip()) for rank in ranks} == {0, 1, 2}
        assert {"–", "1½", "2"} <= set(scores.locator("b").all_inner_texts())
        for size in (WIDE, NARROW):
            resize(quiet, size)
            boxes = scores.evaluate_all("(all) => all.map((each) => each.getBoundingClientRect())")
            assert len(boxes) == 44
            assert len({round(box["width"], 1) for box in boxes}) == 1
            # A finger needs 24 pixels.
            assert size == WIDE or min(box["height"] for box in boxes) >= 24


def test_games_and_versus_are_browsed_by_mouse(quiet: "Page", link: str) -> None:
    quiet.goto(f"{link}/games")
    # The picture belongs to the link of the title.
    quiet.locator(".games > li").first.click(position={"x": 60, "y": 60})
    quiet.wait_for_url(f"{link}/games/connectfour")
    quiet.locator(".standings tbody tr").first.click(position={"x": 20, "y": 12})
    quiet.wait_for_url(f"{link}/bots/{STRONG}?game=connectfour")
    quiet.click(f"[aria-label=Opponents] >> text={WEAK}")
    quiet.wait_for_url(f"{link}/versus/{STRONG}/{WEAK}?game=connectfour")
    quiet.click("text=Latest versions")
    quiet.wait_for_url(f"{link}/versus/{STRONG}/{WEAK}?versions=newest&game=connectfour")
    quiet.click(".end >> nth=0")
    quiet.wait_for_url(f"{link}/matches/*")


def test_versus_leads_to_each_of_its_games_by_mouse(quiet: "Page", link: str) -> None:
    quiet.goto(f"{link}/tournaments/{KNOCKOUT}")
    quiet.wait_for_selector(".bracket .tie")
    names = quiet.locator(".bracket .tie").first.locator(".tie-name")
    one, other = names.evaluate_all("(all) => all.map((each) => each.firstChild.data)")
    quiet.goto(f"{link}/versus/{one}/{other}")
    quiet.click("[aria-label=Games] >> text=Tic-tac-toe")
    quiet.wait_for_url(f"{link}/versus/{one}/{other}?game=tictactoe")
    assert quiet.locator("main section > h2").all_inner_texts() == ["Tic-tac-toe"]
    quiet.click("#game a")
    quiet.wait_for_url(f"{link}/games/tictactoe")
