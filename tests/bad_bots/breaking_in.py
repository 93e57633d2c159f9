"""What a bot needs to tell whether it got at what is not its own."""

from collections.abc import Callable

from bots import Bot, Clock, Report
from games import State


class Intruder(Bot):
    """A bot that tries something before each move, and reports `got in` or `held`."""

    def attack(self) -> None:
        """Do what must not be; raise `OSError` where that fails."""
        raise NotImplementedError

    def choose(self, state: State, clock: Clock) -> object:
        """Attack, then play the first legal move."""
        self.report = Report(text=outcome_of(self.attack))
        return state.legal_moves()[0]


def outcome_of(attack: Callable[[], None]) -> str:
    """Say what became of an attack."""
    try:
        attack()
    except OSError as error:
        return f"held: {error}"
    return "got in"
