"""The base class of bots that deepen and can search compiled."""

from dataclasses import dataclass, field

from bots.compiled import ready
from bots.compiled.window import Windows
from bots.support.bot import Clock
from bots.support.search_bot import DepthBot
from games.support.game import Game, Move, State
from games.support.options import option


@dataclass
class FastBot(DepthBot):
    """Base class of bots with a compiled search: use `windows_for` in `find`."""

    fast: str = option(
        "auto", help="search compiled where that is ready, or never", choices=("auto", "no")
    )
    _how: str = field(default="", init=False, repr=False, compare=False)
    _game: Game | None = field(default=None, init=False, repr=False, compare=False)
    _windows: Windows | None = field(default=None, init=False, repr=False, compare=False)

    @property
    def can_be_fast(self) -> bool:
        """Whether the bot's options allow the compiled search."""
        return True

    def new_match(self, game: Game, seat: int, seed: int) -> None:
        """Load the compiled search: that is not on the clock."""
        super().new_match(game, seat, seed)
        self._windows, self._how, self._game = None, "", game
        if self.fast == "auto":
            if self.can_be_fast:
                room = getattr(self, "table", 0)
                self._windows = ready.ready_windows(game, self.evaluation(game), room)
            self._how = "pure" if self._windows is None else "compiled"

    def choose(self, state: State, clock: Clock) -> Move:
        """Search the position; the report says whether the match is played compiled or pure."""
        move = super().choose(state, clock)
        self.report = ready.tell(self._how, self.report)
        return move

    def windows_for(self, state: State) -> Windows | None:
        """Return the compiled search of the match's game; None if `state` is of another."""
        return self._windows if state.game == self._game else None
