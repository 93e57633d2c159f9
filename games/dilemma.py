"""The iterated prisoner's dilemma: both seats cooperate or defect, again and again.

R. Axelrod, Effective choice in the prisoner's dilemma, Journal of Conflict Resolution, 1980.
"""

from dataclasses import dataclass
from random import Random

from games.support.errors import OptionError
from games.support.game import CHANCE, Game
from games.support.options import option
from games.support.view import Events, TogetherState, View

COOPERATE, DEFECT = 0, 1
LETTERS = "CD"
TURNS = ("C C", "C D", "D C", "D D")
"""The events of a turn, by the first choice and then the second."""

_FLIPS = ("none", "first", "second", "both")
_TURNS_DRAWN = 30


class DilemmaState(TogetherState):
    """The turns so far, each as its event, and what both have chosen while luck may flip it."""

    __slots__ = ("chosen", "game", "turns")

    game: "Dilemma"
    turns: Events
    chosen: tuple[int, ...]

    def __init__(self, game: "Dilemma", turns: Events, chosen: tuple[int, ...] = ()) -> None:
        self.game, self.turns, self.chosen, self.sealed = game, turns, chosen, ()

    @property
    def choosers(self) -> tuple[int, ...]:
        """Both seats, and then luck if there is noise."""
        return (CHANCE,) if self.chosen else (0, 1)

    def choices(self, seat: int) -> tuple[int, ...]:
        """List to cooperate and to defect, or the choices that luck may flip."""
        if seat == CHANCE:
            return tuple(flips for flips, _ in self.chance())
        return COOPERATE, DEFECT

    def together(self, moves: tuple[int, ...]) -> "DilemmaState":
        """Play a turn; with noise, wait for luck before and let it flip choices."""
        if self.chosen:
            (flips,) = moves
            moves = tuple(move ^ flips >> seat & 1 for seat, move in enumerate(self.chosen))
        elif self.game.noise:
            return DilemmaState(self.game, self.turns, moves)
        first, second = moves
        return DilemmaState(self.game, (*self.turns, TURNS[2 * first + second]))

    def chance(self) -> tuple[tuple[int, float], ...]:
        """Flip each choice with the chance `noise`, independently of the other."""
        if not self.chosen:
            return ()
        noise = self.game.noise
        kept = 1 - noise
        chances = enumerate((kept * kept, noise * kept, kept * noise, noise * noise))
        return tuple((flips, chance) for flips, chance in chances if chance)

    def points(self) -> tuple[float, float]:
        """Return the sum of the payoffs of each seat."""
        both, behind, ahead, neither = map(self.turns.count, TURNS)
        game = self.game
        shared = both * game.reward + neither * game.punishment
        return (
            shared + ahead * game.temptation + behind * game.sucker,
            shared + ahead * game.sucker + behind * game.temptation,
        )

    def outcome(self) -> tuple[float, ...] | None:
        """Return the points after the last turn."""
        return self.points() if len(self.turns) == self.game.turns else None

    def stand_in(self, seat: int) -> int:
        """Cooperate for a bot that fails to move."""
        # In each turn that pays the seat less than to defect would, whatever the other does: no
        # bot gains by failing. And the other loses nothing by it.
        return COOPERATE

    def key(self) -> tuple[object, ...]:
        """Return the turns, what waits for luck, and what is sealed."""
        return self.turns, self.chosen, self.sealed

    def text(self, move: int) -> str:
        """Write `C` or `D`, or whose choice luck flips."""
        return _FLIPS[move] if self.chosen else LETTERS[move]

    def events(self, seat: int | None) -> Events:
        """Tell everybody each turn as it came out: `C D`, the first seat's move first."""
        return self.turns

    def render(self) -> str:
        """Write the points and the latest turns, a row for each seat."""
        first, second = self.points()
        latest = self.turns[-_TURNS_DRAWN:]
        rows = [" ".join(turn[place] for turn in latest) for place in (0, 2)]
        head = f"turn {len(self.turns)} of {self.game.turns}, points {first:g} {second:g}"
        return "\n".join([head, *rows]) if latest else head

    def drawn(self, seat: int | None) -> str:
        """Write what everybody sees: all but what is sealed or waits for luck."""
        return self.render()


@dataclass(frozen=True)
class Dilemma(Game):
    """The rules of the iterated prisoner's dilemma."""

    name = "dilemma"
    title = "Iterated prisoner's dilemma"
    summary = (
        "In each of {turns} turns both seats cooperate or defect at the same time: both get "
        "{reward:g} if they cooperate and {punishment:g} if they defect, else the one that "
        "defects gets {temptation:g} and the other {sucker:g}. The points of all turns are added."
    )
    opening_plies = 0
    has_secrets = True
    payoff_unit = "points"

    turns: int = option(200, help="how many turns", low=1, high=10_000)
    noise: float = option(
        0.0, help="the chance that a choice is flipped, for each one", low=0, high=1
    )
    reward: float = option(3.0, help="the payoff R if both cooperate", low=-1000, high=1000)
    punishment: float = option(1.0, help="the payoff P if both defect", low=-1000, high=1000)
    sucker: float = option(
        0.0, help="the payoff S of one that cooperates alone", low=-1000, high=1000
    )
    temptation: float = option(
        5.0, help="the payoff T of one that defects alone", low=-1000, high=1000
    )

    def __post_init__(self) -> None:
        if not self.temptation > self.reward > self.punishment > self.sucker:
            raise OptionError(
                f"temptation={self.temptation:g} reward={self.reward:g} "
                f"punishment={self.punishment:g} sucker={self.sucker:g}: "
                "expected each to be greater than the next one",
                "temptation",
            )

    @property
    def shows_all(self) -> bool:
        """With noise, nobody knows what the other had chosen."""
        return not self.noise

    @property
    def max_plies(self) -> int:
        """All turns, each with a ply of luck if there is noise."""
        return (3 if self.noise else 2) * self.turns

    @property
    def has_chance(self) -> bool:
        """Whether there is noise."""
        return self.noise > 0

    @property
    def utility_bounds(self) -> tuple[float, float]:
        """To cooperate alone in all turns, and to defect alone."""
        return self.turns * self.sucker, self.turns * self.temptation

    @property
    def position_help(self) -> str:
        """The events."""
        return (
            "state.events are the turns so far, the first seat's move first: 'C D'; "
            "moves are 0 to cooperate and 1 to defect"
        )

    def initial(self) -> DilemmaState:
        """Return the position before the first turn."""
        return DilemmaState(self, ())

    def sample(self, view: View, random: Random) -> DilemmaState:
        """Return the position before the next turn, in which nobody has chosen."""
        return DilemmaState(self, view.events)


GAME = Dilemma()
