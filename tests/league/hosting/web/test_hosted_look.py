"""The pages of a hosted league in a real browser, at two sizes, in light and dark."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from league.hosting.accounts.sign_ins import begin
from league.hosting.store.host_store import open_host_store
from league.hosting.web.callers import SIGN_IN
from tests.browser import NARROW, WIDE, resize
from tests.league.hosting.web.hosting import hosted
from tests.league.hosting.web.secret_league import make_secret_league, mark

if TYPE_CHECKING:
    from playwright.sync_api import Browser

FAULTS = (Path(__file__).parents[2] / "web" / "page_faults.js").read_text(encoding="utf-8")

PAGES = {
    mark("login", "Ants").lower(): (
        "/",
        "/season",
        "/submit",
        "/submissions",
        "/submissions/1",
        "/team",
    ),
    "boss": (
        "/organise",
        "/organise/people",
        "/organise/settings",
        "/organise/marks",
        "/organise/voids",
        "/organise/audit",
        "/submissions",
    ),
}


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a league."""
    found = tmp_path_factory.mktemp("hosted") / "league.db"
    closes_at = int(time.time()) + 86_400
    make_secret_league(found, marks="plays: 1 point", closes_at=closes_at, freeze_s=90_000)
    return found


@pytest.fixture(scope="module")
def link(path: Path) -> Iterator[str]:
    """Serve it."""
    with hosted(path) as found:
        yield found


@pytest.mark.parametrize("login", PAGES)
def test_pages_are_sound_at_any_size_in_light_and_dark(
    browser: "Browser", path: Path, link: str, login: str
) -> None:
    with open_host_store(str(path)) as store:
        person = store.people.by_login(login)
        assert person is not None
        token = begin(store, person)
    faults = []
    with browser.new_context() as context:
        context.add_cookies([{"name": SIGN_IN, "value": token, "url": link}])
        page = context.new_page()
        for address in PAGES[login]:
            answer = page.goto(link + address)
            assert answer is not None
            assert answer.ok, (address, answer.status)
            for size in (WIDE, NARROW):
                resize(page, size)
                for scheme in ("light", "dark"):
                    page.emulate_media(color_scheme=scheme)
                    found = page.evaluate(FAULTS)
                    faults += [f"{address}, {scheme}, {size[0]} px: {each}" for each in found]
    assert not faults, "\n".join(faults)
