"""Scores as the database holds them."""

from hypothesis import given
from hypothesis import strategies as st

from league.store.seating_codec import decode_scores, encode_scores


@given(st.lists(st.floats(0, 1), min_size=1, max_size=5).map(tuple))
def test_scores_round_trip(scores: tuple[float, ...]) -> None:
    assert decode_scores(encode_scores(scores)) == scores


def test_scores_are_short() -> None:
    assert encode_scores((1.0, 0.0)) == "1,0"
    assert encode_scores((0.5, 0.5)) == "0.5,0.5"
