"""Pages on paper: nothing is cut off, and what can only be pressed is left out."""

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from league.store.store import open_store
from tests.browser import fits, resize
from tests.league.command import league
from tests.league.matches import add_bots, add_tournament, save_encounter
from tests.league.web.serving import served

if TYPE_CHECKING:
    from playwright.sync_api import Page

BOTS = 60
PORTRAIT, LANDSCAPE = (703, 1032), (1032, 703)
"""A sheet of A4 without its margins, in CSS pixels."""

PRESSED = "button, input, select, nav, .skip, .orders"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a league of many bots with long names, each of which met its neighbours."""
    found = tmp_path_factory.mktemp("league")
    with open_store(str(found / "league.db"), create=True) as store:
        versions = add_bots(store, *(f"a-bot-with-a-long-name-{n}" for n in range(BOTS)))
        number = add_tournament(store, *versions)
        # A crosstable with few numbers is left out.
        near = (pair for pair in combinations(versions, 2) if pair[1] - pair[0] <= BOTS // 7)
        for place, pair in enumerate(near):
            save_encounter(store, number, place, pair, "WD")
    return found


@pytest.fixture(scope="module")
def link(folder: Path) -> Iterator[str]:
    """Serve that league."""
    with served(folder) as found:
        yield found.rstrip("/")


def on_paper(page: "Page", address: str, size: tuple[int, int]) -> None:
    """Open a page as it is printed on a sheet."""
    resize(page, size)
    page.emulate_media(media="print")
    page.goto(address)


@pytest.mark.parametrize("address", ["/", "/bots", "/matches", "/matches/1", "/tournaments/1"])
def test_nothing_to_press_is_printed(quiet: "Page", link: str, address: str) -> None:
    on_paper(quiet, link + address, LANDSCAPE)
    assert fits(quiet)
    assert quiet.locator(PRESSED).locator("visible=true").count() == 0


def test_a_match_is_printed_with_its_board_and_all_moves(quiet: "Page", link: str) -> None:
    on_paper(quiet, f"{link}/matches/1", PORTRAIT)
    assert fits(quiet)
    board = quiet.locator("#board").bounding_box()
    assert board is not None
    assert min(board["width"], board["height"]) > 200
    moves = quiet.locator("#moves")
    assert moves.locator("[data-ply] >> visible=true").count() == 3
    assert moves.evaluate("(each) => each.scrollHeight <= each.clientHeight")


def test_crosstables_of_sixty_bots_have_all_columns_on_a_sheet(
    page: "Page", link: str, folder: Path
) -> None:
    league(folder, "report", "1", "--html", "-o", "report.html")
    (folder / "cross.html").write_text(league(folder, "crosstable", "--html"))
    files = ((folder / name).as_uri() for name in ("report.html", "cross.html"))
    for address in (f"{link}/tournaments/1", *files):
        on_paper(page, address, LANDSCAPE)
        edges = page.evaluate(
            """[...document.querySelectorAll("table")].map((table) => [
              table.rows[0].cells.length, table.getBoundingClientRect().right])"""
        )
        assert max(cells for cells, _ in edges) > BOTS
        assert max(right for _, right in edges) <= LANDSCAPE[0], address
