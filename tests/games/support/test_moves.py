"""Moves as texts, one after the other."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.support.errors import MoveError
from games.support.game import play_texts
from games.support.moves import as_word, decode_move, words_of
from games.support.specs import find_game

CONNECTFOUR = find_game("connectfour").initial()
WIDE = find_game("connectfour?columns=12").initial()
TICTACTOE = find_game("tictactoe").initial()


def test_texts_are_played_with_or_without_spaces() -> None:
    expected = CONNECTFOUR.play(3).play(3).play(2)
    assert play_texts(CONNECTFOUR, "4 4 3") == expected
    assert play_texts(CONNECTFOUR, " 443\n") == expected


def test_nothing_to_play_leaves_the_position() -> None:
    assert play_texts(CONNECTFOUR, " ") == CONNECTFOUR


def test_a_text_that_is_one_move_is_not_taken_apart() -> None:
    assert play_texts(WIDE, "12") == WIDE.play(11)
    assert play_texts(TICTACTOE, "b2") == TICTACTOE.play(4)


@pytest.mark.parametrize(
    ("texts", "wrong", "message"),
    [
        ("4 4 9", "9", r"ply 3: illegal move '9' \(legal: 1, 2, 3, 4, 5, 6, 7\)"),
        ("4444441 4", "4444441", "ply 1: illegal move '4444441'"),
        ("44444444", "4", r"ply 7: illegal move '4' \(legal: 1, 2, 3, 5, 6, 7\)"),
        ("12121212", "2", "ply 8: illegal move '2': the match is over"),
        ("44x", "x", "ply 3: illegal move 'x'"),
        ("b22", "b22", "ply 1: illegal move 'b22'"),
    ],
)
def test_the_first_wrong_text_is_named_with_its_ply(texts: str, wrong: str, message: str) -> None:
    with pytest.raises(MoveError, match=message) as caught:
        play_texts(CONNECTFOUR, texts)
    assert caught.value.text == wrong


@pytest.mark.parametrize(
    ("spec", "moves", "value", "told"),
    [
        ("connectfour", "444444", 3, "which is column 4: the column is full"),
        ("connectfour", "", 9, "which is none of state.legal_moves(): 0 (written 1), 1 (wr"),
        ("tictactoe", "b2", 4, "which is b2: the square is taken"),
        ("mnk", "h8", 112, "which is h8: the point is taken"),
        ("mnk", "h8", 225, "which is swap: no swap now"),
        ("othello", "", 27, "which is d4: the square is taken"),
        ("othello", "", 0, "which is a1: it turns no disc"),
        ("othello", "", 64, "which is pass: there is a square to play"),
        ("breakthrough", "", 1, "which is a1-a2: the square can't be reached"),
        ("breakthrough", "", 24, "which is a move of a2 off the board"),
        ("breakthrough", "", 145, "which is a move from a7: no piece of yours is there"),
        ("tablut", "", 3, "which is a1-d1: no piece of yours is there"),
        ("pacman", "", 2, "which is south: not among the ways from here"),
        ("tree", "", 5, "which is none of state.legal_moves(): 0 (written B), 1 (wr"),
    ],
)
def test_a_refused_value_is_named_as_people_write_it(
    spec: str, moves: str, value: int, told: str
) -> None:
    state = play_texts(find_game(spec).initial(), moves)
    with pytest.raises(MoveError) as caught:
        decode_move(state, value)
    assert str(caught.value).startswith(f"illegal move {value}, {told}")


@given(
    st.lists(st.sampled_from(["e4", "", " ", "O O", "a\tb", "\x1b[m", "é", "\N{NO-BREAK SPACE}"]))
)
def test_words_together_are_those_of_each(texts: list[str]) -> None:
    assert words_of(texts) == " ".join(map(as_word, texts))
    assert len(words_of(texts).split()) == len(texts)
