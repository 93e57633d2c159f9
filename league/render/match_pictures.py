"""Drawings of a match: one position, and all of them in motion."""

from games.support.animation import film
from games.support.move_marks import mark_last
from league.analysis.replay import Replay
from league.match.replay import Frame

FRAME_S = 0.5
"""How long each position of a match in motion stands, unless somebody says otherwise."""

END_S = 3.0
"""For how much longer the last one does."""


def still(frame: Frame) -> str:
    """Draw a position as SVG, with the move that led there marked."""
    return mark_last(frame.state.svg(), frame.marks)


def motion(replay: Replay, frame_s: float = FRAME_S) -> str:
    """Draw the match as one SVG document that shows each position for `frame_s` seconds."""
    return film(replay.title, [still(frame) for frame in replay.frames], frame_s, END_S)
