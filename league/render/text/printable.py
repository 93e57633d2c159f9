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


def cut(text: str, most: int) -> str:
    """Return a text of at most `most` characters, with an ellipsis at its end if it was longer."""
    return text if len(text) <= most else f"{text[: most - 1]}…"
