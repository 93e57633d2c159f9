"""Rock, paper, scissors over several rounds."""

from dataclasses import dataclass
from random import Random
from typing import ClassVar

from games.support.game import Game
from games.support.options import option
from games.support.view import Events, TogetherState, View

MOVES = ("rock", "paper", "scissors")


class RpsState(TogetherState):
    """The rounds so far, each with the move of both seats."""

    __slots__ = ("game", "rounds")

    game: "RockPaperScissors"
    rounds: tuple[tuple[int, int], ...]

    choosers: ClassVar[tuple[int, ...]] = (0, 1)  # both, in every round

    def __init__(self, game: "RockPaperScissors", rounds: tuple[tuple[int, int], ...]) -> None:
        self.game, self.rounds, self.sealed = game, rounds, ()

    def choices(self, seat: int) -> tuple[int, ...]:
        """List rock, paper and scissors."""
        return 0, 1, 2

    def together(self, moves: tuple[int, ...]) -> "RpsState":
        """Play a round."""
        first, second = moves
        return RpsState(self.game, (*self.rounds, (first, second)))

    def outcome(self) -> tuple[float, ...] | None:
        """Return by how many rounds each seat is ahead, after the last one."""
        if len(self.rounds) < self.game.rounds:
            return None
        # Each of them beats the one before it.
        gains = [(0, 1, -1)[(first - second) % 3] for first, second in self.rounds]
        return float(sum(gains)), -float(sum(gains))

    def key(self) -> tuple[object, ...]:
        """Return the rounds and what is sealed."""
        return self.rounds, self.sealed

    def text(self, move: int) -> str:
        """Write `rock`, `paper` or `scissors`."""
        return MOVES[move]

    def events(self, seat: int | None) -> Events:
        """Tell everybody each round: `rock paper`, the first seat's move first."""
        return tuple(f"{MOVES[first]} {MOVES[second]}" for first, second in self.rounds)

    def render(self) -> str:
        """Write the rounds, one in a line."""
        return "\n".join([f"round {len(self.rounds)} of {self.game.rounds}", *self.events(None)])


@dataclass(frozen=True)
class RockPaperScissors(Game):
    """The rules of rock, paper, scissors."""

    name = "rps"
    title = "Rock, paper, scissors"
    summary = (
        "Both seats choose at the same time: rock beats scissors, scissors beat paper, paper "
        "beats rock. Who wins more of {rounds} rounds wins."
    )
    opening_plies = 0
    has_secrets = True
    payoff_unit = "rounds"

    rounds: int = option(20, help="how many rounds", low=1, high=1000)

    @property
    def shows_all(self) -> bool:
        """A round is known once it is played."""
        return True

    @property
    def max_plies(self) -> int:
        """All rounds."""
        return 2 * self.rounds

    @property
    def utility_bounds(self) -> tuple[float, float]:
        """All rounds lost, and all won."""
        return (-float(self.rounds), float(self.rounds))

    @property
    def position_help(self) -> str:
        """The events."""
        return (
            "state.events are the rounds so far, the first seat's move first: 'rock paper'; "
            "moves are 0 rock, 1 paper, 2 scissors"
        )

    def initial(self) -> RpsState:
        """Return the position before the first round."""
        return RpsState(self, ())

    def sample(self, view: View, random: Random) -> RpsState:
        """Return the position before the next round."""
        words = (event.split() for event in view.events)
        return RpsState(self, tuple((MOVES.index(one), MOVES.index(two)) for one, two in words))


GAME = RockPaperScissors()
