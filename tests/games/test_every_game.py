"""What every game must keep to, whatever the folder holds."""

import copy
import pickle
import random
import xml.etree.ElementTree as ET
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.support.contract import check_evaluations, check_game, check_moves, check_position
from games.support.errors import InputError, MoveError
from games.support.game import CHANCE, State
from games.support.move_contract import check_play, check_texts, check_twins
from games.support.moves import decode_move, encode_move, replay
from games.support.specs import GAMES, find_game
from tests.examples import examples
from tests.strategies import open_positions, playable, walk, walks

specs = pytest.mark.parametrize("spec", playable())
few = examples(100, quick=4)


def each_state(data: st.DataObject, spec: str) -> list[State]:
    """Draw a match and return its positions."""
    return data.draw(walks(spec))


@specs
@given(st.data())
@few
def test_a_walk_keeps_the_contract(spec: str, data: st.DataObject) -> None:
    states = each_state(data, spec)
    source = random.Random(0)
    check_game(states[0].game)
    for state in states[:-1]:
        assert state.outcome() is None
        assert state.placing() is None
        check_position(state)
        check_moves(state)
    check_position(states[-1])
    for state in states[:-1][-3:]:
        check_texts(state)
        check_play(state, source)
    outcome = states[-1].outcome()
    if outcome is not None:
        shares = dict(zip(states[-1].game.sides, outcome, strict=True))
        low, high = states[-1].game.utility_bounds
        assert len(shares) != 2 or low != -high or sum(shares.values()) == 0
        assert states[-1].outcome() == outcome


@specs
@given(st.data())
@few
def test_the_cells_tell_the_board(spec: str, data: st.DataObject) -> None:
    states = each_state(data, spec)
    sizes = {(len(state.cells()), *map(len, state.cells())) for state in states}
    assert len(sizes) == 1
    rows, *columns = sizes.pop()
    assert len(set(columns)) <= 1
    game = states[0].game
    assert ("cells()" in game.position_help) == (rows > 0)
    for state in states:
        signs = set("".join(state.cells())) - set(" PNBRQKpnbrqk0123456789abcdefghiX")
        assert all(f"'{sign}'" in game.position_help for sign in signs)


@specs
@given(st.data())
@few
def test_a_move_leaves_the_position_as_it_was(spec: str, data: st.DataObject) -> None:
    state = data.draw(open_positions(spec))
    before = (state.key(), state.to_move, tuple(state.legal_moves()), state.render())
    children = [state.play(move) for move in state.legal_moves()]
    assert before == (state.key(), state.to_move, tuple(state.legal_moves()), state.render())
    assert state not in children


@specs
@given(st.data())
@few
def test_moves_round_trip(spec: str, data: st.DataObject) -> None:
    state = data.draw(open_positions(spec))
    # In chess a pawn's bxc3 and a bishop's Bxc3 are told apart by nothing but the capital.
    capitals = Counter(state.text(move).upper() for move in state.legal_moves())
    for move in state.legal_moves():
        text = state.text(move)
        assert state.parse(text) == move
        assert capitals[text.upper()] > 1 or state.parse(f"  {text.upper()} ") == move
        assert decode_move(state, encode_move(state, move)) == move


@specs
@given(st.data())
@few
def test_equal_keys_are_equal_positions(spec: str, data: st.DataObject) -> None:
    states = each_state(data, spec)
    for state in states[:: max(1, len(states) // 3)]:
        for twin in (copy.deepcopy(state), pickle.loads(pickle.dumps(state))):  # noqa: S301 (our own)
            assert twin == state
            assert hash(twin) == hash(state)
            assert twin.to_move == state.to_move
            assert twin.outcome() == state.outcome()
            assert state.outcome() is not None or twin.legal_moves() == state.legal_moves()
    # Two walks over few moves meet the same positions by other ways.
    by_key: dict[object, State] = {}
    for state in [*states, *data.draw(walks(spec, 8)), *data.draw(walks(spec, 8))]:
        twin = by_key.setdefault(state.key(), state)
        if twin is state:
            continue
        assert twin == state
        check_twins(twin, state, lambda: ("one way", "another"), random.Random(0))
        assert state.outcome() is not None or twin.legal_moves() == state.legal_moves()
        assert twin.render() == state.render()


@specs
@given(st.data())
@few
def test_symmetries_keep_moves_and_outcome(spec: str, data: st.DataObject) -> None:
    states = each_state(data, spec)
    maps = list(states[0].symmetries())
    for index in range(len(maps)):
        image = states[0]  # its own image; the same turn or mirror then applies to each ply
        for before, after in pairwise(states):
            move = next(m for m in before.legal_moves() if before.play(m) == after)
            read = maps[index][1]
            assert {read(m) for m in before.legal_moves()} == set(image.legal_moves())
            image = image.play(read(move))
        assert image.outcome() == states[-1].outcome()
        assert image.key() == list(states[-1].symmetries())[index][0]


@specs
@given(st.data())
@few
def test_evaluations_stay_within_their_bounds(spec: str, data: st.DataObject) -> None:
    state = data.draw(open_positions(spec))
    check_evaluations(state)
    for evaluation in state.game.evaluations:
        low, high = (bound * evaluation.scale for bound in state.game.utility_bounds)
        assert low < evaluation.low <= evaluation.high < high


@specs
@given(st.data())
@few
def test_evaluations_of_two_sides_add_up_to_nothing(spec: str, data: st.DataObject) -> None:
    state = data.draw(open_positions(spec))
    sides = state.game.sides
    if len(set(sides)) != 2:
        return
    for evaluation in state.game.evaluations:
        worth = [evaluation.function(state, seat) for seat in range(len(sides))]
        first = worth[0]
        assert worth == [first if side == sides[0] else -first for side in sides]


@specs
def test_a_status_says_who_moves_until_the_end(spec: str) -> None:
    states = walk(spec, 5, 300)
    for state in states:
        told, is_over = state.status(), state.outcome() is not None
        assert told.isprintable()
        assert (" to move" in told) is not is_over
        if not is_over and state.to_move != CHANCE:
            assert state.game.seat_names[state.to_move] in told


@specs
def test_drawings_can_be_shown(spec: str) -> None:
    states = walk(spec, 5, 300)
    for state in (states[0], states[min(4, len(states) - 1)], states[-1]):
        lines = state.render().splitlines()
        assert max(map(len, lines)) <= 80
        assert all(line.isprintable() for line in lines)
        root = ET.fromstring(state.svg())  # noqa: S314 (drawn by ourselves)
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert root.find("{http://www.w3.org/2000/svg}title") is not None
        assert "script" not in state.svg()
        assert "prefers-color-scheme: dark" in state.svg()


@specs
def test_the_spec_names_the_game(spec: str) -> None:
    game = find_game(spec)
    assert find_game(game.spec) == game
    assert hash(find_game(game.spec)) == hash(game)
    assert game.seats == len(game.sides) == len(game.seat_names)
    assert game.title


@specs
def test_nonsense_is_no_move(spec: str) -> None:
    for wire in (None, 3.5, True, [1], "", "zz", 10**30, -1, {"a": 1}):
        with pytest.raises(MoveError):
            decode_move(find_game(spec).initial(), wire)


@specs
def test_nonsense_of_any_length_is_no_move_and_named_in_brief(spec: str) -> None:
    """Past 4,300 digits Python turns no text into an int, nor back: the referee must not trip."""
    for wire in ("9" * 5000, "x" * 100_000, 10**5000, -(10**5000), [0] * 9999):
        with pytest.raises(MoveError, match=r"^(illegal move|not a move)") as caught:
            decode_move(find_game(spec).initial(), wire)
        assert len(str(caught.value)) < 400
        assert str(caught.value).isprintable()


@specs
def test_nothing_is_played_after_the_end(spec: str) -> None:
    states = walk(spec, 1, 5000)
    moves = [
        encode_move(before, next(m for m in before.legal_moves() if before.play(m) == after))
        for before, after in pairwise(states)
    ]
    assert replay(states[0], moves) == states[-1]
    with pytest.raises(MoveError, match="is over"):
        replay(states[0], [*moves, moves[0]])


def test_an_unknown_game_gets_a_suggestion() -> None:
    with pytest.raises(InputError, match=r"'conectfour' \(did you mean 'connectfour'\?\)"):
        find_game("conectfour")


def test_modules_that_are_no_games_are_none() -> None:
    assert "contract" not in GAMES.names()
    with pytest.raises(InputError, match="unknown game 'contract'"):
        find_game("contract")


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        ("connectfour?columns=0", "expected a whole number from 1 to 16"),
        ("connectfour?columns=99", "expected a whole number from 1 to 16"),
        ("connectfour?columns=x", "expected a whole number from 1 to 16"),
        ("connectfour?colums=8", r"unknown option 'colums'.*did you mean 'columns'"),
        ("connectfour?columns", "expected name=value"),
        ("connectfour?columns=7&columns=8", "option 'columns' is given twice"),
        ("tictactoe?size=4", r"unknown option 'size' of game tictactoe \(known: fen\)"),
    ],
)
def test_bad_options_are_named(spec: str, text: str) -> None:
    with pytest.raises(InputError, match=text):
        find_game(spec)


def test_an_unknown_evaluation_lists_those_there_are() -> None:
    with pytest.raises(InputError, match=r"evaluation of connectfour 'x' \(known: null, tops"):
        find_game("connectfour").evaluation("x")


def test_every_game_of_ours_tells_its_rules_in_two_sentences() -> None:
    for name in GAMES.names():
        told = find_game(name).rules_text
        assert told.count(". ") == 1
        assert told.endswith(".")
    assert "have 5 in a row" in find_game("connectfour?connect=5").rules_text
