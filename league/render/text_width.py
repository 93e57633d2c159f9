"""Text that fits its place."""

import unicodedata


def width_of(text: str) -> int:
    """Return how many columns a text takes on a terminal, where letters of East Asia take two."""
    wide = sum(unicodedata.east_asian_width(each) in "WF" for each in text)
    return len(text) + wide - sum(unicodedata.combining(each) > 0 for each in text)


def cut(text: str, most: int) -> str:
    """Return a text of at most `most` characters, with an ellipsis at its end if it was longer."""
    return text if len(text) <= most else f"{text[: most - 1]}…"
