"""Texts and tables in the Markdown of GitHub."""

import re
from collections.abc import Sequence
from html import escape

from games.support.printable import printable

_MARKS = re.compile(
    r"[\\`*\[\]|~$]"  # anywhere
    r"|(?<!\w)_|_(?!\w)"  # emphasis begins and ends at the edge of a word
    r"|^\s*(?:[-+#=]|\d+(?=[.)]))"  # lists and headings, at the beginning
    r"|:(?=//|\w+:)|(?<=www)\.|@(?=\w)"  # links, emoji and mentions
)


def marked(text: str) -> str:
    """Return a text in which nothing is Markdown, or HTML within it."""
    return escape(_MARKS.sub(_escaped, printable(text, "?")), quote=False)


def _escaped(found: re.Match[str]) -> str:
    sign = found[0]
    return f"{sign}\\" if sign.strip().isdigit() else f"{sign[:-1]}\\{sign[-1]}"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Write a table of cells that are Markdown already."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
