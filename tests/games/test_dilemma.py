"""The rules of the iterated prisoner's dilemma."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.dilemma import COOPERATE, DEFECT, DilemmaState
from games.support.errors import OptionError
from games.support.game import CHANCE
from games.support.specs import find_game
from tests.examples import examples

turns = st.lists(st.sampled_from(["C C", "C D", "D C", "D D"]), min_size=1, max_size=40)


def position(spec: str, text: str = "") -> DilemmaState:
    """Return the position after some moves."""
    state = find_game(spec).position(text)
    assert isinstance(state, DilemmaState)
    return state


@pytest.mark.parametrize(
    ("moves", "points"), [("C C", (3, 3)), ("C D", (0, 5)), ("D C", (5, 0)), ("D D", (1, 1))]
)
def test_a_turn_pays_what_axelrod_paid(moves: str, points: tuple[float, float]) -> None:
    assert position("dilemma?turns=1", moves).outcome() == points


@given(turns)
@examples(50)
def test_a_match_pays_the_sum_of_its_turns(played: list[str]) -> None:
    spec = f"dilemma?turns={len(played)}&temptation=7.5&reward=4&punishment=-1&sucker=-2"
    pays = {"C C": (4, 4), "C D": (-2, 7.5), "D C": (7.5, -2), "D D": (-1, -1)}
    state = position(spec, " ".join(played))
    assert state.outcome() == tuple(map(sum, zip(*(pays[each] for each in played), strict=True)))
    assert state.view(None).events == state.view(1).events == tuple(played)
    low, high = state.game.utility_bounds
    assert all(low <= each <= high for each in state.points())


def test_a_match_has_as_many_turns_as_its_option_says() -> None:
    state = position("dilemma?turns=3", "C C C D")
    assert state.outcome() is None
    assert state.play(COOPERATE).outcome() is None, "only one has chosen"
    assert state.play(DEFECT).play(COOPERATE).outcome() == (8, 8)
    assert find_game("dilemma").values["turns"] == 200


def test_there_is_no_luck_without_noise() -> None:
    assert not find_game("dilemma").has_chance
    assert position("dilemma", "C D").to_move == 0
    assert find_game("dilemma?noise=0.1").has_chance


@given(st.floats(0.01, 0.99))
@examples(20)
def test_luck_flips_each_choice_on_its_own(noise: float) -> None:
    state = position(f"dilemma?noise={noise}", "C D")
    assert state.to_move == CHANCE
    assert state.events(0) == (), "nobody sees what the other has chosen"
    chances = dict(state.chance())
    assert sum(chances.values()) == pytest.approx(1)
    outcomes = {state.play(flips).turns[0]: chance for flips, chance in chances.items()}
    first = outcomes["D D"] + outcomes["D C"]
    second = outcomes["C C"] + outcomes["D C"]
    assert first == pytest.approx(noise)
    assert second == pytest.approx(noise)
    assert outcomes["D C"] == pytest.approx(noise**2)


def test_luck_has_no_move_that_is_impossible() -> None:
    state = position("dilemma?noise=1", "C D")
    assert state.chance() == ((3, 1.0),)
    assert state.text(3) == "both"


def test_a_bot_that_fails_gets_less_in_each_turn_than_one_that_defects() -> None:
    start = position("dilemma?turns=1")
    for seat, other in product((0, 1), (COOPERATE, DEFECT)):
        paid = []
        for own in (start.stand_in(seat), DEFECT):
            first, second = (own, other) if seat == 0 else (other, own)
            outcome = start.play(first).play(second).outcome()
            assert outcome is not None
            paid.append(outcome[seat])
        assert paid[0] < paid[1]


def test_payoffs_that_are_no_dilemma_are_refused() -> None:
    with pytest.raises(OptionError, match=r"temptation=3 reward=3 .* greater than the next"):
        find_game("dilemma?temptation=3")


def test_a_drawing_stays_narrow() -> None:
    state = position("dilemma", " ".join(["C D D C"] * 99))
    lines = state.view(0).render().splitlines()
    assert lines[0] == "turn 198 of 200, points 495 495"
    assert lines[1].startswith("C D C D")
    assert max(map(len, lines)) <= 80
