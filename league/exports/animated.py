"""A match in motion as one SVG picture."""

from dataclasses import dataclass

from games.contract import Game
from league.pages.drawings import FRAME_S, motion
from league.replays import Replay


@dataclass(frozen=True)
class Animated:
    """All positions one after the other, each for `delay_s` seconds, again and again."""

    delay_s: float = FRAME_S

    name = "animated"
    suffix = ".svg"
    media_type = "image/svg+xml"
    is_single = True

    def refusal(self, game: Game) -> str:
        """Refuse no game: each can be drawn."""
        return ""

    def is_usual(self, game: Game) -> bool:
        """Be no game's usual format."""
        return False

    def head(self, game: Game) -> str:
        """Begin a file with nothing: the picture is all of it."""
        return ""

    def text(self, replay: Replay) -> str:
        """Draw the match."""
        return motion(replay, self.delay_s)


EXPORT = Animated()
