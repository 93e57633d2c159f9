"""The tree that simulations grow: its room, its scale, and that limits leave it whole."""

import random
from dataclasses import dataclass

import pytest

from bots.mcts.bot import EXPLORATION
from bots.mcts.playouts import LeafValue, Playouts, Rollout
from bots.mcts.tree import Growth, UctTree
from bots.support.bot import Clock
from bots.support.search import Exhausted, SearchBudget
from games.support.game import NULL, State
from games.support.specs import find_game
from tests.bots.treegame import Node, TreeGame

CONNECT_FOUR = find_game("connectfour")


def _growth(state: State, has_solver: bool, room: int = 1000) -> Growth:
    worth = LeafValue(state.game, NULL)
    playouts = Playouts(Rollout(), worth, random.Random(1), SearchBudget(Clock()))
    return Growth(
        UctTree(state, worth, has_solver),
        playouts,
        exploration=EXPLORATION,
        room=room,
        depth=100,
        plies=100,
    )


@dataclass(frozen=True)
class _Wide(TreeGame):
    """A tree whose bounds say nothing."""

    @property
    def utility_bounds(self) -> tuple[float, float]:
        """A guard value."""
        return (-1e9, 1e9)


def test_wide_bounds_leave_the_choice_to_the_range_seen() -> None:
    """Against exploration in units of the bounds, 2,000 simulations would be spread evenly."""
    leaves = tuple((float(value), float(-value)) for value in (1, 2, 5, 3, 4))
    state = _Wide(Node("", 0, (Node("", 0, leaves), (1.0, -1.0)))).initial()
    growth = _growth(state, has_solver=False)
    for _ in range(2000):
        growth.simulate()
    root = growth.tree.root
    best = root.favourite()
    assert best is not None
    assert best.move == 0
    assert best.visits > 1500
    nested = best.favourite()
    assert nested is not None
    assert (nested.move, nested.mean) == (2, 5)


def _count(tree: UctTree) -> int:
    nodes = [tree.root]
    for node in nodes:
        nodes.extend(node.children)
    return len(nodes)


def test_the_tree_keeps_to_its_room() -> None:
    growth = _growth(CONNECT_FOUR.initial(), True, room=100)
    for _ in range(500):
        growth.simulate()
    root = growth.tree.root
    assert root.visits == 500
    assert root.size == 100 == _count(growth.tree)


def _simulate_on(growth: Growth) -> None:
    while True:
        growth.simulate()


def test_the_limits_leave_the_tree_as_it_was() -> None:
    state = CONNECT_FOUR.initial()
    worth = LeafValue(state.game, NULL)
    playouts = Playouts(Rollout(), worth, random.Random(1), SearchBudget(Clock(nodes=50)))
    growth = Growth(
        UctTree(state, worth, True), playouts, exploration=1, room=100, depth=100, plies=100
    )
    with pytest.raises(Exhausted):
        _simulate_on(growth)
    root = growth.tree.root
    assert root.untried is not None
    assert len(root.children) == root.visits
    assert len(root.children) + len(root.untried) == 7
    assert root.size == root.visits + 1
