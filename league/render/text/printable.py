"""Text that is safe to print and fits its place."""

import unicodedata

_OBEYED = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}


def clean(text: str, keep_lines: bool = False) -> str:
    """Return `text` with everything that a terminal would obey written as an escape.

    These are control, format (bidirectional marks, zero widths) and unassigned characters; line
    breaks survive if `keep_lines`.
    """
    return "".join(
        each
        if (keep_lines and each == "\n") or unicodedata.category(each) not in _OBEYED
        else each.encode("unicode_escape", "backslashreplace").decode()
        for each in text
    )


def width_of(text: str) -> int:
    """Return how many columns a text takes on a terminal, where letters of East Asia take two."""
    wide = sum(unicodedata.east_asian_width(each) in "WF" for each in text)
    return len(text) + wide - sum(unicodedata.combining(each) > 0 for each in text)


def cut(text: str, most: int) -> str:
    """Return a text of at most `most` characters, with an ellipsis at its end if it was longer."""
    return text if len(text) <= most else f"{text[: most - 1]}…"
