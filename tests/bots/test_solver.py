"""The solver in Python alone: exact on any tree of two seats, and quick where the end is near."""

import pytest

from bots.contract import Clock
from bots.solver import PureSolver
from games import catalogue
from games.contract import State
from games.kernels import UNIT
from tests.bots.treegame import Node, TreeGame, random_tree

CONNECT_FOUR = catalogue.find("connectfour")


def worth_of(state: State) -> float:
    """Return what the definition gives to the seat to move: each ply takes one off a win."""
    worths = []
    for move in state.legal_moves():
        child = state.play(move)
        outcome = child.outcome()
        if outcome is not None:
            worth = outcome[state.to_move] * UNIT
        else:
            worth = worth_of(child) * (1 if child.to_move == state.to_move else -1)
        worths.append(worth - ((worth > 0) - (worth < 0)))
    return max(worths)


@pytest.mark.parametrize("seed", range(40))
def test_it_finds_what_the_definition_gives_whoever_moves_in_a_row(seed: int) -> None:
    root = random_tree(seed, (0, 1), 5).initial()
    found = PureSolver(root.game).solve(root)
    sign = (found.utility > 0) - (found.utility < 0)
    assert found.utility * UNIT - sign * (found.plies or 0) == worth_of(root)


@pytest.mark.parametrize(
    ("spec", "moves", "utility", "plies"),
    [
        ("connectfour", "44455554221", -1, 2),
        ("connectfour", "4455", 1, 3),
        ("connectfour?columns=12&rows=12", "6677", 1, 3),
        ("mnk?columns=9&rows=9&connect=4", "e5 a1 f5 b1", 1, 3),
    ],
)
def test_an_end_that_is_near_is_found_on_a_board_that_is_nearly_empty(
    spec: str, moves: str, utility: float, plies: int
) -> None:
    game = catalogue.find(spec)
    found = PureSolver(game).solve(game.position(moves), Clock(nodes=100_000))
    assert (found.utility, found.plies) == (utility, plies)


@pytest.mark.parametrize("leaf", [(0.5, -0.5), (1.0, 1.0)])
def test_utilities_that_it_can_not_tell_apart_are_refused(leaf: tuple[float, float]) -> None:
    root = TreeGame(Node("root", 0, (leaf,))).initial()
    with pytest.raises(ValueError, match="one seat must win what the other loses"):
        PureSolver(root.game).solve(root)
