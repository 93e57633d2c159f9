"""What people do with a hosted league in their browsers."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

from tests.browser import until

if TYPE_CHECKING:
    from playwright.sync_api import Page

PASSWORD = "rooks on open files"  # noqa: S105 (a test's own)

TAKEN = "document.querySelector('.upload span').textContent || submit.file.files[0]?.name || ''"
"""An expression: what the form of a submission says that it will send."""


def accept(page: "Page", link: str) -> None:
    """Open a one-time link and set a password by it."""
    page.goto(link)
    page.fill("[name=password]", PASSWORD)
    page.fill("[name=again]", PASSWORD)
    page.click("text=Set the password")
    page.wait_for_url(re.compile("/(submit|organise)$"))


def invite(page: "Page", login: str, team: str) -> str:
    """Add an author on the organiser's page; return the one-time link."""
    page.click(".site >> text=Organise")
    page.click("nav >> text=People")
    form = page.locator("form", has=page.locator("button:text-is('Add')"))
    for label, text in {"Login": login, "Team": team, "Email": f"{login}@example.org"}.items():
        form.get_by_label(label).fill(text)
    form.get_by_role("button").click()
    found = re.search(rf"{login},(\S+)", page.inner_text(".made"))
    assert found is not None
    return found[1]


def drop(page: "Page", path: Path) -> None:
    """Drop a file or a folder of this machine where a page takes one."""
    box = page.locator("#drop").bounding_box()
    assert box is not None
    at = {"x": box["x"] + box["width"] / 2, "y": box["y"] + 10}
    data = {"items": [], "files": [str(path)], "dragOperationsMask": 1}
    session = page.context.new_cdp_session(page)
    for word in ("dragEnter", "dragOver", "drop"):
        session.send("Input.dispatchDragEvent", {"type": word, **at, "data": data})
    session.detach()


def submit(page: "Page", path: Path) -> None:
    """Drop a bot on the form and send it; the page of the submission is there afterwards."""
    page.click(".site >> text=Submit")
    drop(page, path)
    until(page, f"({TAKEN}).endsWith('{path.name}')")
    page.click("button:text-is('Submit')")
    page.wait_for_url("**/submissions/*")


def follow(page: "Page", state: str) -> None:
    """Wait until a submission has come so far, without another look at its page."""
    page.evaluate("window.isTheSamePage = true")
    until(page, f"document.querySelector('#state .tag').textContent === '{state}'")
    assert page.evaluate("window.isTheSamePage")
