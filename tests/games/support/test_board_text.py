"""Positions as text for engines: written, and read back as what they were."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.support.errors import MoveError, OptionError, PositionError
from games.support.specs import find_game
from tests.examples import examples
from tests.paths import DOCS
from tests.strategies import open_positions, playable, positions

specs = pytest.mark.parametrize("spec", playable())

PUBLISHED = {
    # The first positions as engines that speak UGI write them.
    "connectfour": ("", "7/7/7/7/7/7 r 1"),
    "othello": ("", "8/8/8/3ox3/3xo3/8/8/8 x"),
    "mnk": ("", "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 x 1"),
    "breakthrough": ("", "pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w - - 0 1"),
    "tictactoe": ("", "3/3/3 x 1"),
    "connectfour?columns=8": ("44453", "8/8/8/3r4/3y4/2rry3 y 3"),
    "mnk?columns=3&rows=3&connect=3&swap=True": ("a1 swap b2", "3/1x1/o2 o 2"),
    "breakthrough?columns=5&rows=5": (
        "a2-a3 b4xa3",
        "ppppp/p1ppp/p4/1PPPP/PPPPP w - - 0 1",
    ),
    "tablut": ("", "3BBB3/4B4/4W4/B3W3B/BBWWKWWBB/B3W3B/4W4/4B4/3BBB3 w"),
    "tree": ("", ""),
}


@pytest.mark.parametrize("spec", PUBLISHED)
def test_positions_are_written_as_engines_read_them(spec: str) -> None:
    moves, fen = PUBLISHED[spec]
    game = find_game(spec)
    assert game.position(moves).fen() == fen


def test_the_boards_of_the_documentation_are_as_written() -> None:
    page = DOCS / "reference" / "protocols.md"
    rows = re.findall(
        r"^\| `(?:mnk`, `)?(\w+)` \| `([^`]* [^`]*)`:", page.read_text(), re.MULTILINE
    )
    names = ["connectfour", "othello", "tictactoe", "breakthrough", "tablut"]
    assert [name for name, _ in rows] == names
    for name, fen in rows:
        assert find_game(name).position(fen).fen() == fen


@specs
@examples(25)
@given(st.data())
def test_what_is_written_is_read_back(spec: str, data: st.DataObject) -> None:
    state = data.draw(positions(spec))
    fen = state.fen()
    if not fen:
        return
    again = state.game.position(fen)
    assert again.fen() == fen
    assert again.render() == state.render()
    assert again.to_move == state.to_move
    # The positions that may not come again are not in the text.
    if state.game.name not in ("chess", "tablut"):
        assert again == state
        assert again.outcome() == state.outcome()


@specs
@examples(25)
@given(st.data())
def test_moves_of_engines_round_trip(spec: str, data: st.DataObject) -> None:
    state = data.draw(open_positions(spec))
    for move in state.legal_moves():
        assert state.decode(state.code(move)) == move


def test_engines_write_moves_in_more_than_one_way() -> None:
    four = find_game("connectfour").position("4")
    assert [four.decode(text) for text in ("a", "G", "1", "7")] == [0, 6, 0, 6]
    assert four.code(3) == "d"
    breakthrough = find_game("breakthrough").initial()
    assert breakthrough.code(breakthrough.parse("a2-a3")) == "a2a3"
    assert breakthrough.decode("A2A3") == breakthrough.decode("a2-a3")
    must_pass = find_game("othello").position("ox6/8/8/8/8/8/8/8 x")
    for text in ("pass", "0000", "--", "PA"):
        assert must_pass.text(must_pass.decode(text)) == "pass"
    with pytest.raises(MoveError, match="illegal move 'h'"):
        four.decode("h")
    with pytest.raises(MoveError, match="illegal move"):
        find_game("othello").initial().decode("0000")


@pytest.mark.parametrize(
    ("spec", "text", "told"),
    [
        ("tablut", "9/9 w", "expected 9 rows, here are 2"),
        ("tablut", "9/9/9/9/4K4/9/9/9/8 w", "board row '8': expected 9 squares of K, W, B or"),
        ("tablut", "9/9/9/9/4X4/9/9/9/9 w", "board row '4X4'"),
        ("tablut", "9/9/9/9/9/9/9/9/9 w", "expected one king (K)"),
        ("tablut", "9/9/WWWWWWWWW/9/4K4/9/9/9/9 w", "more than 8 W"),
        ("tablut", "9/BBBBBBBBB/BBBBBBBBB/9/4K4/9/9/9/9 w", "more than 16 B"),
        ("tablut", "9/9/9/2K6/4W4/9/9/9/9 w", "only the king (K) may stand on the throne"),
        ("tablut", "9/9/9/9/W3K4/9/9/9/9 w", "only B may stand on a camp"),
        ("tablut", "K8/9/9/9/9/9/9/9/9 b", "the king is out"),
        ("tablut", "9/9/9/9/4K4/9/9/9/9 x", "'x' is nobody to move: expected w or b"),
        ("connectfour", "7/7/7/7/7 r", "expected 6 rows, here are 5"),
        ("connectfour", "7/7/7/7/7/6 r", "'6': 6 squares, expected 7"),
        ("connectfour", "7/7/7/7/7/8 r", "'8': 8 squares, expected 7"),
        ("connectfour", "7/7/7/7/7/99999999999999999999999 r", "expected 7"),
        ("connectfour", "7/7/7/7/7/3x3 r", "'x' in board row '3x3': expected r, y or numbers"),
        ("connectfour", "7/7/7/7/7/3²3 r", "'²' in board row"),
        ("connectfour", "7/7/7/7/7/3r3 x", "'x' is nobody to move: expected r or y"),
        ("connectfour", "7/7/7/7/7/3r3", "'' is nobody to move"),
        ("connectfour", "7/7/7/7/7/3r3 r", "1 red discs and 0 yellow ones with r to move"),
        ("connectfour", "7/7/7/7/3r3/7 y", "a disc has nothing below it"),
        ("connectfour", "7/7/7/7/yyy4/rrrr3 y", ""),
        ("connectfour", "7/7/7/7/yyyy3/rrrr3 r", "r has won and is to move"),
        ("mnk", f"{'15/' * 14}xx13 o", "2 x and 0 o with o to move"),
        ("mnk?columns=3&rows=3&connect=3", "xxx/ooo/3 x", "x has won and is to move"),
        ("mnk?columns=3&rows=3&connect=3", "o2/3/3 x", "0 x and 1 o with x to move"),
        ("mnk?columns=3&rows=3&connect=3&swap=True", "o2/3/3 x", ""),
        ("tictactoe", "xxx/ooo/3 x", "never reached with x to move"),
        ("tictactoe", "xx1/3/3 o", "never reached with o to move"),
        ("othello", "8/8/8/8/8/8/8/8", "'' is nobody to move"),
        ("breakthrough", "8/8/8/8/8/8/8/8 w", "w has won and is to move"),
        ("breakthrough", "P7/8/8/8/8/8/8/p7 w", "w has won and is to move"),
        ("breakthrough", "PPPPPPPP/PPPPPPPP/PPPPPPPP/8/8/8/8/8 b", "more than 16 of a colour"),
    ],
)
def test_a_position_that_can_not_be_is_said(spec: str, text: str, told: str) -> None:
    game = find_game(spec)
    if not told:
        assert game.position(text).fen().startswith(text)
        return
    with pytest.raises(PositionError) as caught:
        game.position(text)
    assert told in str(caught.value)
    assert len(str(caught.value)) < 200


@specs
@examples(10)
@given(st.data())
def test_a_game_begins_at_any_of_its_boards(spec: str, data: st.DataObject) -> None:
    state = data.draw(open_positions(spec))
    game = state.game
    if not state.fen():
        with pytest.raises(OptionError, match="can't begin at a position"):
            game.starting_at("3/3/3 x")
        return
    begun = game.starting_at(state.fen())
    assert begun.initial().fen() == state.fen()
    assert begun.initial().legal_moves() == state.legal_moves()
    found = find_game(begun.spec)
    assert (found, found.initial()) == (begun, begun.initial())
    assert begun.starting_at("") == game.starting_at("")


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        ("connectfour?fen=443", "option fen: board '443': expected 6 rows"),
        ("connectfour?fen=r6/7/7/7/7/7 y", "option fen: .* has nothing below it"),
        ("tictactoe?fen=3/3/3", "option fen: '' is nobody to move"),
        ("othello?fen=8 x", "option fen: board '8': expected 8 rows"),
        ("breakthrough?fen=p7/8 w", "option fen: .* expected 8 rows"),
        ("mnk?columns=3&rows=3&fen=3/xx1/3 o", "option fen: .* 2 x and 0 o"),
    ],
)
def test_a_first_position_is_a_board(spec: str, text: str) -> None:
    with pytest.raises(OptionError, match=text):
        find_game(spec)
