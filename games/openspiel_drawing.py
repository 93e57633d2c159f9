"""OpenSpiel's texts made fit to be shown: printable, narrow, and as an SVG document."""

import re
import textwrap
from html import escape

from games.drawing import document

_WIDTH = 80
_COLUMN, _LINE, _EDGE = 9, 18, 12
_COLOURS = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_STYLE = """
.text { font: 14px monospace; text-anchor: start; white-space: pre; fill: #1f2328 }
@media (prefers-color-scheme: dark) { .text { fill: #d1d7e0 } }
"""


def plain(text: str) -> str:
    """Return `text` as one printable line without outer blanks."""
    return " ".join(_printable(_COLOURS.sub("", text)).split())


def fit(text: str) -> str:
    """Return `text` as printable lines of at most 80 columns, at least one of them."""
    lines = []
    for line in _COLOURS.sub("", text).expandtabs().splitlines():
        shown = _printable(line).rstrip()
        if len(shown) <= _WIDTH:
            lines.append(shown)
        else:
            lines += textwrap.wrap(shown, _WIDTH, break_on_hyphens=False)
    return "\n".join(lines).strip("\n") or "(nothing to show)"


def draw(title: str, text: str) -> str:
    """Draw lines of monospaced text as an SVG document."""
    lines = text.splitlines()
    body = [
        f'<text class="text" xml:space="preserve" x="{_EDGE}" y="{_EDGE + _LINE * row}">'
        f"{escape(line)}</text>"
        for row, line in enumerate(lines, 1)
    ]
    width = 2 * _EDGE + _COLUMN * max(map(len, lines))
    return document(title, width, 2 * _EDGE + _LINE * len(lines), body, _STYLE)


def _printable(text: str) -> str:
    return "".join(each if each.isprintable() else " " for each in text)
