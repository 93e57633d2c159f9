"""The solver in Python alone, and perfect play: exact on any tree of two seats, soon ends first."""

import pytest

from bots.solver import Solver, solver_of
from bots.solver.best_moves import best_line, best_moves
from bots.solver.pure import PureSolver
from bots.support.bot import Clock
from games.kernels import UNIT
from games.support.game import Move, State, texts_of
from games.support.specs import find_game
from tests.bots.treegame import Node, TreeGame, random_tree

CONNECT_FOUR = find_game("connectfour")


def worths_of(state: State) -> dict[Move, float]:
    """Return what the definition gives to the seat to move by move: a ply takes one off a win."""
    worths = {}
    for move in state.legal_moves():
        child = state.play(move)
        outcome = child.outcome()
        if outcome is not None:
            worth = outcome[state.to_move] * UNIT
        else:
            worth = worth_of(child) * (1 if child.to_move == state.to_move else -1)
        worths[move] = worth - ((worth > 0) - (worth < 0))
    return worths


def worth_of(state: State) -> float:
    """Return the worth of the best move."""
    return max(worths_of(state).values())


def check_line(solver: Solver, state: State, line: tuple[Move, ...]) -> None:
    """Assert that `line` goes to the end, and that each move keeps what the solver finds."""
    found = solver.solve(state)
    if found.plies is not None:
        assert len(line) == found.plies
    first = state.to_move
    for move in line:
        assert move in best_moves(solver, state, solver.solve(state))
        state = state.play(move)
    outcome = state.outcome()
    assert outcome is not None
    assert outcome[first] == found.utility


@pytest.mark.parametrize("seed", range(40))
def test_it_finds_what_the_definition_gives_whoever_moves_in_a_row(seed: int) -> None:
    root = random_tree(seed, (0, 1), 5).initial()
    found = PureSolver(root.game).solve(root)
    sign = (found.utility > 0) - (found.utility < 0)
    assert found.utility * UNIT - sign * (found.plies or 0) == worth_of(root)


@pytest.mark.parametrize("seed", range(40))
def test_the_best_moves_are_all_that_keep_the_worth(seed: int) -> None:
    root = random_tree(seed, (0, 1), 5).initial()
    solver = PureSolver(root.game)
    worths = worths_of(root)
    expected = tuple(move for move, worth in worths.items() if worth == max(worths.values()))
    assert best_moves(solver, root, solver.solve(root)) == expected
    check_line(solver, root, best_line(solver, root, solver.solve(root)))


@pytest.mark.extra
@pytest.mark.parametrize(
    ("spec", "moves", "plies"),
    [
        ("connectfour?columns=5&rows=4", "", 6),
        ("connectfour?columns=5&rows=4", "3 3 3", 5),
        pytest.param("breakthrough?columns=3&rows=5", "", 8, marks=pytest.mark.slow),
        pytest.param("othello?score=discs", "", 54, marks=pytest.mark.slow),
    ],
)
def test_compiled_and_pure_play_the_same(spec: str, moves: str, plies: int) -> None:
    pytest.importorskip("numba")
    game = find_game(spec)
    state = game.position(moves)
    for _ in range(plies):
        state = state.play(state.legal_moves()[0])
    compiled, pure = solver_of(game), PureSolver(game)
    found = best_moves(compiled, state, compiled.solve(state))
    if spec.startswith("othello"):
        # Compiled, discs are what counts, and not how soon they are won.
        assert set(found) >= set(best_moves(pure, state, pure.solve(state)))
    else:
        assert found == best_moves(pure, state, pure.solve(state))
    check_line(compiled, state, best_line(compiled, state, compiled.solve(state)))


def test_a_match_that_is_over_has_no_moves() -> None:
    state = CONNECT_FOUR.position("1212121")
    solver = PureSolver(CONNECT_FOUR)
    assert best_moves(solver, state, solver.solve(state)) == ()
    assert best_line(solver, state, solver.solve(state)) == ()


def test_a_line_is_written_move_by_move() -> None:
    game = find_game("tictactoe")
    assert texts_of(game.initial(), (4, 0, 8)) == ("b2", "a3", "c1")


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
    game = find_game(spec)
    found = PureSolver(game).solve(game.position(moves), Clock(nodes=100_000))
    assert (found.utility, found.plies) == (utility, plies)


@pytest.mark.parametrize("leaf", [(0.5, -0.5), (1.0, 1.0)])
def test_utilities_that_it_can_not_tell_apart_are_refused(leaf: tuple[float, float]) -> None:
    root = TreeGame(Node("root", 0, (leaf,))).initial()
    with pytest.raises(ValueError, match="one seat must win what the other loses"):
        PureSolver(root.game).solve(root)
