"""Drawings of a match: a single position, and an animation of all."""

from games.support.animation import film
from games.support.move_marks import mark_last
from league.analysis.replay import Replay
from league.match.replay import Frame

FRAME_S = 0.5
"""The default time each position of an animation is shown."""

END_S = 3.0
"""Additional time for the last position."""


def still(frame: Frame) -> str:
    """Draw a position as SVG, with the move that led there marked."""
    return mark_last(frame.state.svg(), frame.marks)


def motion(replay: Replay, frame_s: float = FRAME_S) -> str:
    """Draw the match as an animated SVG document with `frame_s` seconds per position."""
    return film(replay.title, [still(frame) for frame in replay.frames], frame_s, END_S)
