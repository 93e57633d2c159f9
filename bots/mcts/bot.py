"""Monte Carlo tree search: random playouts decide which moves to explore further.

Sources: L. Kocsis and C. Szepesvári, Bandit Based Monte-Carlo Planning (2006); M. Winands, Y.
Björnsson and J.-T. Saito, Monte-Carlo Tree Search Solver (2008).
"""

import random
from dataclasses import dataclass, field
from math import inf, sqrt

from bots.compiled import ready
from bots.compiled.kernel_loops import KEEP, SIMULATE, KernelLoops
from bots.mcts.compiled import CompiledTree, Plan
from bots.mcts.playouts import PLIES, PLIES_MAX, ROLLOUTS, LeafValue, Playouts, Rollout
from bots.mcts.result import MctsResult, verdict_of
from bots.mcts.tree import Growth, UctNode, UctTree
from bots.support.bot import Bot, Clock, Report, needs_positions
from bots.support.search import FREE, TIES, Exhausted, SearchBudget, Shuffle
from games.support.game import CHANCE, Evaluation, Game, Move, State
from games.support.options import option

SIMULATIONS = 1000
"""Simulations per move without a limit by clock or option."""

NODES_MAX = 200_000
"""The tree's capacity in nodes, of half a kilobyte each plus the game's position."""

EXPLORATION = sqrt(2)
"""UCB1's constant, for utilities between 0 and 1."""


def search(
    state: State,
    *,
    simulations: int | None,
    evaluation: Evaluation,
    source: random.Random,
    clock: Clock = FREE,
    exploration: float = EXPLORATION,
    rollout: Rollout | None = None,
    room: int = NODES_MAX,
    tree: UctTree | None = None,
    shuffle: Shuffle = None,
) -> MctsResult:
    """Simulate until a limit is reached or the position is proven; return the most visited move.

    `simulations` is the maximum, at most one per node if the clock limits nodes; None is as many as
    the clock allows, or `SIMULATIONS` if it limits neither time nor nodes. The clock's depth limits
    how many plies from `state` a simulation goes. `tree`, if given, has its root at `state`; it
    grows to `room` nodes. Random playouts are the default `rollout`. All chance comes from
    `source`; `shuffle`, if given, randomises the order in which a node's moves are first tried, and
    so breaks ties in visits.
    """
    budget = SearchBudget(clock)
    rollout = rollout or Rollout()
    tree = tree or UctTree(state, LeafValue(state.game, evaluation), has_solver=True)
    playouts = Playouts(rollout, tree.worth, source, budget)
    growth = Growth(
        tree,
        playouts,
        exploration=exploration,
        room=room,
        depth=inf if clock.depth is None else clock.depth,
        plies=rollout.plies_for(evaluation),
        shuffle=shuffle,
    )
    kept = tree.root.visits
    is_complete = _grow(growth, most_simulations(simulations, clock), budget)
    return _found(growth, evaluation, kept, is_complete)


def most_simulations(simulations: int | None, clock: Clock) -> float:
    """Return the maximum number of simulations.

    A simulation that ends in an existing position makes no node: a node limit alone might never
    end.
    """
    if simulations is None and clock.deadline_ns is None and clock.nodes is None:
        return SIMULATIONS
    return min(limit for limit in (simulations, clock.nodes, inf) if limit is not None)


def _grow(growth: Growth, most: float, budget: SearchBudget) -> bool:
    """Simulate and tell whether all requested simulations are done, or the root is proven."""
    root, playouts = growth.tree.root, growth.playouts
    end = root.visits + most
    try:
        while root.visits < end and not root.is_solved:
            before = playouts.nodes
            growth.simulate()
            if playouts.nodes == before:
                budget.look_at_clock()
    except Exhausted:
        return False
    return True


def _found(growth: Growth, evaluation: Evaluation, kept: int, is_complete: bool) -> MctsResult:
    root = growth.tree.root
    line = _line(root)
    best = line[0] if line else None
    moves = tuple(node.move for node in line)
    if best is None:
        # Every explored move loses, or none was explored.
        moves = (
            root.untried[-1] if root.children and root.untried else root.state.legal_moves()[0],
        )
    return MctsResult(
        value=-inf if best is None else best.mean * evaluation.scale,
        nodes=growth.playouts.nodes,
        pv=moves,
        depth=growth.deepest,
        is_complete=is_complete,
        is_solved=root.is_solved,
        simulations=root.visits - kept,
        kept=kept,
        verdict=_verdict(root, growth.tree.worth),
    )


def _line(root: UctNode) -> list[UctNode]:
    """Return the most visited line below a node, up to a chance node."""
    line: list[UctNode] = []
    node = root.favourite()
    while node is not None:
        line.append(node)
        if node.outcome is not None or node.state.to_move == CHANCE:
            break
        node = node.favourite()
    return line


def _verdict(root: UctNode, worth: LeafValue) -> str:
    """Return the proven result for the seat to move in a word."""
    if not root.is_solved:
        return ""
    return verdict_of(worth.of_first(root.low)[root.state.to_move], worth.draw, root.state.game)


@dataclass
class Mcts(Bot):
    """Simulates matches from the position, ever more of them through its better moves."""

    simulations: int | None = option(
        None, help=f"the most per move; none is till time is up, or {SIMULATIONS}", low=1
    )
    exploration: float = option(
        EXPLORATION, help="how much doubt draws to a move: UCB1's constant", low=0
    )
    rollout: str = option(
        "random",
        help="how a new node is valued: by random moves to the end, the same but winning at once "
        "where that can be, or by the evaluation",
        choices=ROLLOUTS,
    )
    evaluate: str = option("", help="evaluation by name; the game's first when empty")
    ties: str = option("first", help="which of equal moves is taken", choices=TIES)
    rollout_plies: int | None = option(
        None,
        help=f"plies after which a playout is cut; none is {PLIES}, or {PLIES_MAX} where "
        "no evaluation tells what the rest is worth",
        low=0,
    )
    solver: bool = option(True, help="whether to prove wins, draws and losses")
    reuse: bool = option(True, help="whether to keep what stays of the tree for the next move")
    nodes: int = option(NODES_MAX, help="nodes that the tree holds", low=1000)
    fast: str = option(
        "auto",
        help="search compiled where that is ready and ties are not drawn, or never",
        choices=("auto", "no"),
    )
    _source: random.Random = field(
        default_factory=lambda: random.Random(0), init=False, repr=False, compare=False
    )
    _tree: UctTree | CompiledTree | None = field(
        default=None, init=False, repr=False, compare=False
    )
    _game: Game | None = field(default=None, init=False, repr=False, compare=False)
    _loops: KernelLoops | None = field(default=None, init=False, repr=False, compare=False)

    @classmethod
    def refusal(cls, game: Game) -> str:
        """Refuse games with secrets."""
        return needs_positions("mcts", game)

    def new_match(self, game: Game, seat: int, seed: int) -> None:
        """Reseed the random source, drop the tree, and load the compiled search off the clock."""
        self._source = random.Random(seed)
        self._tree, self._game, self._loops = None, game, None
        if self.fast == "auto" and self.ties == "first":
            self._loops = ready.ready_loops(game, game.evaluation(self.evaluate), SIMULATE, KEEP)

    def choose(self, state: State, clock: Clock) -> Move:
        """Search the position, reusing the tree; answer a forced move at once."""
        evaluation = state.game.evaluation(self.evaluate)
        tree = self._tree_at(state, evaluation)
        moves = state.legal_moves()
        if len(moves) == 1:
            move = moves[0]
            self.report = Report(depth=0, nodes=1, pv=(move,), text="only move")
        else:
            found = self._find(tree, evaluation, clock)
            move = found.move
            self.report = found.report(evaluation, state.game)
        if self.reuse and tree.keep(move):
            self._tree = tree
        return move

    def _tree_at(self, state: State, evaluation: Evaluation) -> UctTree | CompiledTree:
        """Return the kept tree re-rooted at a position, or a new tree."""
        tree, self._tree = self._tree, None
        if tree is not None and tree.find(state):
            return tree
        if self._loops is not None and state.game == self._game:
            return CompiledTree(self._loops, state, evaluation, self.solver)
        return UctTree(state, LeafValue(state.game, evaluation), self.solver)

    def _find(
        self, tree: UctTree | CompiledTree, evaluation: Evaluation, clock: Clock
    ) -> MctsResult:
        rollout = Rollout(self.rollout, self.rollout_plies)
        if isinstance(tree, CompiledTree):
            most = most_simulations(self.simulations, clock)
            plan = Plan(most, self.exploration, rollout, self.nodes)
            return tree.grow(plan, self._source, clock)
        return search(
            tree.root.state,
            simulations=self.simulations,
            evaluation=evaluation,
            source=self._source,
            clock=clock,
            exploration=self.exploration,
            rollout=rollout,
            room=self.nodes,
            tree=tree,
            shuffle=self._source if self.ties == "random" else None,
        )


BOT = Mcts
