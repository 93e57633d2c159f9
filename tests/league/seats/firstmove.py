"""A seat without a process, for matches in which the other one counts."""

from collections.abc import Sequence

from games.support.game import Game, State
from games.support.moves import WireMove
from league.model.records import Termination
from league.seats.seat import MoveBudget, SeatAnswer, SeatFault


class FirstMove:
    """Plays the first legal move; resigns once so many plies as `until` are played."""

    log = output = "I have seen enough"
    is_elsewhere = False

    def __init__(self, until: int = 1 << 30) -> None:
        self.until = until
        self.stopped = 0

    def start(self) -> int:
        """Nothing to start."""
        return 0

    def new_match(self, game: Game, seat: int, seed: int, opening: Sequence[WireMove]) -> None:
        """Nothing to prepare."""

    def ask(self, state: State, history: Sequence[WireMove], budget: MoveBudget) -> SeatAnswer:
        """Play on, or resign."""
        if len(history) >= self.until:
            raise SeatFault(Termination.RESIGNATION, "resigned")
        return SeatAnswer(state.legal_moves()[0], wall_ns=1_000_000, cpu_ns=None, over_ns=0)

    def see_end(self, state: State) -> None:
        """Take no note: the bot is not elsewhere."""

    def stop(self) -> None:
        """Count."""
        self.stopped += 1
