"""Match records, scores and seatings as the database holds them."""

import json
import zlib
from collections.abc import Sequence
from typing import Any

from games.moves import WireMove
from league.records import MatchRecord, MoveRecord, ReportRecord, Termination

FORMAT = 2
"""The first value of every record, so that a later form can be told from this one.

Since 2 a report may have a sixth part with what only engines tell.
"""

_NO_MORE = [None] * 4


def encode_record(record: MatchRecord) -> bytes:
    """Pack a record: JSON by columns, compressed; `decode_record` gives back its equal."""
    moves = record.moves
    columns: list[Any] = [
        [move.move for move in moves],
        [move.wall_ns for move in moves],
        [move.cpu_ns for move in moves],
        [move.over_ns for move in moves],
        [_pack_report(move.report) for move in moves],
    ]
    whole = [
        FORMAT,
        record.game,
        record.versions,
        record.seed,
        record.opening,
        record.scores,
        record.termination,
        record.utilities,
        record.fault_seat,
        record.detail,
        record.log,
        record.wall_ns,
        record.fault_wall_ns,
        record.fault_cpu_ns,
        columns,
    ]
    return zlib.compress(json.dumps(whole, separators=(",", ":")).encode())


def decode_record(data: bytes) -> MatchRecord:
    """Unpack a record; raise `ValueError` when the bytes are no record."""
    try:
        whole = json.loads(zlib.decompress(data))
        if whole[0] > FORMAT:
            raise ValueError(f"a match record of form {whole[0]}: a newer botleague wrote it")
        _, game, versions, seed, opening, scores, termination, *rest = whole
        utilities, fault_seat, detail, log, wall_ns, fault_wall_ns, fault_cpu_ns, columns = rest
        return MatchRecord(
            game=game,
            versions=tuple(versions),
            seed=seed,
            opening=tuple(opening),
            moves=tuple(
                MoveRecord(move, wall, cpu, over, _unpack_report(report))
                for move, wall, cpu, over, report in zip(*columns, strict=True)
            ),
            scores=tuple(scores),
            termination=Termination(termination),
            utilities=None if utilities is None else tuple(utilities),
            fault_seat=fault_seat,
            detail=detail,
            log=log,
            wall_ns=wall_ns,
            fault_wall_ns=fault_wall_ns,
            fault_cpu_ns=fault_cpu_ns,
        )
    except (zlib.error, IndexError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"a damaged match record: {error}") from None


def encode_scores(scores: Sequence[float]) -> str:
    """Write scores as short as they can be read back exactly: "1,0", "0.5,0.5"."""
    return ",".join(str(int(score)) if score in (0, 1) else repr(score) for score in scores)


def decode_scores(text: str) -> tuple[float, ...]:
    """Read scores that `encode_scores` wrote."""
    return tuple(float(part) for part in text.split(","))


def encode_seating(versions: Sequence[int]) -> str:
    """Write version ids by seat: "3,7"."""
    return ",".join(map(str, versions))


def decode_seating(text: str) -> tuple[int, ...]:
    """Read version ids that `encode_seating` wrote."""
    return tuple(map(int, text.split(",")))


def decode_beginning(data: bytes) -> tuple[str, tuple[WireMove, ...]]:
    """Read of a record only its game and its opening; raise `ValueError` for no record."""
    try:
        whole = json.loads(zlib.decompress(data))
        return whole[1], tuple(whole[4])
    except (zlib.error, IndexError, TypeError, ValueError) as error:
        raise ValueError(f"a damaged match record: {error}") from None


def _pack_report(report: ReportRecord | None) -> list[Any] | None:
    if report is None:
        return None
    packed = [report.depth, report.nodes, report.score, report.pv, report.text]
    more = [report.seldepth, report.nps, report.tbhits, report.mate]
    return packed if more == _NO_MORE else [*packed, more]


def _unpack_report(packed: list[Any] | None) -> ReportRecord | None:
    if packed is None:
        return None
    depth, nodes, score, pv, text, *rest = packed
    more = rest[0] if rest else ()
    return ReportRecord(depth, nodes, score, tuple(pv), text, *more)
