"""Drawings that are put together."""

import re
import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest

from games.support.animation import film
from games.support.drawing import draw_lines
from games.support.game import CHANCE, State
from games.support.move_marks import mark_foreseen, mark_last
from tests.strategies import playable, walk

SHOWS = re.compile(r"@keyframes (\w+)\{(.*?)\}(?=\n|\.)", re.DOTALL)


def shown_at(text: str, share: float) -> list[str]:
    """Return the lines of a film that are seen after that share of it, in percent."""
    seen = {}
    for name, steps in SHOWS.findall(text):
        states = re.findall(r"([\d.]+)%\{visibility:(\w+)", steps)
        assert float(states[0][0]) == 0
        seen[name] = [what for start, what in states if float(start) <= share][-1] == "visible"
    lines = text[text.index("</style>") + 9 :].split("\n")[:-1]
    found = []
    for line in lines:
        toggled = re.fullmatch(r'<g class="s (s\d+)(?: end)?">(.*)</g>', line)
        if toggled is None:
            found.append(line)
        elif seen[toggled[1]]:
            found.append(toggled[2])
    return found


def lines_of(drawing: str) -> list[str]:
    return drawing[drawing.index("</style>") + 9 :].split("\n")[:-1]


@pytest.mark.parametrize("spec", ["pacman", "othello", "connectfour", "tablut", "tree"])
def test_a_film_shows_every_drawing_in_turn(spec: str) -> None:
    states = walk(spec, 3, 30)
    drawings = [state.svg() for state in states]
    text = film("a <b>", drawings, 0.5, 2.0)
    total_s = 0.5 * len(drawings) + 2
    assert f"animation: {total_s:g}s step-end infinite" in text
    for number, drawing in enumerate(drawings):
        seen = shown_at(text, 100 * 0.5 * (number + 0.5) / total_s)
        assert seen == lines_of(drawing), "each in its own order"
    root = ET.fromstring(text)  # noqa: S314 (drawn by ourselves)
    first = ET.fromstring(drawings[0])  # noqa: S314 (drawn by ourselves)
    assert root.get("viewBox") == first.get("viewBox")
    assert text.count("<style>") == 1
    assert "prefers-reduced-motion: reduce" in text
    assert "<title>a &lt;b&gt;</title>" in text
    last = set(lines_of(drawings[-1]))
    ends = re.findall(r'<g class="s s\d+ end">(.*)</g>', text)
    assert set(ends) == last - set[str].intersection(*[set(lines_of(each)) for each in drawings])


@pytest.mark.parametrize(
    "drawings",
    [
        ["<svg><g>\n<a/></g></svg>", "<svg><g>\n<b/></g></svg>"],
        ["<svg><a/>\n<b/></svg>", "<svg><b/>\n<a/></svg>"],
        ["<svg xmlns='x'><title>t</title><a/></svg>", "<svg><c/>\n<c/></svg>"],
    ],
)
def test_drawings_of_any_form_make_a_film(drawings: list[str]) -> None:
    text = film("t", drawings, 1)
    ET.fromstring(text)  # noqa: S314 (drawn by ourselves)
    assert text.count("<a/>") + text.count("<b/>") + text.count("<c/>") >= 2
    assert len(SHOWS.findall(text)) == 2


def test_a_long_film_is_small() -> None:
    for spec in ("chess", "othello", "pacman"):
        if spec not in playable():
            continue
        drawings = [state.svg() for state in walk(spec, 3, 100)]
        assert len(film("t", drawings, 0.4)) < 150_000


def pieces(state: State) -> set[str]:
    return set(re.findall(r'<g class="piece.*', state.svg()))


@pytest.mark.parametrize("spec", playable())
def test_marks_lead_to_where_a_piece_comes_to_stand(spec: str) -> None:
    for before, after in pairwise(walk(spec, 7, 40)):
        if before.to_move == CHANCE:
            continue
        move = next(each for each in before.legal_moves() if before.play(each) == after)
        points = before.marks(move)
        assert points == before.marks(move)
        if not points:
            continue
        come, gone = pieces(after) - pieces(before), pieces(before) - pieces(after)
        assert any("translate({},{})".format(*points[-1]) in each for each in come)
        if len(points) > 1:
            assert any("translate({},{})".format(*points[0]) in each for each in gone)
        marked = mark_foreseen(mark_last(before.svg(), points), [(0, points), (1, points)])
        root = ET.fromstring(marked)  # noqa: S314 (drawn by ourselves)
        groups = [each.get("class") for each in root if each.tag.endswith("}g")]
        assert (groups.count("last"), groups.count("foreseen")) == (1, 2)
        assert groups.index("last") == 0, "below the pieces"
        names = [at for at, each in enumerate(root) if "edge" in each.get("class", "").split()]
        last = next(at for at, each in enumerate(root) if each.get("class") == "last")
        assert all(last < at for at in names), "below the names of the squares"
        assert groups[-1] == "foreseen", "above them"


def test_a_mark_is_as_round_as_the_corner_of_its_board() -> None:
    drawing = walk("connectfour", 1, 0)[0].svg()
    corner = re.search(r'class="board".*rx="(\d+)"', drawing)
    assert corner is not None
    assert f'height="40" rx="{corner[1]}"' in mark_last(drawing, [(20, 20)])


@pytest.mark.parametrize("spec", ["connectfour", "tictactoe", "othello", "chess", "tablut"])
def test_board_games_have_marks(spec: str) -> None:
    if spec not in playable():
        pytest.skip("needs the extra 'chess'")
    state = walk(spec, 1, 0)[0]
    assert all(state.marks(move) for move in state.legal_moves())


@pytest.mark.parametrize("spec", playable())
def test_material_is_told_for_every_seat_or_none(spec: str) -> None:
    for state in walk(spec, 7, 40):
        told = state.material()
        assert len(told) in (0, state.game.seats)
        assert all(each.isprintable() for each in told)


def test_material_is_what_is_left_and_what_was_taken() -> None:
    assert walk("othello", 1, 1)[-1].material() == ("4 discs", "1 disc")
    assert walk("tablut", 1, 0)[0].material() == ("8 soldiers", "16 soldiers")
    assert walk("pacman", 1, 0)[0].material()[0].startswith("score 0, ")


def test_lines_are_drawn_as_they_are() -> None:
    drawn = draw_lines("t", "a  <b>\n\n c")
    texts = [each.text for each in ET.fromstring(drawn)[2:]]  # noqa: S314 (drawn by ourselves)
    assert texts == ["a  <b>", None, " c"]
    assert draw_lines("t", "")


@pytest.mark.parametrize(("spec", "wide"), [("othello", 320), ("tablut", 360), ("tictactoe", 120)])
def test_a_board_is_all_squares_with_its_names_below_the_pieces(spec: str, wide: int) -> None:
    drawn = walk(spec, 1, 2)[-1].svg()
    assert f'viewBox="0 0 {wide} {wide}"' in drawn
    assert drawn.count('class="edge') == 2 * round(wide / 40)
    assert drawn.rindex('class="edge') < drawn.index('class="piece')
