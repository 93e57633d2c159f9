"""What games on a board say about how they ended."""

import pytest

from games.support.game import play_texts
from games.support.specs import find_game


@pytest.mark.parametrize(
    ("spec", "moves", "told"),
    [
        ("connectfour", "1 2 1 2 1 2", "Red to move"),
        ("connectfour", "1 2 1 2 1 2 1", "Red won by four in a row"),
        ("connectfour?rows=7&connect=7", "1 2 1 2 1 2 1 2 1 2 1 2 1", "Red won by 7 in a row"),
        ("connectfour?columns=3&rows=2&connect=3", "1 2 1 2 3 3", "draw: board full"),
        ("tictactoe", "a1 b1 a2 b2 a3", "X won by three in a row"),
        ("tictactoe", "a1 b1 c1 b2 b3 a2 c2 c3 a3", "draw: board full"),
        ("mnk?columns=3&rows=3&connect=3", "a1 b1 a2 b2 a3", "Black won by three in a row"),
    ],
)
def test_a_game_of_rows_says_how_it_ended(spec: str, moves: str, told: str) -> None:
    assert play_texts(find_game(spec).initial(), moves).status() == told
