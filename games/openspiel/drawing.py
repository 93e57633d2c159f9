"""Make OpenSpiel's texts printable and narrow."""

import textwrap

from games.support.printable import drawable, without_colours

_WIDTH = 80


def plain(text: str) -> str:
    """Return `text` as one printable line without surrounding blanks."""
    return " ".join(drawable(text).split())


def fit(text: str) -> str:
    """Return `text` as printable lines of at most 80 columns, at least one of them."""
    lines = []
    for line in without_colours(text).expandtabs().splitlines():
        shown = drawable(line).rstrip()
        if len(shown) <= _WIDTH:
            lines.append(shown)
        else:
            lines += textwrap.wrap(shown, _WIDTH, break_on_hyphens=False)
    return "\n".join(lines).strip("\n") or "(nothing to show)"
