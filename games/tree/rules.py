"""A game that is an explicit tree, read from a file: textbook examples, playable."""

from dataclasses import dataclass, field
from pathlib import Path

from games.support.game import CHANCE, Evaluation, Game, Move, State, digest_of
from games.support.options import option
from games.support.text_files import find_text
from games.tree.drawing import draw_tree, draw_tree_text
from games.tree.reader import ExplicitTree, tree_of

TREES = Path(__file__).parent / "trees"
_new = object.__new__


class TreeState(State):
    """A node of the tree, by its number."""

    __slots__ = ("game", "node", "to_move")

    game: "TreeGame"
    node: int

    @property
    def name(self) -> str:
        """The node's name."""
        return self.game.tree.names[self.node]

    def legal_moves(self) -> tuple[int, ...]:
        """List the children from left to right, from 0."""
        return tuple(range(len(self.game.tree.children[self.node])))

    def chance(self) -> tuple[tuple[Move, float], ...]:
        """List the children of a chance node with their probabilities."""
        return tuple(enumerate(self.game.tree.shares[self.node]))

    def play(self, move: int) -> "TreeState":
        """Go down to a child."""
        return self.game.at(self.game.tree.children[self.node][move])

    def outcome(self) -> tuple[float, ...] | None:
        """Return a leaf's utilities."""
        return self.game.tree.utilities[self.node]

    def key(self) -> int:
        """Return the node's number."""
        return self.node

    def text(self, move: Move) -> str:
        """Write the child's name."""
        tree = self.game.tree
        return tree.names[tree.children[self.node][move]]

    def path(self) -> list[int]:
        """Return the nodes from the root to this one."""
        found, node = [], self.node
        while node >= 0:
            found.append(node)
            node = self.game.tree.parents[node]
        return found[::-1]

    def render(self) -> str:
        """Draw the path to here and the tree below, as deep as there is room for."""
        tree = self.game.tree
        way = " > ".join(tree.names[node] for node in self.path())
        return "\n".join([*draw_tree_text(tree, self.node), f"at {way}"[-80:], self.status()])

    def status(self) -> str:
        """Return who moves, or the utilities of the leaf."""
        outcome = self.outcome()
        if outcome is not None:
            names = self.game.seat_names
            told = (f"{name} {worth:g}" for name, worth in zip(names, outcome, strict=True))
            return f"over: {', '.join(told)}"[:80]
        mover = "chance" if self.to_move == CHANCE else self.game.seat_names[self.to_move]
        return f"{mover} to move"

    def svg(self) -> str:
        """Draw the whole tree, with the path to here marked."""
        title = f"{self.game.tree.title}: at {self.name}"
        return draw_tree(self.game.tree, title, self.path())


def estimate(state: TreeState, seat: int) -> float:
    """Return the file's estimate of an inner node for the side of the first seat."""
    tree = state.game.tree
    worth = tree.estimates[state.node]
    return worth if tree.sides[seat] == tree.sides[0] else -worth


@dataclass(frozen=True)
class TreeGame(Game):
    """The tree of one file."""

    name = "tree"
    title = "Game tree"
    summary = "Choose a branch in turn until a leaf is reached. The leaf says what each seat gets."
    opening_plies = 0

    file: str = option("pruning", help="a tree shipped with the game, or the path of a file")
    tree: ExplicitTree = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        name, text = find_text("tree", TREES, self.file)
        object.__setattr__(self, "file", name)
        object.__setattr__(self, "tree", tree_of(text, name))

    @property
    def digest(self) -> str:
        """The digest of the file."""
        return digest_of(self.tree.text)

    @property
    def sides(self) -> tuple[int, ...]:
        """The file's sides; by default the first seat against all others."""
        return self.tree.sides

    @property
    def seat_names(self) -> tuple[str, ...]:
        """The file's names; by default Max and Min."""
        return self.tree.seat_names

    @property
    def has_chance(self) -> bool:
        """Whether the file has chance nodes."""
        return self.tree.has_chance

    @property
    def utility_bounds(self) -> tuple[float, float]:
        """Beyond all values of the file: in a tree no value is the greatest that could be."""
        most = self.tree.greatest + 1
        return (-most, most)

    @property
    def position_help(self) -> str:
        """The names of nodes."""
        return "a tree has no board: state.name is the node's name, state.text(move) a child's"

    @property
    def evaluations(self) -> tuple[Evaluation, ...]:
        """`estimate` if the file has estimates of inner nodes and two sides."""
        if not self.tree.has_estimates or len(set(self.sides)) != 2:
            return ()
        most = max(map(abs, self.tree.estimates))
        return (Evaluation("estimate", "as written in the file", estimate, -most, most, 1),)

    def initial(self) -> TreeState:
        """Return the root."""
        return self.at(0)

    def at(self, node: int) -> TreeState:
        """Return the node of that number."""
        position = _new(TreeState)
        position.game, position.node = self, node
        position.to_move = self.tree.seats[node]
        return position


GAME = TreeGame()
