"""Records of forms 1 and 2 of older leagues: compressed JSON, with engine-only fields from 2 on."""

import json
import zlib
from typing import Any

from league.model.records import MatchRecord, MoveRecord, ReportRecord, Termination

FIRST_BYTE = 0x78
"""The first byte of a zlib stream."""


def decode_json(data: bytes) -> MatchRecord:
    """Unpack a record; damaged data may raise any exception."""
    whole = json.loads(zlib.decompress(data))
    _, game, versions, seed, opening, scores, termination, *rest = whole
    utilities, fault_seat, detail, log, wall_ns, fault_wall_ns, fault_cpu_ns, columns = rest
    return MatchRecord(
        game=game,
        versions=tuple(versions),
        seed=seed,
        opening=tuple(opening),
        moves=tuple(
            MoveRecord(move, wall_ns=wall, cpu_ns=cpu, over_ns=over, report=_report(packed))
            for move, wall, cpu, over, packed in zip(*columns, strict=True)
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


def _report(packed: list[Any] | None) -> ReportRecord | None:
    if packed is None:
        return None
    depth, nodes, score, pv, text, *rest = packed
    seldepth, nps, tbhits, mate = rest[0] if rest else (None,) * 4
    return ReportRecord(
        depth=depth,
        nodes=nodes,
        score=score,
        pv=tuple(pv),
        text=text,
        seldepth=seldepth,
        nps=nps,
        tbhits=tbhits,
        mate=mate,
    )
