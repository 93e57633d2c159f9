"""The room that a text takes on a terminal."""

import unicodedata


def width_of(text: str) -> int:
    """Return how many columns a text takes on a terminal, where letters of East Asia take two."""
    wide = sum(unicodedata.east_asian_width(each) in "WF" for each in text)
    return len(text) + wide - sum(unicodedata.combining(each) > 0 for each in text)
