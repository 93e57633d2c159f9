"""The whole tree of a small game with its information sets, best responses and CFR+.

Source of best responses and exploitability: M. Johanson et al., Accelerating Best Response
Calculation in Large Extensive Games (2011). Source of CFR+: O. Tammelin, Solving Large Imperfect
Information Games Using CFR+ (2014).
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from math import fsum

from games.support.counts import counted
from games.support.errors import GameError
from games.support.game import CHANCE, Game, Move, State

PLIES_MAX = 200
"""The longest match of a tree: walking through it takes a call for each ply."""

OVER = -2
"""The mover of a node at which the match has ended."""

Policy = Sequence[Sequence[float]]
"""By information set, the probability of each of its moves."""


@dataclass(slots=True)
class TreeNode:
    """A position of the tree; `place` is its information set, -1 where no seat moves.

    `children` are in order of the moves, with their probabilities in `chances` if luck moves.
    """

    mover: int
    place: int = -1
    children: "list[TreeNode]" = field(default_factory=list)
    chances: tuple[float, ...] = ()
    utilities: tuple[float, ...] = ()


@dataclass(slots=True)
class InformationSet:
    """The positions that a seat can't tell apart, as it sees them, and its moves there."""

    seat: int
    view: State
    moves: tuple[Move, ...]
    nodes: list[TreeNode] = field(default_factory=list)


class GameTree:
    """All positions of a game, and its information sets by number.

    Raises `GameError` for a game with more than `most` positions, or in which a seat forgets: then
    it has other moves in positions that it can't tell apart.
    """

    def __init__(self, game: Game, most: int) -> None:
        self.game = game
        self.sets: list[InformationSet] = []
        self.places: dict[Hashable, int] = {}
        """The number of each information set, by the key of its view."""
        self.size = 0
        self._most = most
        self.root = self._grown(game.initial())

    def _grown(self, state: State, ply: int = 0) -> TreeNode:
        self.size += 1
        if self.size > self._most or ply > PLIES_MAX:
            is_wide = self.size > self._most
            many = counted(self._most, "position") if is_wide else f"{PLIES_MAX} plies"
            raise GameError(
                f"{self.game.title} has more than {many}, too many for a table of all: "
                "choose options that make it smaller",
                self.game.spec,
            )
        outcome = state.outcome()
        if outcome is not None:
            return TreeNode(OVER, utilities=tuple(outcome))
        node = TreeNode(state.to_move)
        moves = tuple(state.legal_moves())
        if node.mover == CHANCE:
            node.chances = tuple(probability for _, probability in state.chance())
        else:
            view = state.view(node.mover)
            node.place = self.places.setdefault(view.key(), len(self.sets))
            if node.place == len(self.sets):
                self.sets.append(InformationSet(node.mover, view, moves))
            self.sets[node.place].nodes.append(node)
            if self.sets[node.place].moves != moves:
                raise GameError(f"{self.game.title}: a seat has other moves in {view}", "")
        node.children = [self._grown(state.play(move), ply + 1) for move in moves]
        return node

    def uniform(self) -> Policy:
        """Return the policy that plays each move equally often."""
        return [[1 / len(each.moves)] * len(each.moves) for each in self.sets]

    def values(self, policy: Policy) -> tuple[float, ...]:
        """Return the expected utility of each seat if all play by a policy."""
        return self._values(self.root, policy)

    def _values(self, node: TreeNode, policy: Policy) -> tuple[float, ...]:
        if node.mover == OVER:
            return node.utilities
        shares = _shares(node, policy)
        found = [self._values(child, policy) for child in node.children]
        return tuple(
            fsum(share * value for share, value in zip(shares, column, strict=True))
            for column in zip(*found, strict=True)
        )

    def nash_conv(self, policy: Policy) -> float:
        """Return how much all seats together gain if each replaces a policy by its best response.

        0 for an equilibrium.
        """
        pairs = zip(range(self.game.seats), self.values(policy), strict=True)
        return fsum(self.best_response(policy, seat) - value for seat, value in pairs)

    def best_response(self, policy: Policy, seat: int) -> float:
        """Return the most that a seat can get on average if the others play by a policy."""
        return _BestResponse(self, policy, seat).value(self.root)


def _shares(node: TreeNode, policy: Policy) -> Sequence[float]:
    """Return how likely each child of a node follows; () at the end of a match."""
    if node.mover in (CHANCE, OVER):
        return node.chances
    return policy[node.place]


class _BestResponse:
    """The values of positions for a seat that answers a policy best."""

    def __init__(self, tree: GameTree, policy: Policy, seat: int) -> None:
        self._tree, self._policy, self._seat = tree, policy, seat
        self._reach: dict[int, float] = {}
        self._chosen: dict[int, int] = {}
        self._known: dict[int, float] = {}
        self._reached(tree.root, 1.0)

    def _reached(self, node: TreeNode, share: float) -> None:
        """Note how often luck and the others lead to each position of the seat."""
        if node.mover == self._seat:
            self._reach[id(node)] = share
        for child, part in zip(node.children, self._shares(node), strict=True):
            self._reached(child, share * part)

    def _shares(self, node: TreeNode) -> Sequence[float]:
        own = (1.0,) * len(node.children)
        return own if node.mover == self._seat else _shares(node, self._policy)

    def value(self, node: TreeNode) -> float:
        """Return the value of a position."""
        if id(node) not in self._known:
            self._known[id(node)] = self._worth(node)
        return self._known[id(node)]

    def _worth(self, node: TreeNode) -> float:
        if node.mover == OVER:
            return node.utilities[self._seat]
        if node.mover == self._seat:
            return self.value(node.children[self._best(node.place)])
        pairs = zip(self._shares(node), node.children, strict=True)
        return fsum(share * self.value(child) for share, child in pairs if share)

    def _best(self, place: int) -> int:
        """Return the move that is best on average over an information set."""
        if place not in self._chosen:
            found = self._tree.sets[place]
            worths = [
                fsum(self._reach[id(node)] * self.value(node.children[at]) for node in found.nodes)
                for at in range(len(found.moves))
            ]
            self._chosen[place] = worths.index(max(worths))
        return self._chosen[place]


class CfrPlus:
    """CFR+: each pass lets one seat regret what it did not do, and the average policy is kept.

    In games of two sides with payoffs that sum to zero the average approaches an equilibrium.
    """

    def __init__(self, tree: GameTree) -> None:
        self._tree = tree
        self._regrets = [[0.0] * len(each.moves) for each in tree.sets]
        self._sums = [[0.0] * len(each.moves) for each in tree.sets]
        self.passes = 0

    def improve(self, passes: int) -> None:
        """Make so many passes for every seat."""
        for _ in range(passes):
            self.passes += 1
            for seat in range(self._tree.game.seats):
                policy = list(map(matched, self._regrets))
                self._pass(self._tree.root, seat, policy, 1.0, 1.0)
                for place, each in enumerate(self._tree.sets):
                    if each.seat == seat:
                        self._regrets[place] = [max(0.0, more) for more in self._regrets[place]]

    def policy(self) -> Policy:
        """Return the average policy."""
        return [_normal(sums) for sums in self._sums]

    def _pass(self, node: TreeNode, seat: int, policy: Policy, own: float, others: float) -> float:
        """Return a position's value for a seat; `own` and `others` are how often they reach it."""
        if node.mover == OVER:
            return node.utilities[seat]
        if node.mover != seat:
            pairs = zip(_shares(node, policy), node.children, strict=True)
            return sum(
                share * self._pass(child, seat, policy, own, others * share)
                for share, child in pairs
                # The average is kept also where the others do not go at the moment.
                if share or own
            )
        shares = policy[node.place]
        values = [
            self._pass(child, seat, policy, own * share, others)
            for share, child in zip(shares, node.children, strict=True)
        ]
        value = sum(share * each for share, each in zip(shares, values, strict=True))
        regrets, sums = self._regrets[node.place], self._sums[node.place]
        for at, (share, each) in enumerate(zip(shares, values, strict=True)):
            regrets[at] += others * (each - value)
            # Later policies count more.
            sums[at] += self.passes * own * share
        return value


def matched(regrets: Sequence[float]) -> Sequence[float]:
    """Return the policy of regret matching; all moves alike without a regret."""
    return _normal([max(0.0, each) for each in regrets])


def _normal(weights: Sequence[float]) -> Sequence[float]:
    total = sum(weights)
    return [each / total for each in weights] if total else [1 / len(weights)] * len(weights)
