"""A match in motion as one SVG picture."""

from dataclasses import dataclass

from league.analysis.replay import Replay
from league.interchange.export import OneMatch
from league.render.match_pictures import FRAME_S, motion


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
