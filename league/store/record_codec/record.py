"""Match records as stored in the database: the blob beside the line of moves that people read.

A blob is a byte with the number of its form, four with the CRC-32 of the rest, then the columns of
the record, compressed with Zstandard. It has the moves too, so that reading needs no rules. The
encoding is lossless. The last columns are left out where no move has such values.
"""

import struct
import zlib
from collections.abc import Iterator, Sequence
from itertools import accumulate, repeat
from math import gcd
from operator import attrgetter, ne, sub
from typing import Any

from games.support.moves import WireMove
from league.model.records import (
    TICK_NS,
    MatchRecord,
    MoveFault,
    MoveRecord,
    ReportRecord,
    Termination,
    filled,
)
from league.store.record_codec.columns import ColumnReader, encode_column
from league.store.record_codec.zstandard import compress, decompress

FORM = 1
"""The first byte of every record, to distinguish it from later forms."""

_HEAD = struct.Struct(">BI")

_SCALES = (1, 100, 10_000)
"""Most scores are whole multiples of one of these fractions."""

_DAMAGE = (zlib.error, struct.error, LookupError, TypeError, ValueError)

_TOLD = 8
"""The first so many values of a record are those that `_made` takes together."""

_COSTS = "wall_ns", "cpu_ns", "over_ns"
_COUNTS = "depth", "nodes", "seldepth", "nps", "tbhits", "mate"
_RARE = "hashfull", "time_ms"

_MS_NS = 1_000_000


def encode_record(record: MatchRecord) -> bytes:
    """Encode a record without its `notation`."""
    body = compress(record_columns(record))
    return _HEAD.pack(FORM, zlib.crc32(body)) + body


def record_columns(record: MatchRecord) -> bytes:
    """Return what `encode_record` compresses."""
    return b"".join(map(encode_column, _columns(record)))


def decode_record(data: bytes, notation: str = "") -> MatchRecord:
    """Decode a record; raise `ValueError` if the bytes are no record."""
    try:
        return _decoded(_opened(data), notation)
    except _DAMAGE as error:
        raise ValueError(f"a damaged match record: {error}") from None


def decode_beginning(data: bytes) -> tuple[str, tuple[WireMove, ...]]:
    """Decode only a record's game and opening; raise `ValueError` if the bytes are no record."""
    try:
        source = _opened(data)
        head = source.next(0)
        return head[0], tuple(source.next(head[_TOLD]))
    except _DAMAGE as error:
        raise ValueError(f"a damaged match record: {error}") from None


def _opened(data: bytes) -> ColumnReader:
    form, check = _HEAD.unpack_from(data)
    if form > FORM:
        raise ValueError(f"a match record of form {form}: a newer botleague wrote it")
    body = data[_HEAD.size :]
    if form != FORM or zlib.crc32(body) != check:
        raise ValueError("its checksum does not fit")
    return ColumnReader(decompress(body))


def _columns(record: MatchRecord) -> Iterator[Sequence[Any]]:
    moves, played = record.moves, [move.move for move in record.moves]
    reports = [move.report for move in moves if move.report is not None]
    texts = list(dict.fromkeys(report.text for report in reports))
    scale, lag, scores = _whole([report.score for report in reports], len(record.versions))
    walls, cpus, overs = _fields(moves, *_COSTS)
    unit = TICK_NS if gcd(*walls, *overs, *(cpu or 0 for cpu in cpus)) % TICK_NS == 0 else 1
    yield [
        *(record.game, record.versions, record.scores, record.termination, record.utilities),
        *(record.fault_seat, record.detail, record.log),
        *(len(record.opening), len(moves), len(reports), texts, unit, scale, lag, record.seed),
        *(record.wall_ns - sum(walls), record.fault_wall_ns, record.fault_cpu_ns),
    ]
    yield record.opening
    yield played
    yield [wall // unit for wall in walls]
    # Most bots compute all the while: the difference is small.
    pairs = zip(walls, cpus, strict=True)
    yield [None if cpu is None else (wall - cpu) // unit for wall, cpu in pairs]
    yield [over // unit for over in overs]
    yield [move.report is not None for move in moves]
    yield from _fields(reports, *_COUNTS)
    yield scores
    yield [texts.index(report.text) for report in reports]
    yield from _lines(moves, played)
    full, times = _fields(reports, *_RARE)
    faults = [(ply, *move.fault) for ply, move in enumerate(moves) if move.fault]
    if faults or any(value is not None for value in (*full, *times)):
        yield full
        # The bot's clock shows about the time that the referee measures.
        pairs = zip([move.wall_ns for move in moves if move.report is not None], times, strict=True)
        yield [None if time is None else wall // _MS_NS - time for wall, time in pairs]
    if faults:
        yield faults


def _decoded(source: ColumnReader, notation: str) -> MatchRecord:
    head = source.next(0)
    ending, rest = head[:_TOLD], head[_TOLD:]
    begin, plies, told, texts, unit, scale, lag, seed, rest_ns, *faults_ns = rest
    opening, played, walls, idle, overs, marks = map(source.next, (begin, *repeat(plies, 5)))
    walls = [wall * unit for wall in walls]
    counts = [source.next(told) for _ in _COUNTS]
    values = _floats(source.next(told), scale, lag)
    texts = [texts[place] for place in source.next(told)]
    plies_told = [ply for ply, mark in enumerate(marks) if mark]
    lines = list(_variations(source, played, plies_told))
    full, times = [None] * told, [None] * told
    if not source.is_spent:
        full, lags = source.next(told), source.next(told)
        pairs = zip([walls[ply] for ply in plies_told], lags, strict=True)
        times = [None if lag is None else wall // _MS_NS - lag for wall, lag in pairs]
    faults: list[MoveFault | None] = [None] * plies
    if not source.is_spent:
        for ply, seat, kind, detail in source.next(plies):
            faults[ply] = MoveFault(seat, Termination(kind), detail)
    reports = iter(
        filled(
            ReportRecord,
            told,
            (*_COUNTS, "score", "text", "pv", *_RARE),
            (*counts, values, texts, lines, full, times),
        )
    )
    spared = zip(walls, idle, strict=True)
    cpus = [None if spare is None else wall - spare * unit for wall, spare in spared]
    overs = [over * unit for over in overs]
    moves = filled(
        MoveRecord,
        plies,
        ("move", *_COSTS, "report", "fault"),
        (played, walls, cpus, overs, [next(reports) if mark else None for mark in marks], faults),
    )
    times_ns = sum(walls) + rest_ns, *faults_ns
    return _made(ending, seed, opening, moves, times_ns, notation)


def _made(
    told: Sequence[Any],
    seed: int,
    opening: Sequence[WireMove],
    moves: Sequence[MoveRecord],
    times_ns: Sequence[Any],
    notation: str,
) -> MatchRecord:
    """Return the record of what is stored; `told` are its fields from game to log."""
    game, versions, scores, termination, utilities, fault_seat, detail, log = told
    return MatchRecord(
        game=game,
        versions=tuple(versions),
        seed=seed,
        opening=tuple(opening),
        moves=tuple(moves),
        scores=tuple(scores),
        termination=Termination(termination),
        utilities=None if utilities is None else tuple(utilities),
        fault_seat=fault_seat,
        detail=detail,
        log=log,
        wall_ns=times_ns[0],
        fault_wall_ns=times_ns[1],
        fault_cpu_ns=times_ns[2],
        notation=notation,
    )


def _fields(rows: Sequence[Any], *names: str) -> Sequence[Sequence[Any]]:
    """Return a column for each name."""
    return list(zip(*map(attrgetter(*names), rows), strict=True)) or [()] * len(names)


def _whole(scores: Sequence[float | None], seats: int) -> tuple[int, int, Sequence[Any]]:
    """Return scores as integers, with their scale, 0 if they are none, and a lag.

    Each is the change since the score `lag` before it, most often the last one of its seat.
    """
    known = [score for score in scores if score is not None]
    try:
        for scale in _SCALES:
            whole = [round(score * scale) for score in known]
            if [value / scale for value in whole] == known:
                break
        else:
            return 0, 0, scores
    except (OverflowError, ValueError):
        return 0, 0, scores
    lag = seats if len(known) == len(scores) else 1
    changes = iter([*whole[:lag], *map(sub, whole[lag:], whole)])
    return scale, lag, [None if score is None else next(changes) for score in scores]


def _floats(values: Sequence[Any], scale: int, lag: int) -> Sequence[float | None]:
    """Return the scores of `_whole`."""
    if not scale:
        return values
    whole = [value for value in values if value is not None]
    for first in range(lag):
        whole[first::lag] = accumulate(whole[first::lag])
    rest = iter(whole)
    return [None if value is None else next(rest) / scale for value in values]


def _lines(moves: Sequence[MoveRecord], played: Sequence[WireMove]) -> Iterator[Sequence[Any]]:
    """Yield the length of each variation, how many of its moves were played, and the others."""
    lengths, shared, others = [], [], list[WireMove]()
    for ply, move in enumerate(moves):
        if move.report is not None:
            line = move.report.pv
            differ = [*map(ne, line, played[ply:]), True]
            same = differ.index(True)
            lengths.append(len(line))
            shared.append(same)
            others += line[same:]
    yield lengths
    yield shared
    yield others


def _variations(
    source: ColumnReader, played: Sequence[WireMove], plies: Sequence[int]
) -> Iterator[tuple[WireMove, ...]]:
    lengths, shared = source.next(len(plies)), source.next(len(plies))
    others = source.next(sum(lengths) - sum(shared))
    at = 0
    for ply, length, same in zip(plies, lengths, shared, strict=True):
        end = at + length - same
        yield (*played[ply : ply + same], *others[at:end])
        at = end
