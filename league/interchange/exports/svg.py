"""One position of a match as an SVG picture."""

from dataclasses import dataclass

from league.analysis.replay import Replay
from league.interchange.export import OneMatch
from league.model.errors import SetupError
from league.render.match_pictures import still


@dataclass(frozen=True)
class Svg(OneMatch):
    """The position after `ply` plies, None for the last one, the move that led there marked."""

    ply: int | None = None

    name = "svg"
    suffix = ".svg"
    media_type = "image/svg+xml"

    def text(self, replay: Replay) -> str:
        """Draw the position; raise `SetupError` where the match had not so many plies."""
        last = len(replay.frames) - 1
        if self.ply is not None and self.ply > last:
            raise SetupError(f"match {replay.row.id} ended after {last} plies, no ply {self.ply}")
        return still(replay.frames[-1 if self.ply is None else self.ply])


EXPORT = Svg()
