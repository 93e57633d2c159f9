"""The built site: no page, script or style loads anything from another host."""

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.paths import DOCS, ROOT

pytest.importorskip("mkdocs", reason="needs the extra 'docs'")
pytest.importorskip("material", reason="needs the extra 'docs'")

pytestmark = [pytest.mark.extra, pytest.mark.slow]

LOADED = {"src", "srcset", "poster", "data", "action"}
"""Attributes whose address a browser loads."""

RELATIONS = {"stylesheet", "icon", "preload", "preconnect", "dns-prefetch", "modulepreload"}
"""Relations of a `<link>` whose address a browser loads."""

ELSEWHERE = re.compile(r"(?:https?:)?//")
OF_STYLES = re.compile(r"(?:url\(\s*['\"]?|@import\s+['\"])((?:https?:)?//[^'\")]+)")

ON_DEMAND = {
    "https://unpkg.com/mermaid": "for a page with a diagram; no page has one",
    "https://unpkg.com/resize-observer-polyfill": "for browsers from before 2020",
    "https://api.github.com/": "for a site with a repository; this one names none",
    "https://${e}/api/v4/": "the same for GitLab",
}
"""Addresses in Material's scripts that no page of this site loads."""
FETCHED = re.compile(r"['\"`](https?://[^'\"`]+)")


class Sources(HTMLParser):
    """Collects the addresses that a page loads from elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take the addresses of a tag."""
        values = {name: value or "" for name, value in attrs}
        loaded = {name for name in values if name in LOADED}
        if tag == "link" and RELATIONS & set(values.get("rel", "").split()):
            loaded.add("href")
        self.found += [values[name] for name in loaded if ELSEWHERE.match(values[name])]
        self.found += OF_STYLES.findall(values.get("style", ""))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site; a broken link, or a page that the menu lacks, ends the build."""
    folder = tmp_path_factory.mktemp("site")
    build = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(
        build, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_pages_and_styles_load_nothing_from_another_host(site: Path) -> None:
    found = []
    for page in site.rglob("*.html"):
        sources = Sources()
        sources.feed(page.read_text("utf-8"))
        found += [(page.name, address) for address in sources.found]
    for style in site.rglob("*.css"):
        found += [(style.name, each) for each in OF_STYLES.findall(style.read_text("utf-8"))]
    assert found == []


def test_scripts_load_nothing_from_another_host(site: Path) -> None:
    pages = [page.read_text("utf-8") for page in site.rglob("*.html")]
    assert not any(
        'class="mermaid"' in page or 'data-md-component="source"' in page for page in pages
    )
    found = {
        address
        for script in site.rglob("*.js")
        if script.is_file()
        for address in FETCHED.findall(script.read_text("utf-8"))
        if not address.startswith("http://www.w3.org/")  # the name of a vocabulary
    }
    assert {each for each in found if not each.startswith(tuple(ON_DEMAND))} == set()


def test_every_page_is_in_the_site(site: Path) -> None:
    for page in DOCS.rglob("*.md"):
        path = page.relative_to(DOCS).with_suffix("")
        folder = path.parent if page.name == "README.md" else path
        assert (site / folder / "index.html").exists(), page


def test_generated_sections_are_in_the_site(site: Path) -> None:
    for name, text in (
        ("commands", "league tournament extend"),
        ("http-api", "document-matchsummary"),
        ("database", "Immutable snapshots of bots"),
        ("settings", "calm-below"),
        ("python/results", "league.League.standings"),
    ):
        page = (site / "reference" / name / "index.html").read_text("utf-8")
        assert text in page
        assert "generated:" not in page


def test_the_site_shows_linked_files_of_the_project(site: Path) -> None:
    shown = (site / "project" / "examples" / "connectfour" / "bot.c" / "index.html").read_text()
    assert "json-lines.md" in shown
    page = (site / "how-to" / "bot-in-another-language" / "index.html").read_text("utf-8")
    assert 'href="../../project/examples/connectfour/bot.c/"' in page


def test_tables_are_drawn(site: Path) -> None:
    for page in site.rglob("*.html"):
        text = re.sub(r"<(pre|code)\b.*?</\1>", "", page.read_text("utf-8"), flags=re.DOTALL)
        assert "| --- |" not in text, page
