"""What leaves are worth: playouts, draws of luck, and estimates turned into utilities."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots.mcts.playouts import PLIES, PLIES_MAX, LeafValue, Playouts, Rollout
from bots.support.bot import Clock
from bots.support.search import SearchBudget
from games.support.game import NULL
from games.support.moves import replay
from games.support.specs import find_game
from tests.strategies import open_positions

CONNECT_FOUR = find_game("connectfour")
TICTACTOE = find_game("tictactoe")


def test_luck_is_drawn_by_its_probability() -> None:
    state = find_game("tree?file=chance").initial().play(1)
    worth = LeafValue(state.game, NULL)
    playouts = Playouts(Rollout(), worth, random.Random(1), SearchBudget(Clock()))
    drawn = [playouts.luck(state) for _ in range(4000)]
    assert drawn.count(0) == pytest.approx(1000, abs=100)


@pytest.mark.parametrize("seed", range(10))
def test_a_greedy_playout_wins_where_it_can(seed: int) -> None:
    state = replay(TICTACTOE.initial(), [0, 3, 1, 4])
    worth = LeafValue(state.game, NULL)
    playouts = Playouts(Rollout("greedy"), worth, random.Random(seed), SearchBudget(Clock()))
    assert playouts.run(state, 9) == (1, -1)
    assert playouts.nodes == 2
    # X can't win at once here, but O can, whatever X does elsewhere than on 5.
    state = replay(TICTACTOE.initial(), [0, 3, 8, 4])
    outcomes = {playouts.run(state.play(move), 1) for move in (1, 2, 6, 7)}
    assert outcomes == {(-1, 1)}


def test_an_evaluation_takes_the_place_of_playouts_where_there_is_one() -> None:
    assert Rollout("evaluation").plies_for(CONNECT_FOUR.evaluation("")) == 0
    assert Rollout("evaluation").plies_for(NULL) == PLIES_MAX
    assert Rollout("random").plies_for(CONNECT_FOUR.evaluation("")) == PLIES
    assert Rollout("random", 7).plies_for(NULL) == 7


@pytest.mark.parametrize("spec", ["connectfour", "othello?score=discs", "pacman", "tablut"])
@given(st.data())
@settings(max_examples=20, deadline=None)
def test_estimates_lie_within_the_utilities(spec: str, data: st.DataObject) -> None:
    state = data.draw(open_positions(spec, 40))
    for evaluation in state.game.evaluations:
        worth = LeafValue(state.game, evaluation)
        low, high = state.game.utility_bounds
        values = worth.estimated(state)
        assert len(values) == state.game.seats
        assert all(low < value < high for value in values)
        estimate = evaluation.function(state, 0)
        assert (values[0] > 0) == (estimate > 0)
        assert (values[0] < 0) == (estimate < 0)
