"""A game on a graph with cycles: positions come back at other depths, and lines need not end."""

import random
from dataclasses import dataclass

from games.support.game import Evaluation, Game, Move, State


@dataclass(frozen=True, slots=True)
class Place:
    """Who moves at a place, where the moves lead, and the first seat's utility if it is an end."""

    seat: int
    targets: tuple[int, ...]
    utility: float | None


class GraphState(State):
    """A token on a place."""

    __slots__ = ("at", "game", "to_move")

    game: "GraphGame"

    def __init__(self, game: "GraphGame", at: int) -> None:
        self.game = game
        self.at = at
        self.to_move = game.places[at].seat

    def legal_moves(self) -> tuple[int, ...]:
        """Return the places next to this one."""
        return self.game.places[self.at].targets

    def play(self, move: Move) -> "GraphState":
        """Go there."""
        return GraphState(self.game, move)

    def outcome(self) -> tuple[float, ...] | None:
        """Return the utilities of an end."""
        utility = self.game.places[self.at].utility
        return None if utility is None else (utility, -utility)

    def key(self) -> int:
        """Return the place."""
        return self.at

    def render(self) -> str:
        """Return the place."""
        return str(self.at)

    svg = render


def number(state: GraphState, seat: int) -> float:
    """Estimate a place by its number: arbitrary, but always the same."""
    estimate = state.at * 7 % 11 - 5
    return estimate if seat == 0 else -estimate


@dataclass(frozen=True)
class GraphGame(Game):
    """A token that goes from place to place, starting at the first."""

    name = "graphgame"
    title = "A graph"

    places: tuple[Place, ...] = ()

    @property
    def evaluations(self) -> tuple[Evaluation, ...]:
        """One that is arbitrary."""
        return (Evaluation("number", "arbitrary", number, -5, 5, 10),)

    def initial(self) -> GraphState:
        """Return the first place."""
        return GraphState(self, 0)


def random_graph(seed: int, size: int) -> GraphGame:
    """Draw a graph of `size` places of which the first is no end."""
    source = random.Random(seed)
    share = source.choice((0.1, 0.3, 0.6))
    places = []
    for at in range(size):
        is_end = at > 0 and source.random() < share
        targets = tuple(source.sample(range(size), source.randint(1, min(3, size))))
        utility = float(source.randint(-1, 1)) if is_end else None
        places.append(Place(source.randrange(2), targets, utility))
    return GraphGame(tuple(places))
