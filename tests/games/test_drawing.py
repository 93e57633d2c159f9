"""Drawings that are put together."""

import xml.etree.ElementTree as ET

from games.drawing import animate, draw_lines
from tests.strategies import walk


def test_a_film_shows_every_drawing_in_turn() -> None:
    drawings = [state.svg() for state in walk("pacman", 3, 30)]
    film = animate("a <b>", drawings, 0.5)
    root = ET.fromstring(film)  # noqa: S314 (drawn by ourselves)
    frames = [each for each in root if each.get("class") == "frame"]
    assert len(frames) == len(drawings) == 31
    assert [each.get("style") for each in frames[:3]] == [
        "animation-delay:0s",
        "animation-delay:0.5s",
        "animation-delay:1s",
    ]
    assert "show 15.5s" in film
    assert film.count("<style>") == 1
    assert ".ghost1" in film
    assert "prefers-reduced-motion: reduce" in film
    assert "<title>a &lt;b&gt;</title>" in film
    first = ET.fromstring(drawings[0])  # noqa: S314 (drawn by ourselves)
    assert root.get("viewBox") == first.get("viewBox")


def test_lines_are_drawn_as_they_are() -> None:
    drawn = draw_lines("t", "a  <b>\n\n c")
    texts = [each.text for each in ET.fromstring(drawn)[2:]]  # noqa: S314 (drawn by ourselves)
    assert texts == ["a  <b>", None, " c"]
    assert draw_lines("t", "")
