"""Names of openings, and that the data holds legal moves as the league writes them."""

import pytest

pytest.importorskip("chess", reason="needs the extra 'chess'")

from games.chess.opening_names import _names, opening_name
from games.chess.rules import Chess

SPANISH = ["e4", "e5", "Nf3", "Nc6", "Bb5"]


def test_the_most_exact_name_is_taken() -> None:
    assert opening_name(SPANISH) == ("C60", "Ruy Lopez")
    assert opening_name([*SPANISH, "h6", "Ba4"]) == ("C60", "Ruy Lopez")
    assert opening_name(["e4"]) == ("B00", "King's Pawn Game")
    assert opening_name([]) is None


def test_the_moves_are_written_as_those_of_a_match() -> None:
    for words in list(_names()[0])[::200]:
        state = Chess().initial()
        for word in words.split():
            move = state.parse(word)
            assert state.text(move) == word
            state = state.play(move)
