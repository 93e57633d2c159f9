"""The tree of Monte Carlo tree search: bandit selection on the way down, proofs on the way up.

Sources: L. Kocsis and C. Szepesvári, Bandit Based Monte-Carlo Planning (2006), with the UCB1 of P.
Auer, N. Cesa-Bianchi and P. Fischer (2002); M. Winands, Y. Björnsson and J.-T. Saito, Monte-Carlo
Tree Search Solver (2008), for proofs, kept as bounds like those of T. Cazenave and A. Saffidine,
Score Bounded Monte-Carlo Tree Search (2010).
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, field
from math import inf, log, sqrt

from bots.mcts.playouts import LeafValue, Playouts, Values
from bots.support.search import Shuffle
from games.support.game import CHANCE, Move, State

FIND_MAX = 2_000
"""Maximum number of nodes to compare with a position before it counts as new."""


@dataclass(slots=True, eq=False, repr=False)
class UctNode:
    """A position in the tree, with statistics of the simulations through it.

    `mean` is the mean utility of `chooser`, the seat that represents the side whose move led here
    (the first seat after luck); `width` is 1 / √`visits`. The first seat's utility is proven to be
    within [`low`, `high`]. `live` are the children worth a visit, `untried` the moves without a
    child, the next one last; None before expansion. `size` is the number of nodes in the subtree.
    """

    state: State
    move: Move
    chooser: int
    low: float
    high: float
    outcome: Values | None = None
    children: list["UctNode"] = field(default_factory=list)
    live: list["UctNode"] = field(init=False)
    untried: list[Move] | None = None
    visits: int = 0
    mean: float = 0.0
    width: float = inf
    size: int = 0

    def __post_init__(self) -> None:
        self.live = self.children

    @property
    def is_solved(self) -> bool:
        """Whether the value under perfect play is known."""
        return self.low == self.high

    def child(self, move: Move) -> "UctNode | None":
        """Return the child after a move, if visited."""
        for child in self.children:
            if child.move == move:
                return child
        return None

    def favourite(self) -> "UctNode | None":
        """Return the most visited live child, or any child if none is live; of equals the best."""
        if not self.live and self.untried:
            return None
        children = self.live or self.children
        return max(children, key=lambda child: (child.visits, child.mean), default=None)

    def find(self, state: State) -> "UctNode | None":
        """Return this node or the nearest one below with a position."""
        key, to_move = state.key(), state.to_move
        queue = deque([self])
        for _ in range(FIND_MAX):
            if not queue:
                return None
            node = queue.popleft()
            if node.state.to_move == to_move and node.state.key() == key:
                return node
            queue.extend(node.children)
        return None


class UctTree:
    """A tree that grows by at most one node per simulation."""

    def __init__(self, root: State, worth: LeafValue, has_solver: bool) -> None:
        self.worth = worth
        # With more than two sides, forced results depend on more than one's own utility.
        self.is_proving = has_solver and worth.is_duel
        self.root = self.node(root, None, 0)
        self.root.size = 1

    def find(self, state: State) -> bool:
        """Make a position the root if it is in the tree; tell whether it is."""
        root = self.root.find(state) if self.root.state.game == state.game else None
        self.root = root or self.root
        return root is not None

    def keep(self, move: Move) -> bool:
        """Make the position after a move the root if it is in the tree; tell whether it is."""
        child = self.root.child(move)
        self.root = child or self.root
        return child is not None

    def node(self, state: State, move: Move, chooser: int) -> UctNode:
        """Return a new node without proofs."""
        low, high = (self.worth.low, self.worth.high) if self.is_proving else (-inf, inf)
        return UctNode(state, move, chooser, low, high)


@dataclass
class Growth:
    """The simulations of one move, in one tree.

    The tree grows to at most `room` nodes, and simulations go at most `depth` plies from the root;
    playouts are cut after `plies`. `deepest` is the longest path in the tree. With `shuffle` a
    node's moves are first tried in random order, else in the game's own.
    """

    tree: UctTree
    playouts: Playouts
    _: KW_ONLY
    exploration: float
    room: int
    depth: float
    plies: int
    shuffle: Shuffle = None
    deepest: int = field(default=0, init=False)

    def simulate(self) -> None:
        """Select, expand, evaluate, back up; raise `Exhausted`, tree unchanged, at a limit."""
        path = [self.tree.root]
        values = self._descend(path)
        self.deepest = max(self.deepest, len(path) - 1)
        if self.tree.worth.is_wide:
            self.tree.worth.note(values)
        self._back_up(path, values)

    def _descend(self, path: list[UctNode]) -> Values:
        """Append the selected nodes to `path` and return the leaf's values."""
        worth, node = self.tree.worth, path[0]
        factor = self.exploration * worth.span()
        while node.outcome is None:
            if node.low == node.high:
                return worth.of_first(node.low)
            if len(path) > self.depth:
                return worth.estimated(node.state)
            if node.state.to_move == CHANCE:
                move = self.playouts.luck(node.state)
                child = node.child(move)
                if child is None:
                    return self._expand(path, move)
                node = child
            else:
                untried = node.untried
                if untried is None:
                    untried = node.untried = _last_first(node.state, self.shuffle)
                if untried:
                    return self._expand(path, untried[-1])
                bonus = factor * sqrt(log(node.visits))
                best = -inf
                for child in node.live:
                    bound = child.mean + bonus * child.width
                    if bound > best:
                        best, node = bound, child
            path.append(node)
        return node.outcome

    def _expand(self, path: list[UctNode], move: Move) -> Values:
        """Make a child of the last node, add it if there is room, and return its values."""
        tree, parent = self.tree, path[-1]
        worth = tree.worth
        state = self.playouts.child(parent.state, move)
        values = outcome = state.outcome()
        if values is None:
            values = self.playouts.run(state, int(min(self.plies, self.depth - len(path))))
        if tree.root.size >= self.room:
            return values
        to_move = parent.state.to_move
        child = tree.node(state, move, 0 if to_move == CHANCE else worth.leads[to_move])
        child.outcome = outcome
        # Only if it is zero-sum do one side's bounds apply to the other.
        if outcome is not None and tree.is_proving and outcome == worth.of_first(outcome[0]):
            child.low = child.high = outcome[0]
        if parent.untried is not None:
            parent.untried.pop()
        parent.children.append(child)
        if parent.live is not parent.children:
            parent.live.append(child)
        path.append(child)
        return values

    def _back_up(self, path: list[UctNode], values: Values) -> None:
        """Add the values to the nodes of a path, and propagate any proof."""
        worth = self.tree.worth
        is_new = path[-1].visits == 0 and len(path) > 1
        if is_new and path[-1].is_solved:
            _prove(path, worth)
        for node in reversed(path):
            if node.low == node.high:
                values = worth.of_first(node.low)
            node.visits = visits = node.visits + 1
            node.mean += (values[node.chooser] - node.mean) / visits
            node.width = visits**-0.5
            if is_new:
                node.size += 1


def _prove(path: list[UctNode], worth: LeafValue) -> None:
    """Propagate a proof from the end of a path upwards, as far as it changes anything."""
    for node in reversed(path[:-1]):
        if not tighten(node, worth):
            return
        if node.is_solved:
            node.mean = worth.of_first(node.low)[node.chooser]


def tighten(node: UctNode, worth: LeafValue) -> bool:
    """Recompute a node's bounds from its children's and tell whether they changed.

    A side takes the best it can be sure of. A child that can't be better is no longer live, except
    one that is equally good, so that the mean tends to the best value.
    """
    before = (node.low, node.high)
    if node.state.to_move == CHANCE:
        node.low, node.high = _expected(node, worth)
        return (node.low, node.high) != before
    children = node.children
    if worth.is_first[node.state.to_move]:
        node.low = sure = max(child.low for child in children)
        node.high = worth.high if node.untried else max(child.high for child in children)
        live = [child for child in children if child.high > sure]
        is_sure = sure > worth.low
    else:
        node.low = worth.low if node.untried else min(child.low for child in children)
        node.high = sure = min(child.high for child in children)
        live = [child for child in children if child.low < sure]
        is_sure = sure < worth.high
    if is_sure:
        live += [child for child in children if child.low == child.high == sure][:1]
    node.live = live
    return (node.low, node.high) != before


def _expected(node: UctNode, worth: LeafValue) -> tuple[float, float]:
    """Return the bounds of a chance node: the means of its children's, unseen ones included."""
    found = {child.move: (child.low, child.high) for child in node.children}
    unseen = (worth.low, worth.high)
    bounds = [(share, *found.get(move, unseen)) for move, share in node.state.chance()]
    return _mean([(share, low) for share, low, _ in bounds]), _mean(
        [(share, high) for share, _, high in bounds]
    )


def _mean(weighted: Sequence[tuple[float, float]]) -> float:
    """Return the weighted mean; of equal values exactly theirs, despite rounding of the weights."""
    values = [value for _, value in weighted]
    low, high = min(values), max(values)
    total = sum(share * value for share, value in weighted)
    return min(max(total, low), high)


def _last_first(state: State, shuffle: Shuffle) -> list[Move]:
    """List a position's moves in reverse order: the most promising, or a random one, last."""
    if shuffle is not None:
        moves = state.legal_moves()
        return shuffle.sample(list(moves), len(moves))
    return list(reversed(state.order(state.legal_moves())))
