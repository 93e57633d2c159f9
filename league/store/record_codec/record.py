"""Match records as stored in the database.

A record of form 3 is a byte with that number, four with the CRC-32 of the rest, then the rest: the
texts as deflated JSON and the numbers as encoded by `league.store.record_codec.entropy_coder`. The
encoding is lossless.
"""

import json
import struct
import zlib
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, TypeGuard

from games.support.moves import WireMove
from league.model.records import MatchRecord, MoveRecord, ReportRecord, Termination
from league.store.record_codec.columns import (
    pack_depths,
    pack_numbers,
    pack_scores,
    pack_times,
    unpack_depths,
    unpack_numbers,
    unpack_scores,
    unpack_times,
)
from league.store.record_codec.entropy_coder import Packer, Unpacker
from league.store.record_codec.legacy import FIRST_BYTE, decode_json
from league.store.record_codec.variations import Line, pack_lines, unpack_lines

FORM = 3
"""The first byte of every record, to distinguish it from later forms."""

_HEAD = struct.Struct(">BI")

_USUAL = (
    b'["chess",["tictactoe",["connectfour",['
    b'1],[0.5,0.5],"rules",[0.0,0.0],null,"","",null,[]]'
    b'2],[1.0,0.0],"rules",[1.0,-1.0],null,"","",null,[""]]'
    b'2],[0.0,1.0],"rules",[-1.0,1.0],null,"","",null,["compiled","lost, compiled","won, compiled"'
    b"]]"
)
"""Common texts of records, as a preset dictionary for deflate; changing it breaks old records."""

_NO_MORE = (None,) * 4

_LARGE = 1 << 63
"""Numbers in records are smaller; moves may be anything."""

_DAMAGE = (zlib.error, struct.error, LookupError, TypeError, ValueError)

Lines = Sequence[tuple[WireMove, ...]]


def encode_record(record: MatchRecord) -> bytes:
    """Encode a record; `decode_record` returns an equal one."""
    reports = [move.report for move in record.moves if move.report is not None]
    texts = sorted({report.text for report in reports})
    played = tuple(move.move for move in record.moves)
    lines = [record.opening, played, *(report.pv for report in reports)]
    names, (opening, *numbers) = _numbered(lines)
    told = [
        record.game,
        record.versions,
        record.scores,
        record.termination,
        record.utilities,
        record.fault_seat,
        record.detail,
        record.log,
        names,
        texts,
    ]
    packer = Packer()
    packer.numbers([record.seed, len(opening), len(played)])
    packer.numbers(opening)
    marks = [move.report is not None for move in record.moves]
    packer.choices(marks, 2)
    _pack_costs(packer, record)
    _pack_reports(packer, reports, len(record.versions), texts)
    plies = [ply for ply, mark in enumerate(marks) if mark]
    pack_lines(packer, numbers, plies, [report.depth or 0 for report in reports])
    # More memory would mostly be spent on clearing it.
    deflate = zlib.compressobj(9, wbits=-15, memLevel=1, zdict=_USUAL)
    body = deflate.compress(json.dumps(told, separators=(",", ":")).encode()) + deflate.flush()
    body += packer.data()
    return _HEAD.pack(FORM, zlib.crc32(body)) + body


def decode_record(data: bytes) -> MatchRecord:
    """Decode a record; raise `ValueError` if the bytes are no record."""
    try:
        if data[0] == FIRST_BYTE:
            return decode_json(data)
        return _decoded(*_opened(data))
    except _DAMAGE as error:
        raise ValueError(f"a damaged match record: {error}") from None


def decode_beginning(data: bytes) -> tuple[str, tuple[WireMove, ...]]:
    """Decode only a record's game and opening; raise `ValueError` if the bytes are no record."""
    try:
        if data[0] == FIRST_BYTE:
            record = decode_json(data)
            return record.game, record.opening
        told, source = _opened(data)
        _, begin, _ = source.numbers(3)
        return told[0], _named(source.numbers(begin), told[-2])
    except _DAMAGE as error:
        raise ValueError(f"a damaged match record: {error}") from None


def _opened(data: bytes) -> tuple[Sequence[Any], Unpacker]:
    form, check = _HEAD.unpack_from(data)
    if form > FORM:
        raise ValueError(f"a match record of form {form}: a newer botleague wrote it")
    body = data[_HEAD.size :]
    if form < FORM or zlib.crc32(body) != check:
        raise ValueError("its checksum does not fit")
    inflate = zlib.decompressobj(wbits=-15, zdict=_USUAL)
    told = json.loads(inflate.decompress(body))
    return told, Unpacker(inflate.unused_data)


def _named(line: Sequence[int], names: Sequence[WireMove] | None) -> tuple[WireMove, ...]:
    return tuple(line if names is None else [names[place] for place in line])


def _numbered(lines: Lines) -> tuple[list[WireMove] | None, Sequence[Line]]:
    """Return lines of indices and the moves they index; None if the moves are integers."""
    moves = list(dict.fromkeys(chain.from_iterable(lines)))
    if _are_numbers(lines, moves):
        return None, lines
    places = {move: place for place, move in enumerate(moves)}
    return moves, [tuple(places[move] for move in line) for line in lines]


def _are_numbers(lines: Lines, moves: Sequence[WireMove]) -> TypeGuard[Sequence[Line]]:
    return all(type(move) is int and abs(move) < _LARGE for move in moves)


def _decoded(told: Sequence[Any], source: Unpacker) -> MatchRecord:
    game, versions, scores, termination, utilities, fault_seat, detail, log, names, texts = told
    seed, begin, plies = source.numbers(3)
    opening = _named(source.numbers(begin), names)
    marks = source.choices(plies, 2)
    walls, idles, overs = (unpack_times(source, plies) for _ in range(3))
    rest_ns, fault_wall_ns, fault_cpu_ns = unpack_times(source, 3)
    told_at = [ply for ply, mark in enumerate(marks) if mark]
    columns = _unpack_reports(source, len(told_at), len(versions), texts)
    depths = [depth or 0 for depth in columns[0]]
    played, *expected = (
        _named(line, names) for line in unpack_lines(source, plies, told_at, depths)
    )
    reports = _reports(expected, columns)
    moves = tuple(
        MoveRecord(
            move,
            wall_ns=wall_ns or 0,
            cpu_ns=None if idle_ns is None else (wall_ns or 0) - idle_ns,
            over_ns=over_ns or 0,
            report=next(reports) if mark else None,
        )
        for mark, move, wall_ns, idle_ns, over_ns in zip(
            marks, played, walls, idles, overs, strict=True
        )
    )
    return MatchRecord(
        game=game,
        versions=tuple(versions),
        seed=seed,
        opening=opening,
        moves=moves,
        scores=tuple(scores),
        termination=Termination(termination),
        utilities=None if utilities is None else tuple(utilities),
        fault_seat=fault_seat,
        detail=detail,
        log=log,
        wall_ns=sum(move.wall_ns for move in moves) + (rest_ns or 0),
        fault_wall_ns=fault_wall_ns,
        fault_cpu_ns=fault_cpu_ns,
    )


def _pack_costs(packer: Packer, record: MatchRecord) -> None:
    moves = record.moves
    idle = [None if move.cpu_ns is None else move.wall_ns - move.cpu_ns for move in moves]
    rest_ns = record.wall_ns - sum(move.wall_ns for move in moves)
    pack_times(packer, [move.wall_ns for move in moves])
    pack_times(packer, idle)
    pack_times(packer, [move.over_ns or None for move in moves])
    pack_times(packer, [rest_ns, record.fault_wall_ns, record.fault_cpu_ns])


def _pack_reports(
    packer: Packer, reports: Sequence[ReportRecord], lag: int, texts: Sequence[str]
) -> None:
    pack_depths(packer, [report.depth for report in reports], lag)
    pack_numbers(packer, [report.nodes for report in reports])
    pack_scores(packer, [report.score for report in reports], lag)
    packer.choices([texts.index(report.text) for report in reports], len(texts))
    more = [(report.seldepth, report.nps, report.tbhits, report.mate) for report in reports]
    has_more = any(each != _NO_MORE for each in more)
    packer.choices([has_more], 2)
    if has_more:
        for column in zip(*more, strict=True):
            pack_numbers(packer, column)


def _unpack_reports(
    source: Unpacker, count: int, lag: int, texts: Sequence[str]
) -> list[Sequence[Any]]:
    columns: list[Sequence[Any]] = [
        unpack_depths(source, count, lag),
        unpack_numbers(source, count),
        unpack_scores(source, count, lag),
        [texts[place] for place in source.choices(count, len(texts))],
    ]
    has_more = source.choices(1, 2)[0]
    columns += [unpack_numbers(source, count) if has_more else [None] * count for _ in _NO_MORE]
    return columns


def _reports(variations: Lines, columns: Sequence[Sequence[Any]]) -> Iterator[ReportRecord]:
    for pv, depth, nodes, score, text, seldepth, nps, tbhits, mate in zip(
        variations, *columns, strict=True
    ):
        yield ReportRecord(
            depth=depth,
            nodes=nodes,
            score=score,
            pv=pv,
            text=text,
            seldepth=seldepth,
            nps=nps,
            tbhits=tbhits,
            mate=mate,
        )
