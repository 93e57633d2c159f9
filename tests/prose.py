"""Checks pages by the rules in docs/styles, as Vale does: `python -m tests.prose [FILE...]`."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from tests.links import CODE, INLINE
from tests.paths import DOCS, ROOT

STYLE = DOCS / "styles" / "Plain"
PAGES = [
    *sorted(ROOT.glob("*.md")),
    *sorted(DOCS.rglob("*.md")),
    ROOT / "benchmarks" / "README.md",
]

LINK = re.compile(r"\]\([^)\s]*\)")


def rules() -> list[tuple[re.Pattern[str], str]]:
    """Return the rules: a pattern, and the message with `%s` for what was found."""
    found = []
    for path in sorted(STYLE.glob("*.yml")):
        rule: dict[str, Any] = yaml.safe_load(path.read_text("utf-8"))
        for text in rule.get("raw", ()):
            found.append((re.compile(text, re.MULTILINE), rule["message"]))
        for wrong, right in rule.get("swap", {}).items():
            pattern = re.compile(rf"\b(?:{wrong})(?!\w)", re.IGNORECASE)
            found.append((pattern, rule["message"].replace("%s", right, 1)))
    return found


def prose(text: str) -> str:
    """Return a page without its code and addresses; lines stay where they are."""
    text = CODE.sub(lambda match: "\n" * match[0].count("\n"), text)
    return LINK.sub("]", INLINE.sub("x", text))


def findings(text: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the message of each place that breaks a rule."""
    text = prose(text)
    for pattern, message in rules():
        for match in pattern.finditer(text):
            words = " ".join(match[0].split())[:60]
            yield text.count("\n", 0, match.start()) + 1, message.replace("%s", words)


def main(*names: str) -> int:
    """Print what breaks a rule; return the exit code."""
    pages = [Path(name) for name in names] or PAGES
    found = [(page, *each) for page in pages for each in sorted(findings(page.read_text("utf-8")))]
    for page, line, message in found:
        print(f"{page}:{line}: {message}")  # noqa: T201 (a command)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
