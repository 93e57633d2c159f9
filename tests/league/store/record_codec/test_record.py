"""Match records survive the database exactly, those of older leagues too."""

import base64
import hashlib
import json
import math
import zlib
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.model.records import MatchRecord, MoveRecord, ReportRecord, Termination
from league.store.record_codec.packed_match import PackedMatch
from league.store.record_codec.record import decode_beginning, decode_record, encode_record
from league.store.record_codec.zstandard import DICTIONARY
from tests.league.matches import records, won_match

OLD = (
    '[2,"connectfour",[1,2],77,[3],[1.0,0.0],"illegal move",null,1,"why","log",90,5,null,'
    '[["a",2],[7,8],[null,6],[0,1],[null,[4,20,-0.5,["a",2],"told",[9,null,null,-3]]]]]'
)
"""A record as the first versions wrote it."""

PAIRS = json.loads(Path(__file__).with_name("old_records.json").read_text())
"""Records of form 3 with the same ones in form 2, each as written by the version of its time."""


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


def test_the_first_form_has_no_fields_of_engines() -> None:
    (_, new), (_, old) = (
        decode_record(zlib.compress(text.encode())).moves
        for text in (OLD, OLD.replace("[2,", "[1,", 1).replace(",[9,null,null,-3]", ""))
    )
    assert new.report is not None
    assert old == replace(new, report=replace(new.report, seldepth=None, mate=None))


@pytest.mark.parametrize("place", range(len(PAIRS)))
def test_records_of_form_3_are_read(place: int) -> None:
    new, old = (base64.b64decode(PAIRS[place][form]) for form in ("form 3", "form 2"))
    record = decode_record(new)
    assert record == decode_record(old)
    assert decode_beginning(new) == (record.game, record.opening)
    assert decode_record(encode_record(record)) == record


@given(st.data())
def test_a_changed_byte_of_form_3_is_found(data: st.DataObject) -> None:
    whole = bytearray(base64.b64decode(data.draw(st.sampled_from(PAIRS))["form 3"]))
    whole[data.draw(st.integers(0, len(whole) - 1))] ^= data.draw(st.integers(1, 255))
    with pytest.raises(ValueError, match="damaged match record"):
        decode_record(bytes(whole))


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
        b"\x04\0\0\0\0",
        b"x\x9c\x03\x00\x00\x00\x00\x01",
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


def test_a_later_form_is_not_guessed_at() -> None:
    with pytest.raises(ValueError, match="a newer botleague wrote it"):
        decode_record(b"\x05" + encode_record(won_match(1, 2))[1:])
