"""A browser for the tests of pages."""

from collections.abc import Iterator

import pytest

from tests.browser import Page, program


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """Start the machine's browser, once for all tests here."""
    path = program()
    if path is None:
        pytest.skip("no Chromium on this machine")
    with Page(path, tmp_path_factory.mktemp("browser")) as started:
        yield started


@pytest.fixture
def quiet(page: Page) -> Iterator[Page]:
    """Give the page; in the end it must have complained of nothing, and asked no host."""
    yield page
    assert page.complaints == []
    assert [url.partition(":")[0] for url in page.requests] == ["file"]
