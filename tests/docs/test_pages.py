"""Every example of every page runs, and prints what the page shows.

`tests/docs/blocks.py` lists the marks that a page may have.
"""

import importlib.util
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.docs.blocks import read_page
from tests.docs.page_run import PageRun
from tests.paths import DOCS, ROOT

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md"))]
READ = {str(path.relative_to(ROOT)): read_page(path.read_text("utf-8")) for path in PAGES}

REASONS = (
    "installs packages",
    "needs a hosted league",
    "needs a server",
    "needs a tournament that has stopped",
    "needs another machine",
    "needs chess engines",
    "needs files of yours",
    "needs PostgreSQL",
    "needs root",
    "part of a class",
    "shows parts of commands",
    "tests/league/cli/test_commands.py runs its lines",
)
"""The beginnings of the reasons for which a block is not run."""


def _cases() -> "list[object]":
    return [
        pytest.param(name, marks=[pytest.mark.slow] if page.is_slow else [])
        for name, page in READ.items()
        if any(block.is_run for block in page.blocks)
    ]


def _is_here(need: str) -> bool:
    return shutil.which(need) is not None or importlib.util.find_spec(need) is not None


@pytest.mark.parametrize("name", _cases())
def test_the_examples_of_a_page_run_as_it_shows(name: str) -> None:
    page = READ[name]
    missing = [need for need in page.needs if not _is_here(need)]
    if missing:
        pytest.skip(f"needs {', '.join(missing)}")
    # Commands print paths of files, and pytest's own folders are so long that lines would wrap.
    with (
        TemporaryDirectory() as folder,
        TemporaryDirectory() as scratch,
        PageRun(Path(folder), Path(scratch)) as run,
    ):
        run.run(page)


def test_a_block_that_is_not_run_says_why() -> None:
    reasons = [
        f"{name}, line {block.line}: {block.marks['not run']}"
        for name, page in READ.items()
        for block in page.blocks
        if "not run" in block.marks
    ]
    odd = [each for each in reasons if not each.split(": ")[1].startswith(REASONS)]
    assert not odd, "a reason that tests/docs/test_pages.py does not list"
