"""The pages of accounts in a real browser: sound at any size, and a whole journey by them."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from league.hosting.accounts import invitations, tokens
from league.hosting.accounts.passwords import hash_password
from league.hosting.model.people import Role
from league.hosting.model.season import SeasonSettings
from league.hosting.store.host_store import open_host_store
from tests.browser import NARROW, WIDE, reach_all_by_keys, resize
from tests.league.hosting.web.hosting import hosted
from tests.league.web.test_pages import FAULTS

if TYPE_CHECKING:
    from playwright.sync_api import Page

PASSWORD = "rooks on open files"  # noqa: S105 (a test's own)
HOSTILE = "<img src=x onerror=alert(1)>"
LONG = "a" * 60


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a league with people, tokens and names that mean harm."""
    found = tmp_path_factory.mktemp("hosted")
    with open_host_store(str(found / "league.db"), create=True) as store:
        # Without a season, visitors see nothing.
        store.seasons.create(SeasonSettings(name="AI 2026", game="connectfour"))
        team = store.people.add_team(LONG)
        ada = store.people.add("ada", Role.AUTHOR, team=team.id, name=HOSTILE, email="a@b.org")
        store.people.set_password_hash(ada.id, hash_password(PASSWORD))
        for label in (HOSTILE, LONG):
            tokens.new_token(store, ada, label)
        eve = store.people.add(f"{LONG}.eve", Role.AUTHOR, team=team.id, name=HOSTILE)
        (found / "link").write_text(invitations.invite(store, eve))
    return found


@pytest.fixture(scope="module")
def link(folder: Path) -> Iterator[str]:
    """Serve that league."""
    with hosted(folder / "league.db") as found:
        yield found


def _signed_in(page: "Page", link: str, path: str) -> None:
    page.goto(f"{link}/sign-in?next={path}")
    page.fill("[name=login]", "ada")
    page.fill("[name=password]", PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url(f"{link}{path}")


@pytest.mark.parametrize("path", ["/sign-in", "/invitation/LINK", "/invitation/over", "/me", "/"])
def test_a_page_is_sound_at_any_size_in_light_and_dark(
    page: "Page", folder: Path, link: str, path: str
) -> None:
    path = path.replace("LINK", (folder / "link").read_text())
    if path in ("/me", "/"):
        _signed_in(page, link, path)
    else:
        page.goto(link + path)
    faults = []
    for size in (WIDE, NARROW):
        resize(page, size)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            faults += [f"{scheme}, {size[0]} px: {each}" for each in page.evaluate(FAULTS)]
    assert not faults, "\n".join(dict.fromkeys(faults))
    assert page.evaluate("document.querySelectorAll('img[src=x]').length") == 0
    reach_all_by_keys(page)


def test_a_person_makes_a_token_changes_the_password_and_leaves(page: "Page", link: str) -> None:
    _signed_in(page, link, "/me")
    page.fill("[name=label]", "laptop")
    page.click("text=Make a token")
    assert re.search(r"blp_[\w-]{43}", page.inner_text(".made"))
    for name, text in (("before", PASSWORD), ("password", "bishops on diagonals")):
        page.fill(f"[name={name}]", text)
    page.fill("[name=again]", "bishops on diagonals")
    page.click("text=Change the password")
    page.wait_for_url(f"{link}/me?done=password")
    page.click(".page-head >> text=Sign out")
    page.wait_for_url(f"{link}/")
    assert page.inner_text(".who-asks") == "Sign in"
