"""Principal variations that can't be played: with an illegal move, or moves after a mate."""

from collections.abc import Sequence
from dataclasses import dataclass

from games.support.errors import MoveError
from games.support.game import State
from games.support.moves import WireMove, decode_move

LINES_MAX = 500
"""Number of variations of a version to play: each takes as long as its moves."""


@dataclass(slots=True)
class ToldLines:
    """The variations that a bot reported: `played` ones, `illegal` ones, and `mated` ones.

    A mated one goes on after a move that decides the match. At most `LINES_MAX` are played.
    """

    played: int = 0
    illegal: int = 0
    mated: int = 0

    def add(self, state: State, line: Sequence[WireMove]) -> None:
        """Play a variation from the position in which its bot was to move."""
        if not line or self.played >= LINES_MAX:
            return
        self.played += 1
        for wire in line:
            outcome = state.outcome()
            if outcome is not None:
                # Engines search on after a repetition, which is no draw to them.
                self.mated += len(set(outcome)) > 1
                return
            try:
                state = state.play(decode_move(state, wire))
            except MoveError:
                self.illegal += 1
                return

    def __str__(self) -> str:
        kinds = {"have an illegal move": self.illegal, "go on after the end": self.mated}
        faults = [f"{count:,} {what}" for what, count in kinds.items() if count]
        return f"{' and '.join(faults)}, of {self.played:,} variations" if faults else ""
