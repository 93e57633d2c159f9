"""The record of a match has its moves as people write them."""

import pytest

from games.support.moves import as_word
from games.support.specs import find_game
from league.match.play import MatchSetup, play_match
from league.match.replay import frames_of
from league.model.records import Limits
from tests.league.seats.firstmove import FirstMove


@pytest.mark.parametrize(
    ("spec", "opening", "line"),
    [
        ("connectfour", (3, 3), "4 4 1 1 1 1 1 1 2 2 2 2 2 2 3"),
        ("tree?file=chance", (), "B E J"),
        ("tictactoe", (), "a3 b3 c3 a2 b2 c2 a1"),
    ],
)
def test_a_played_match_is_written_down(spec: str, opening: tuple[int, ...], line: str) -> None:
    game = find_game(spec)
    seats = [FirstMove(), FirstMove()]
    record = play_match(
        MatchSetup(game=game, versions=(1, 2), opening=opening, limits=Limits(cap_s=9), seed=1),
        seats,
    )
    assert record.notation == line
    assert line.split() == [as_word(frame.move) for frame in list(frames_of(record))[1:]]


@pytest.mark.parametrize(
    ("text", "word"),
    [("e4", "e4"), ("3, up", "3,_up"), ("a\nb\x00", "a_b_"), ("\ud800", "_"), ("", "_")],
)
def test_the_text_of_a_move_becomes_one_word(text: str, word: str) -> None:
    assert as_word(text) == word
