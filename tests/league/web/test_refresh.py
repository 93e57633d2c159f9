"""The script that keeps parts of a page fresh, in a real browser."""

from typing import TYPE_CHECKING

from tests.paths import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

SCRIPT = ROOT / "league" / "render" / "static" / "refresh.js"

AREA = """
<div data-refresh="http://league.test/page" data-seconds="0.05">
<p id="state" data-part {attribute}>{text}</p></div>
<script type="module" src="/refresh.js"></script>
"""


def test_a_part_that_is_final_is_not_asked_for_again(page: "Page") -> None:
    asked: list[str] = []

    def answer(route: "Route") -> None:
        if route.request.url.endswith(".js"):
            route.fulfill(body=SCRIPT.read_text(), content_type="text/javascript")
            return
        asked.append(route.request.url)
        is_last = len(asked) == 4
        attribute = "data-final" if is_last else ""
        text = "decided" if is_last else f"waits {len(asked)}"
        body = AREA.format(attribute=attribute, text=text)
        route.fulfill(body=body, content_type="text/html")

    page.route("http://league.test/**", answer)
    page.goto("http://league.test/page")
    page.wait_for_function("document.getElementById('state').textContent === 'decided'")
    # Twenty times the pace of the page.
    page.wait_for_timeout(1000)
    assert len(asked) == 4


def test_a_page_takes_all_its_parts_from_one_answer(page: "Page") -> None:
    def answer(route: "Route") -> None:
        if route.request.url.endswith(".js"):
            route.fulfill(body=SCRIPT.read_text(), content_type="text/javascript")
            return
        text = "later" if asked else "at first"
        asked.append(route.request.url)
        board = '<div data-refresh="http://league.test/board" data-seconds="1000">'
        body = AREA.format(attribute="", text=f'{text}</p>{board}<p id="board" data-part>{text}')
        route.fulfill(body=f"{body}</div>", content_type="text/html")

    asked: list[str] = []
    page.route("http://league.test/**", answer)
    page.goto("http://league.test/page")
    page.wait_for_function("document.getElementById('state').textContent === 'later'")
    assert page.text_content("#board") == "later"
    assert set(asked) == {"http://league.test/page"}
