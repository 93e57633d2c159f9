"""One position of a match as an SVG picture."""

from dataclasses import dataclass

from games.contract import Game
from league.errors import SetupError
from league.pages.drawings import still
from league.replays import Replay


@dataclass(frozen=True)
class Svg:
    """The position after `ply` plies, None for the last one, the move that led there marked."""

    ply: int | None = None

    name = "svg"
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
        """Draw the position; raise `SetupError` where the match had not so many plies."""
        last = len(replay.frames) - 1
        if self.ply is not None and self.ply > last:
            raise SetupError(f"match {replay.row.id} ended after {last} plies, no ply {self.ply}")
        return still(replay.frames[-1 if self.ply is None else self.ply])


EXPORT = Svg()
