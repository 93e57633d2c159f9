"""A match in motion as one SVG picture."""

from dataclasses import dataclass

from league.exports.contract import OneMatch
from league.pages.drawings import FRAME_S, motion
from league.replays import Replay


@dataclass(frozen=True)
class Animated(OneMatch):
    """All positions one after the other, each for `delay_s` seconds, again and again."""

    delay_s: float = FRAME_S

    name = "animated"
    suffix = ".svg"
    media_type = "image/svg+xml"

    def text(self, replay: Replay) -> str:
        """Draw the match."""
        return motion(replay, self.delay_s)


EXPORT = Animated()
