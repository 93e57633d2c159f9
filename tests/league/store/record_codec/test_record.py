"""Match records survive the database exactly, those of older leagues too."""

import zlib
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.model.records import MatchRecord, MoveRecord, ReportRecord, Termination
from league.store.record_codec.packed_match import PackedMatch
from league.store.record_codec.record import decode_beginning, decode_record, encode_record
from tests.league.matches import records, won_match

OLD = (
    '[2,"connectfour",[1,2],77,[3],[1.0,0.0],"illegal move",null,1,"why","log",90,5,null,'
    '[["a",2],[7,8],[null,6],[0,1],[null,[4,20,-0.5,["a",2],"told",[9,null,null,-3]]]]]'
)
"""A record as the first versions wrote it."""


@given(records)
def test_a_record_round_trips(record: MatchRecord) -> None:
    data = encode_record(record)
    assert decode_record(data) == record
    assert decode_beginning(data) == (record.game, record.opening)
    packed = PackedMatch.of(record)
    assert (packed.data, packed.record()) == (data, record)


@given(st.lists(st.integers() | st.sampled_from([10**400, -(2**63), "x", "1"]), max_size=6))
def test_what_bots_call_moves_may_be_anything(pv: list[int | str]) -> None:
    told = MoveRecord(3, wall_ns=10, cpu_ns=None, over_ns=0, report=ReportRecord(pv=tuple(pv)))
    record = replace(won_match(1, 2), moves=(told, MoveRecord(1), told))
    assert decode_record(encode_record(record)) == record


@pytest.mark.parametrize(
    "scores", [(0.1, 0.25, -3.0), (1e300, 5e-324, -0.1), (0.5, None, -0.5), (2.0**52, 1.0, 0.1)]
)
def test_scores_keep_every_bit(scores: tuple[float | None, ...]) -> None:
    moves = tuple(MoveRecord(3, report=ReportRecord(score=score)) for score in scores)
    record = replace(won_match(1, 2), moves=moves)
    found = decode_record(encode_record(record))
    assert [move.report and move.report.score for move in found.moves] == list(scores)


def test_records_of_older_leagues_are_read() -> None:
    data = zlib.compress(OLD.encode())
    report = ReportRecord(
        depth=4,
        nodes=20,
        score=-0.5,
        pv=("a", 2),
        text="told",
        seldepth=9,
        nps=None,
        tbhits=None,
        mate=-3,
    )
    assert decode_record(data) == MatchRecord(
        game="connectfour",
        versions=(1, 2),
        seed=77,
        opening=(3,),
        moves=(
            MoveRecord("a", wall_ns=7),
            MoveRecord(2, wall_ns=8, cpu_ns=6, over_ns=1, report=report),
        ),
        scores=(1.0, 0.0),
        termination=Termination.ILLEGAL_MOVE,
        fault_seat=1,
        detail="why",
        log="log",
        wall_ns=90,
        fault_wall_ns=5,
    )
    assert decode_beginning(data) == ("connectfour", (3,))


@pytest.mark.parametrize("read", [decode_record, decode_beginning])
@pytest.mark.parametrize(
    "data",
    [b"", b"\x03", b"nonsense", b"x\x9c\x03\x00\x00\x00\x00\x01", zlib.compress(b"[2]")],
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


def test_a_later_form_is_not_guessed_at() -> None:
    with pytest.raises(ValueError, match="a newer botleague wrote it"):
        decode_record(b"\x04" + encode_record(won_match(1, 2))[1:])
