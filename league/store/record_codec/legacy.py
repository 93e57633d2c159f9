"""Records of older leagues, which are only read.

Forms 1 and 2 are compressed JSON. Form 3 has its texts as deflated JSON, and its numbers in
asymmetric numeral systems (Duda 2013, arXiv:1311.2540) under models that adapt to each column.
"""

import json
import struct
import zlib
from collections.abc import Sequence
from typing import Any

from games.support.moves import WireMove
from league.model.records import MatchRecord, MoveRecord, ReportRecord, Termination

_ZLIB = 0x78
"""The first byte of forms 1 and 2."""

_FORM = 3

_HEAD = struct.Struct(">BI")

_USUAL = (
    b'["chess",["tictactoe",["connectfour",['
    b'1],[0.5,0.5],"rules",[0.0,0.0],null,"","",null,[]]'
    b'2],[1.0,0.0],"rules",[1.0,-1.0],null,"","",null,[""]]'
    b'2],[0.0,1.0],"rules",[-1.0,1.0],null,"","",null,["compiled","lost, compiled","won, compiled"'
    b"]]"
)
"""The preset dictionary of form 3's texts."""

_BLOCK = 500
"""Steps per big number."""

_STEP, _NEAR = 32, 10
"""Weight added to the value seen, and to lengths one bit more or less."""

_LENGTHS = [4] * 14 + [2] * 10 + [1] * 44
"""Initial weight of each bit length from 0; the last is a sentinel."""

_UNITS_NS = (10_000, 1000, 1)
_SCALES = (1, 10, 100, 1000, 10_000)

_FIELDS = ("depth", "nodes", "score", "pv", "text", "seldepth", "nps", "tbhits", "mate")
_FIELDS_1 = 5


def decode_old(data: bytes) -> MatchRecord:
    """Decode a record of form 1, 2 or 3; damaged data may raise any exception."""
    if data[0] == _ZLIB:
        return _decode_json(data)
    form, check = _HEAD.unpack_from(data)
    if form > _FORM + 1:
        raise ValueError(f"a match record of form {form}: a newer botleague wrote it")
    body = data[_HEAD.size :]
    if form != _FORM or zlib.crc32(body) != check:
        raise ValueError("its checksum does not fit")
    inflate = zlib.decompressobj(wbits=-15, zdict=_USUAL)
    told = json.loads(inflate.decompress(body))
    return _decode_numbers(told, _Columns(inflate.unused_data))


def _decode_json(data: bytes) -> MatchRecord:
    _, game, versions, seed, opening, *ending = json.loads(zlib.decompress(data))
    *ending, wall_ns, fault_wall_ns, fault_cpu_ns, columns = ending
    moves = [
        MoveRecord(move, wall_ns=wall, cpu_ns=cpu, over_ns=over, report=report and _report(*report))
        for move, wall, cpu, over, report in zip(*columns, strict=True)
    ]
    times_ns = wall_ns, fault_wall_ns, fault_cpu_ns
    return make_record([game, versions, *ending], seed, opening, moves, times_ns)


def _report(*values: Any) -> ReportRecord:
    """Return a report of the fields of form 1, then none or a sequence of the others."""
    *told, own = values if len(values) == _FIELDS_1 + 1 else (*values, ())
    named: dict[str, Any] = dict(zip(_FIELDS, [*told, *own], strict=False))
    return ReportRecord(**{**named, "pv": tuple(named["pv"])})


def make_record(
    told: Sequence[Any],
    seed: int,
    opening: Sequence[WireMove],
    moves: Sequence[MoveRecord],
    times_ns: Sequence[Any],
    notation: str | None = None,
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


def _decode_numbers(told: Sequence[Any], source: "_Columns") -> MatchRecord:
    *told, names, texts = told
    seats = len(told[1])

    def named(line: Sequence[int]) -> Sequence[WireMove]:
        return line if names is None else [names[place] for place in line]

    seed, begin, plies = source.numbers(3)
    opening = source.numbers(begin)
    marks = source.choices(plies, 2)
    walls, idles, overs = (source.times(plies) for _ in range(3))
    rest_ns, *faults_ns = source.times(3)
    told_at = [ply for ply, mark in enumerate(marks) if mark]
    count = len(told_at)
    depths, nodes = source.depths(count, seats), source.known_numbers(count)
    scores, places = source.scores(count, seats), source.choices(count, len(texts))
    has_more = source.choices(1, 2)[0]
    more = [source.known_numbers(count) if has_more else [None] * count for _ in range(4)]
    played, *lines = source.lines(plies, told_at, [depth or 0 for depth in depths])
    told_texts = [texts[place] for place in places]
    columns = zip(
        depths, nodes, scores, map(named, lines), told_texts, zip(*more, strict=True), strict=True
    )
    reports = iter([_report(*row) for row in columns])
    moves = [
        MoveRecord(
            move,
            wall_ns=wall or 0,
            cpu_ns=None if idle is None else (wall or 0) - idle,
            over_ns=over or 0,
            report=next(reports) if mark else None,
        )
        for move, mark, wall, idle, over in zip(
            named(played), marks, walls, idles, overs, strict=True
        )
    ]
    wall_ns = sum(move.wall_ns for move in moves) + (rest_ns or 0)
    return make_record(told, seed, named(opening), moves, (wall_ns, *faults_ns))


class _Columns:
    """Decodes the columns of form 3 in order; raises `ValueError` past the end."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0
        self._left = 0
        self._state = 0

    def choices(self, count: int, size: int) -> list[int]:
        """Return the next `count` numbers from 0 to `size` - 1."""
        if size < 2:
            return [0] * count
        weights = [_STEP] * size
        found = []
        for _ in range(count):
            found.append(self._choice(weights))
            weights[found[-1]] += _STEP
        return found

    def numbers(self, count: int) -> list[int]:
        """Return the next `count` signed numbers."""
        if not count:
            return []
        is_signed = self._even(2)
        weights = _LENGTHS.copy()
        found = []
        for _ in range(count):
            length = self._choice(weights)
            weights[length] += _STEP
            weights[length + 1] += _NEAR
            if not length:
                found.append(0)
                continue
            weights[length - 1] += _NEAR
            top = 1 << (length - 1)
            part = self._even(top << is_signed)
            found.append(top + part if not is_signed else part if part >= top else -part - top)
        return found

    def known_numbers(self, count: int) -> list[int | None]:
        known = self._known(count)
        rest = iter(self.numbers(sum(known)))
        return [next(rest) if is_known else None for is_known in known]

    def times(self, count: int) -> list[int | None]:
        unit = _UNITS_NS[self.choices(1, len(_UNITS_NS))[0]]
        return [None if time is None else time * unit for time in self.known_numbers(count)]

    def depths(self, count: int, lag: int) -> list[int | None]:
        known = self._known(count)
        rests = [iter(self._repeated(sum(known[seat::lag]))) for seat in range(lag)]
        return [next(rests[at % lag]) if is_known else None for at, is_known in enumerate(known)]

    def scores(self, count: int, lag: int) -> list[float | None]:
        known = self._known(count)
        (scale,) = self.choices(1, len(_SCALES) + 1)
        sign, back = ((-1, 1), (1, lag))[self.choices(1, 2)[0]]
        whole: list[int] = []
        for index, far in enumerate(self.numbers(sum(known))):
            whole.append(far + (sign * whole[index - back] if index >= back else 0))
        rest = iter(whole)
        return [_score(next(rest), scale) if is_known else None for is_known in known]

    def lines(self, count: int, plies: Sequence[int], usual: Sequence[int]) -> list[Sequence[int]]:
        """Return the first `count` moves of the match, then the variations at `plies`.

        A variation begins as the moves played, or as the variation of one or two plies before.
        """
        more = self._repeated(len(plies))
        guesses = self.choices(len(plies), 3)
        fresh = self._repeated(len(plies))
        values = self._repeated(count + sum(fresh))
        moves, at = values[:count], count
        before: dict[int, Sequence[int]] = {}
        for index, ply in enumerate(plies):
            old = usual[index] + more[index] - fresh[index]
            ways = moves[ply:], before.get(ply - 1, ())[1:], before.get(ply - 2, ())[2:]
            before[ply] = (*ways[guesses[index]][:old], *values[at : at + fresh[index]])
            at += fresh[index]
        return [moves, *before.values()]

    def _repeated(self, count: int) -> list[int]:
        if not count:
            return []
        (size,) = self.numbers(1)
        values = self.numbers(size)
        return [values[place] for place in self.choices(count, size)]

    def _known(self, count: int) -> list[bool]:
        kind = self.choices(1, 3)[0]
        return [mark == 1 for mark in self.choices(count, 2)] if kind == 1 else [kind == 2] * count

    def _choice(self, weights: Sequence[int]) -> int:
        self._step()
        whole, place = divmod(self._state, sum(weights))
        value = 0
        while place >= weights[value]:
            place -= weights[value]
            value += 1
        self._state = whole * weights[value] + place
        return value

    def _even(self, total: int) -> int:
        if total == 1:
            return 0
        self._step()
        self._state, value = divmod(self._state, total)
        return value

    def _step(self) -> None:
        if not self._left:
            begin = self._at + 2
            self._at = begin + int.from_bytes(self._data[self._at : begin], "big")
            if len(self._data) < max(begin, self._at):
                raise ValueError("it ends too soon")
            self._state = int.from_bytes(self._data[begin : self._at], "big")
            self._left = _BLOCK
        self._left -= 1


def _score(whole: int, scale: int) -> float:
    if scale < len(_SCALES):
        return whole / _SCALES[scale]
    found: float = struct.unpack(">d", whole.to_bytes(8, "big", signed=True))[0]
    return found
