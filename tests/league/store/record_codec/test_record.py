"""Match records survive the database exactly."""

import hashlib
import math
import zlib
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.model.records import MatchRecord, MoveRecord, ReportRecord
from league.store.record_codec import zstandard
from league.store.record_codec.packed_match import PackedMatch
from league.store.record_codec.record import FORM, decode_beginning, decode_record, encode_record
from league.store.record_codec.zstandard import DICTIONARY
from tests.league.matches import records, won_match


@given(records)
def test_a_record_round_trips(record: MatchRecord) -> None:
    data = encode_record(record)
    assert decode_record(data, record.notation) == record
    assert decode_beginning(data) == (record.game, record.opening)
    packed = PackedMatch.of(record)
    assert (packed.data, packed.record()) == (data, record)


@given(st.lists(st.integers() | st.sampled_from([10**400, -(2**63), "x", "1"]), max_size=6))
def test_what_bots_call_moves_may_be_anything(pv: list[int | str]) -> None:
    told = MoveRecord(3, wall_ns=10, cpu_ns=None, over_ns=0, report=ReportRecord(pv=tuple(pv)))
    record = replace(won_match(1, 2), moves=(told, MoveRecord(1), told))
    assert decode_record(encode_record(record)) == record


@pytest.mark.parametrize(
    "scores",
    [
        (0.1, 0.25, -3.0),
        (1e300, 5e-324, -0.1),
        (0.5, None, -0.5),
        (2.0**52, 1.0, 0.1),
        (1e308, 0.5),
        (math.inf, -math.inf, 0.5),
        (-0.25, 0.75, 12.5, -9999.75),
    ],
)
def test_scores_keep_every_bit(scores: tuple[float | None, ...]) -> None:
    moves = tuple(MoveRecord(3, report=ReportRecord(score=score)) for score in scores)
    record = replace(won_match(1, 2), moves=moves)
    found = decode_record(encode_record(record))
    assert [move.report and move.report.score for move in found.moves] == list(scores)


def test_the_dictionary_never_changes() -> None:
    digest = hashlib.sha256(DICTIONARY.read_bytes()).hexdigest()
    assert digest == "79e2333c9a822d1236ae4c196ab38ddba2de0836661ce708c9f2648141674523"


@pytest.mark.parametrize("read", [decode_record, decode_beginning])
@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x03",
        b"nonsense",
        b"\x01\0\0\0\0",
        b"\0\0\0\0\0",
        zlib.compress(b"[2]"),
    ],
)
def test_damage_is_said(data: bytes, read: object) -> None:
    with pytest.raises(ValueError, match="damaged match record"):
        read(data)  # type: ignore[operator]


@given(st.data())
def test_a_changed_byte_is_found(data: st.DataObject) -> None:
    whole = bytearray(encode_record(won_match(1, 2)))
    place = data.draw(st.integers(0, len(whole) - 1))
    whole[place] ^= data.draw(st.integers(1, 255))
    with pytest.raises(ValueError, match="damaged match record"):
        decode_record(bytes(whole))


def test_a_record_unpacks_to_so_much_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    data = encode_record(won_match(1, 2))
    monkeypatch.setattr(zstandard, "BYTES_MAX", 20)
    with pytest.raises(ValueError, match="not one whole frame of at most 20 bytes"):
        decode_record(data)


def test_a_later_form_is_not_guessed_at() -> None:
    with pytest.raises(ValueError, match="a newer botleague wrote it"):
        decode_record(bytes((FORM + 1,)) + encode_record(won_match(1, 2))[1:])
