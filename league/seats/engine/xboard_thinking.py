"""Parsing an xboard engine's thinking output: depth, score, time, nodes and moves."""

import re
from collections.abc import Iterable
from math import copysign

from games.support.game import State
from league.model.records import ReportRecord
from league.seats.engine.uci_info import MATE
from league.seats.report_parsing import legal_line

KEPT_LINES = 32
"""Number of an engine's last lines about a move that are kept for its report."""

KEPT_CHARACTERS = 4096
"""Size limit of each of these lines."""

_THOUGHT = re.compile(
    r"\s*([0-9]{1,3})[.&+-]?\s+([+-]?[0-9]{1,9})\s+[0-9]{1,12}\s+([0-9]{1,18})(?:\s+(.*))?$"
)
# Move numbers, anything in brackets, and annotation signs after a move. No part of a line is read
# from more than one place: lines are long.
_CLUTTER = re.compile(
    r"\{[^{}]*\}|\([^()]*\)|<[^<>]*>|\[[^\[\]]*\]|\b[0-9]+\.+|\.{2,}|(?<![!?])[!?]+(?=\s|$)"
)
_MATES = 100_000
_MATE_MAX = 1000


def report_of(state: State, lines: Iterable[str]) -> ReportRecord | None:
    """Return a report from the newest thinking line; None if there is none.

    Scores are in centipawns from the engine's view; 100,000 + n is a mate in n moves.
    """
    for line in reversed(tuple(lines)):
        found = _THOUGHT.match(line)
        if found is None:
            continue
        depth, score, nodes = (int(each) for each in found.groups()[:3])
        mate = abs(score) - _MATES
        is_mate = 0 <= mate < _MATE_MAX
        return ReportRecord(
            depth=depth,
            nodes=nodes,
            score=copysign(MATE, score) if is_mate else score / 100,
            mate=int(copysign(mate, score)) if is_mate else None,
            pv=legal_line(
                state,
                _CLUTTER.sub(" ", found[4] or "").split(),
                lambda at, text: at.parse(text),
            ),
        )
    return None
