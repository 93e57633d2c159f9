"""A game that is nothing but a tree: any branching, any order of seats, any sides."""

import random
from dataclasses import dataclass, field

from games.support.game import CHANCE, Evaluation, Game, Move, State

Tree = "Node | tuple[float, ...]"


@dataclass(frozen=True)
class Node:
    """An inner node: who moves in it, what it is called, and what lies below.

    Where luck moves, the first child is the likeliest.
    """

    name: str
    seat: int
    children: tuple["Node | tuple[float, ...]", ...]


class TreeState(State):
    """A place in the tree."""

    __slots__ = ("game", "name", "node", "to_move")

    game: "TreeGame"

    def __init__(self, game: "TreeGame", node: "Node | tuple[float, ...]", name: str) -> None:
        self.game = game
        self.node = node
        self.name = name
        self.to_move = node.seat if isinstance(node, Node) else 0

    def legal_moves(self) -> tuple[int, ...]:
        """Return the children's numbers."""
        return tuple(range(len(self.node.children))) if isinstance(self.node, Node) else ()

    def chance(self) -> tuple[tuple[int, float], ...]:
        """Return the children's numbers with falling probabilities, where luck moves."""
        if self.to_move != CHANCE or not isinstance(self.node, Node):
            return ()
        count = len(self.node.children)
        total = count * (count + 1) / 2
        return tuple((index, (count - index) / total) for index in range(count))

    def play(self, move: Move) -> "TreeState":
        """Go down to a child, noting that it was made."""
        assert isinstance(self.node, Node)
        child = TreeState(self.game, self.node.children[move], f"{self.name}.{move}")
        self.game.made.append(child.name)
        return child

    def outcome(self) -> tuple[float, ...] | None:
        """Return a leaf's utilities."""
        return None if isinstance(self.node, Node) else self.node

    def key(self) -> str:
        """Return the path from the root."""
        return self.name

    def render(self) -> str:
        """Return the path."""
        return self.name

    def svg(self) -> str:
        """Return nothing worth looking at."""
        return "<svg/>"


def first_utility(state: TreeState, seat: int) -> float:
    """Estimate an inner node by its name's digits: arbitrary, but always the same."""
    estimate = sum(map(ord, state.name)) % 7 - 3
    return estimate if state.game.sides[seat] == 0 else -estimate


@dataclass(frozen=True)
class TreeGame(Game):
    """A tree with the sides of its seats; `made` collects the nodes that a search makes."""

    name = "treegame"
    title = "A tree"

    root: Node = field(default=Node("", 0, ()))
    seat_sides: tuple[int, ...] = (0, 1)
    made: list[str] = field(default_factory=list, compare=False)

    @property
    def utility_bounds(self) -> tuple[float, float]:
        """Beyond all that a tree here holds."""
        return (-9.0, 9.0)

    @property
    def has_chance(self) -> bool:
        """Whether it may be: nobody asks where."""
        return True

    @property
    def evaluations(self) -> tuple[Evaluation, ...]:
        """One that is arbitrary."""
        return (Evaluation("digits", "arbitrary", first_utility, -3, 3, 1),)

    @property
    def sides(self) -> tuple[int, ...]:
        """The side of each seat."""
        return self.seat_sides

    def initial(self) -> TreeState:
        """Return the root."""
        return TreeState(self, self.root, "root")


def random_tree(seed: int, sides: tuple[int, ...], depth: int, has_luck: bool = False) -> TreeGame:
    """Grow a tree: seats in any order, leaves at any depth, utilities that often tie."""
    source = random.Random(seed)

    def leaf() -> tuple[float, ...]:
        first = source.randint(-4, 4)
        return tuple(float(first if side == 0 else -first) for side in sides)

    def grow(left: int, name: str) -> "Node | tuple[float, ...]":
        if left == 0 or (left < depth and source.random() < 0.2):
            return leaf()
        count = source.randint(1, 4)
        children = tuple(grow(left - 1, f"{name}.{index}") for index in range(count))
        first = CHANCE if has_luck and left < depth else 0
        return Node(name, source.randrange(first, len(sides)), children)

    root = grow(depth, "root")
    assert isinstance(root, Node)
    return TreeGame(root, sides)


def full_tree(seats: tuple[int, ...], branching: int, seed: int) -> TreeGame:
    """Grow a tree with one level for each of `seats` and distinct utilities, best moves first."""
    source = random.Random(seed)

    def grow(level: int, low: float, high: float) -> "Node | tuple[float, ...]":
        # Every child's leaves lie in a band of their own: the mover's best band comes first.
        if level == len(seats):
            value = source.uniform(low, high)
            return (value, -value)
        width = (high - low) / branching
        bands = [(low + index * width, low + (index + 1) * width) for index in range(branching)]
        if seats[level] == 0:
            bands.reverse()
        children = tuple(grow(level + 1, *band) for band in bands)
        return Node("", seats[level], children)

    root = grow(0, 0.0, 1.0)
    assert isinstance(root, Node)
    return TreeGame(root, (0, 1))
