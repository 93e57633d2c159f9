"""Make OpenSpiel's texts printable and narrow."""

import re
import textwrap

from games.support.drawing import printable

_WIDTH = 80
_COLOURS = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


def plain(text: str) -> str:
    """Return `text` as one printable line without surrounding blanks."""
    return " ".join(printable(text).split())


def fit(text: str) -> str:
    """Return `text` as printable lines of at most 80 columns, at least one of them."""
    lines = []
    for line in _COLOURS.sub("", text).expandtabs().splitlines():
        shown = printable(line).rstrip()
        if len(shown) <= _WIDTH:
            lines.append(shown)
        else:
            lines += textwrap.wrap(shown, _WIDTH, break_on_hyphens=False)
    return "\n".join(lines).strip("\n") or "(nothing to show)"
