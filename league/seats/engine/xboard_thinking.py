"""What xboard engines tell while they think: lines of depth, score, time, nodes and moves."""

import re
from collections.abc import Iterable
from math import copysign

from games.support.game import State
from league.model.records import ReportRecord
from league.seats.engine.uci_info import MATE
from league.seats.report_parsing import legal_line

KEPT_LINES = 32
"""How many of the last lines that an engine said on a move are kept for its report."""

_THOUGHT = re.compile(
    r"\s*([0-9]{1,3})[.&+-]?\s+([+-]?[0-9]{1,9})\s+[0-9]{1,12}\s+([0-9]{1,18})(?:\s+(.*))?$"
)
# Numbers of moves, what stands in brackets, and signs behind a move.
_CLUTTER = re.compile(r"\{[^}]*\}|\([^)]*\)|<[^>]*>|\[[^\]]*\]|\b[0-9]+\.+|\.{2,}|[!?]+(?=\s|$)")
_MATES = 100_000
_MATE_MAX = 1000


def report_of(state: State, lines: Iterable[str]) -> ReportRecord | None:
    """Make a report of the newest line that tells a thought on `state`; None where none does.

    Scores are in hundredths of a pawn from the engine's point of view, and 100,000 and so many are
    a mate in so many moves.
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
