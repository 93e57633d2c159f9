"""Parsing the `info` lines of UCI engines into a report."""

import re
from math import copysign

from games.support.game import State
from league.model.records import ReportRecord
from league.seats.report_parsing import legal_line

MATE = 1000.0
"""The score of a mate in pawns, as in the built-in evaluations of chess."""

_COUNT = re.compile(r" (depth|seldepth|nodes|nps|tbhits) ([0-9]{1,18})(?= |$)")
_SCORE = re.compile(r" score (cp|mate) ([+-]?[0-9]{1,9})(?= |$)")
_SECOND = re.compile(r" multipv (?!1 )[0-9]+")


class SearchInfo:
    """Keeps the last `info` lines of a search, without bounds and secondary variations."""

    def __init__(self) -> None:
        self._scored = ""
        self._counted = ""

    def add(self, line: str) -> None:
        """Keep a line, replacing an earlier one."""
        if line.startswith("info string"):
            return
        is_scored = " score " in line and "bound" not in line
        if is_scored and not (" multipv " in line and _SECOND.search(line)):
            self._scored = line
        if " nodes " in line:
            self._counted = line

    def report(self, state: State) -> ReportRecord | None:
        """Return the report on the search of `state`; None if there is none."""
        if not self._scored and not self._counted:
            return None
        head, _, line = self._scored.partition(" pv ")
        counts = dict(_COUNT.findall(head))
        # Later lines count more nodes, but at the depth of an unfinished search.
        later = dict(_COUNT.findall(self._counted.partition(" pv ")[0]))
        if counts:
            later.pop("depth", None)
        known = {name: int(count) for name, count in {**counts, **later}.items()}
        score, mate = _score(head)
        return ReportRecord(
            depth=known.get("depth"),
            nodes=known.get("nodes"),
            score=score,
            pv=legal_line(state, line.split(), lambda at, text: at.decode(text)),
            seldepth=known.get("seldepth"),
            nps=known.get("nps"),
            tbhits=known.get("tbhits"),
            mate=mate,
        )


def _score(head: str) -> tuple[float | None, int | None]:
    """Return the score in pawns, and the moves to mate (negative if the mover is mated)."""
    found = _SCORE.search(head)
    if found is None:
        return None, None
    kind, number = found[1], int(found[2])
    if kind == "cp":
        return number / 100, None
    # An engine that is already mated reports mate 0.
    return copysign(MATE, number or -1), number
