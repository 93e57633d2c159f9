"""The last position of each match as a line of EPD, or as the game writes its positions.

Source: Steven J. Edwards, Portable Game Notation Specification and Implementation Guide, 1994,
section 16.2; the operations are `hmvc` and `fmvn`, the last two fields of a FEN.
"""

from games.chess.rules import ChessState
from games.support.game import Game
from league.analysis.replay import Replay
from league.interchange.export import AnyGame


class Epd(AnyGame):
    """A line for each match; `--openings` reads such a file."""

    name = "epd"
    suffix = ".epd"
    media_type = "text/plain"

    def refusal(self, game: Game) -> str:
        """Refuse games that write no positions."""
        return "" if "fen" in game.values else f"{game.spec} writes its positions as no text"

    def text(self, replay: Replay) -> str:
        """Write the last position of the match."""
        last = replay.frames[-1].state
        if not isinstance(last, ChessState):
            return f"{last.fen()}\n"
        board = last.board
        counts = f"hmvc {board.halfmove_clock}; fmvn {board.fullmove_number}"
        return f"{board.epd()} {counts};\n"


EXPORT = Epd()
