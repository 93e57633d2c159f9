"""Text that is safe to print and fits: nothing in it is obeyed by a terminal or hidden."""

import re
import unicodedata

_COLOURS = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


def printable(text: str, instead: str | None = None, *, keep_lines: bool = False) -> str:
    r"""Return `text` with `instead` for each character that is not printable, or else its escape.

    Not printable are control, format (bidirectional marks, zero widths), private and unassigned
    characters, half surrogate pairs and separators of lines, except line breaks if `keep_lines`.
    All spaces are printable, those that do not break, too.

    >>> printable("a\x1b½\u202e"), printable("a\x1b½\u202e", "?")
    ('a\\x1b½\\u202e', 'a?½?')
    """
    if text.isprintable():
        return text
    return "".join(
        each
        if each.isprintable() or unicodedata.category(each) == "Zs" or (keep_lines and each == "\n")
        else each.encode("unicode_escape", "backslashreplace").decode()
        if instead is None
        else instead
        for each in text
    )


def without_colours(text: str) -> str:
    """Return `text` without the codes that colour it on a terminal."""
    return _COLOURS.sub("", text)


def drawable(text: str) -> str:
    """Return `text` for a drawing: without colours, and what is not printable as spaces."""
    return printable(without_colours(text), " ")


def cut(text: str, most: int) -> str:
    """Return a text of at most `most` characters, with an ellipsis at its end if it was longer."""
    return text if len(text) <= most else f"{text[: most - 1]}…"
