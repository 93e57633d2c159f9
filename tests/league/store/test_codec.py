"""Match records survive the database exactly."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.records import MatchRecord
from league.store.codec import decode_record, decode_scores, encode_record, encode_scores
from tests.league.matches import records


@given(records)
def test_a_record_round_trips(record: MatchRecord) -> None:
    assert decode_record(encode_record(record)) == record


@given(st.lists(st.floats(0, 1), min_size=1, max_size=5).map(tuple))
def test_scores_round_trip(scores: tuple[float, ...]) -> None:
    assert decode_scores(encode_scores(scores)) == scores


def test_scores_are_short() -> None:
    assert encode_scores((1.0, 0.0)) == "1,0"
    assert encode_scores((0.5, 0.5)) == "0.5,0.5"


@pytest.mark.parametrize("data", [b"", b"nonsense", b"x\x9c\x03\x00\x00\x00\x00\x01"])
def test_damage_is_said(data: bytes) -> None:
    with pytest.raises(ValueError, match="damaged match record"):
        decode_record(data)
