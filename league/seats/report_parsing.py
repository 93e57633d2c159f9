"""Parsing the reports in bots' messages."""

import math
from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from typing import Any

from bots.support.bot import PV_MAX, TEXT_MAX
from games.support.errors import MoveError
from games.support.game import Move, State
from games.support.moves import WireMove, encode_move
from league.model.records import ReportRecord


def report_of(message: Mapping[str, Any]) -> ReportRecord | None:
    """Return the valid parts of a message's report, ignoring others; `pv` is not checked."""
    report = message.get("report")
    if not isinstance(report, dict):
        return None
    pv = report.get("pv")
    line = pv[:PV_MAX] if isinstance(pv, list) else []
    text = report.get("text")
    return ReportRecord(
        depth=_count(report.get("depth")),
        nodes=_count(report.get("nodes")),
        score=_score(report.get("score")),
        pv=tuple(line) if all(type(each) in (int, str) for each in line) else (),
        text=text[:TEXT_MAX] if isinstance(text, str) else "",
    )


def legal_line(
    state: State, texts: Iterable[str], read: Callable[[State, str], Move]
) -> tuple[WireMove, ...]:
    """Return the legal prefix of a variation from `state` in stored form.

    `read` parses one move, and raises `MoveError` unless it is legal.
    """
    line: list[WireMove] = []
    for text in islice(texts, PV_MAX):
        try:
            move = read(state, text)
        except MoveError:
            break
        line.append(encode_move(state, move))
        state = state.play(move)
    return tuple(line)


def _count(value: object) -> int | None:
    return value if type(value) is int and 0 <= value < 1 << 63 else None


def _score(value: object) -> float | None:
    if type(value) not in (int, float):
        return None
    try:
        score = float(value)  # type: ignore[arg-type]  # an int or a float, as asked above
    except OverflowError:
        return None
    return score if math.isfinite(score) else None
