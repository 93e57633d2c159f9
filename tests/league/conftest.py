"""A browser for the tests of pages, and a server for those of databases."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser import WIDE, Heard, launched, resize
from tests.league.new_league import copied
from tests.league.postgres import emptied, server

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that open a browser, and those of PostgreSQL: they need extras."""
    for item in items:
        names = getattr(item, "fixturenames", ())
        parameters = getattr(item, "callspec", None)
        if "browser" in names:
            item.add_marker("browser")
            item.add_marker("extra")
        if "postgres" in names or (parameters and "postgresql" in parameters.params.values()):
            item.add_marker("extra")


@pytest.fixture(scope="session", autouse=True)
def _new_leagues() -> Iterator[None]:
    with copied():
        yield


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """Start a PostgreSQL server and yield its URL."""
    with server() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def target(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the name of an empty database, of each kind in turn."""
    if request.param == "sqlite":
        return str(tmp_path / "league.db")
    return emptied(request.getfixturevalue("postgres"))


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    """Start the machine's browser, once for all tests of a module."""
    with launched() as started:
        yield started


@pytest.fixture
def page(browser: "Browser") -> Iterator["Page"]:
    """Open an empty page that shares nothing with those of other tests."""
    with browser.new_context() as context:
        opened = context.new_page()
        resize(opened, WIDE)
        yield opened


@pytest.fixture
def heard(page: "Page") -> Heard:
    """Note what the page complains of and asks for."""
    noted = Heard()
    noted.listen(page)
    return noted


@pytest.fixture
def quiet(page: "Page", heard: Heard) -> Iterator["Page"]:
    """Give the page; in the end it must have complained of nothing, and asked no other host."""
    yield page
    assert heard.complaints == []
    assert heard.strays(page) == []
