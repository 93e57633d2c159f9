"""The check of what a part of a catalogue says of itself."""

from typing import Any

from games.support.options import options_of


def check_texts(part: Any, name: str) -> None:
    """Check the name, the lines of text and the options of a format or a rating system."""
    assert part.name == name
    assert part.__doc__
    for text in (part.title, part.help):
        assert text
        assert "\n" not in text
    for each in options_of(part):
        assert each.help
        assert each.range()
