"""How long a bot thought in some matches."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from games.support.counts import counted
from games.support.game import Game
from league.model.records import MatchRecord


@dataclass(slots=True)
class MoveTimes:
    """The seconds of a bot's moves in some matches; `firsts` are those of its first moves."""

    moves: list[float] = field(default_factory=list)
    firsts: list[float] = field(default_factory=list)
    matches: int = 0

    @property
    def mean_s(self) -> float:
        """The mean of the seconds of a move; 0 without any."""
        return sum(self.moves) / max(1, len(self.moves))

    @property
    def slowest_s(self) -> float:
        """The seconds of the slowest move; 0 without any."""
        return max(self.moves, default=0.0)

    def __iadd__(self, other: "MoveTimes") -> "MoveTimes":
        """Add other matches."""
        self.moves += other.moves
        self.firsts += other.firsts
        self.matches += other.matches
        return self

    def __str__(self) -> str:
        count = len(self.moves)
        slowest = f"slowest {self.slowest_s * 1e3:.0f} ms"
        return f"{counted(count, 'move')}, {slowest}" if count else "never had to move"


def seconds_of(game: Game, record: MatchRecord, own: Sequence[int]) -> list[float]:
    """Return the times of the moves in the seats `own`."""
    state, times = game.initial(), []
    for number, move in enumerate(record.wires):
        at = number - len(record.opening)
        if at >= 0 and state.to_move in own:
            times.append(record.moves[at].wall_ns / 1e9)
        state = state.play(move if type(move) is int else state.parse(str(move)))
    return times
