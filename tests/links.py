"""Checks the links of the pages: `python -m tests.links` lists the external ones."""

import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.paths import DOCS, ROOT

FOLDERS = (DOCS, ROOT / "benchmarks", ROOT / "examples", ROOT / ".github")
PAGES = sorted([*ROOT.glob("*.md"), *(page for each in FOLDERS for page in each.rglob("*.md"))])

SOURCES = ("bots", "games", "league", "migrations", "benchmarks", "examples", "tests")
SUFFIXES = frozenset({".c", ".html", ".js", ".py", ".rs", ".service", ".toml"})

CODE = re.compile(r"^(```|~~~).*?^\1", re.DOTALL | re.MULTILINE)
INLINE = re.compile(r"`[^`\n]*`")
LINK = re.compile(r"\]\(<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\)")
HEADING = re.compile(r"^#+ +(.*?) *#*$", re.MULTILINE)
EXTERNAL = re.compile(r"[a-z][a-z0-9+.-]*:")
MENTION = re.compile(r"\bdocs/[\w./-]+\.md\b")


def links(page: Path) -> Iterator[tuple[int, str]]:
    """Yield the line and the address of each link of a page; code has none."""
    text = CODE.sub(lambda match: "\n" * match[0].count("\n"), page.read_text("utf-8"))
    text = INLINE.sub(lambda match: "x" * len(match[0]), text)
    for match in LINK.finditer(text):
        yield text.count("\n", 0, match.start()) + 1, match[1]


@cache
def anchors(page: Path) -> frozenset[str]:
    """Return the anchors of a page's headings, by the rule of GitHub."""
    found: set[str] = set()
    for heading in HEADING.findall(CODE.sub("", page.read_text("utf-8"))):
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        slug = re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")
        number, name = 0, slug
        while name in found:
            number += 1
            name = f"{slug}-{number}"
        found.add(name)
    return frozenset(found)


def broken(page: Path) -> Iterator[str]:
    """Yield a message for each internal link of a page that leads nowhere."""
    for line, address in links(page):
        if EXTERNAL.match(address):
            continue
        path, _, anchor = address.partition("#")
        target = (page.parent / path).resolve() if path else page
        where = f"{page.relative_to(ROOT)}:{line}: {address!r}"
        if not target.exists() or not target.is_relative_to(ROOT):
            yield f"{where}: no such file in the project"
        elif anchor and anchor not in anchors(target):
            yield f"{where}: {target.relative_to(ROOT)} has no such heading"


def mentions() -> Iterator[tuple[Path, str]]:
    """Yield each page of `docs` that a source file names, with that file."""
    for folder in SOURCES:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in SUFFIXES:
                for found in MENTION.findall(path.read_text("utf-8")):
                    yield path, found


def main() -> int:
    """Print the external links by page, then the broken ones; return the exit code."""
    for page in PAGES:
        for line, address in links(page):
            if EXTERNAL.match(address):
                print(f"{page.relative_to(ROOT)}:{line}: {address}")  # noqa: T201 (a command)
    found = [each for page in PAGES for each in broken(page)]
    for each in found:
        print(each)  # noqa: T201
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
