"""The board of a match that a person plays in the browser: the drawing, and where to point."""

import re
from collections.abc import Collection, Sequence
from html import unescape
from typing import Any

from games.support.game import Game, State
from games.support.move_marks import Points, mark_last
from league.render.pointing import has_own_columns

_TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)


def board_data(state: State, last: Points, is_asked: bool) -> dict[str, Any]:
    """Return the drawing of a position, `last` being the points of the move that led there.

    If a person `is_asked` for a move, the legal ones are listed with the points to press: one for
    a placement, from and to for a move, none where the drawing shows no such places.
    """
    moves = state.legal_moves() if is_asked else ()
    drawing = state.svg()
    return {
        "board": mark_last(drawing, last),
        "moves": [{"text": state.text(move), "points": state.marks(move)} for move in moves],
        # A stone hides the mark below it where the drawing has a board of the mark's colour.
        "newest": last[0] if len(last) == 1 else None,
        "position": _told(state.game, drawing),
    }


def _told(game: Game, drawing: str) -> str:
    """Return what the drawing's title says of the position: 'White to move, in check'."""
    found = _TITLE.search(drawing)
    told = unescape(found[1]) if found else ""
    return told.removeprefix(f"{game.title}: ")


def is_pressed_by_column(game: Game) -> bool:
    """Whether any place of a column stands for the only move there, as in Connect Four."""
    state = game.initial()
    if state.to_move < 0:
        return False
    points: Sequence[Points] = [state.marks(move) for move in state.legal_moves()]
    columns: list[Collection[int]] = [{x for x, _ in each} for each in points]
    return all(len(each) == 1 for each in points) and has_own_columns(columns)


def is_played_upwards(game: Game) -> bool:
    """Whether pieces go from one place to another, so that each person has an own side below."""
    state = game.initial()
    return game.seats == 2 and state.to_move >= 0 and len(state.marks(state.legal_moves()[0])) > 1
