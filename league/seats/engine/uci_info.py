"""Parsing the `info` lines of UCI engines into a report."""

from collections.abc import Callable, Sequence
from math import copysign
from typing import Any

from bots.support.bot import PV_MAX
from games.chess.rules import moves_of
from games.support.moves import WireMove
from league.model.records import ReportRecord

MATE = 1000.0
"""The score of a mate in pawns, as in the built-in evaluations of chess."""

_COUNTS = {
    **{word: word for word in ("depth", "seldepth", "nodes", "nps", "tbhits", "hashfull")},
    "time": "time_ms",
}
"""The words before a number, and the fields of a report."""

LINES_MAX = 1000
"""So many lines of a search are kept until somebody looks which ones count."""

_COUNT_MAX, _SCORE_MAX = 18, 9
"""The most digits of a number."""


class SearchInfo:
    """Keeps the last `info` lines of a search, without bounds and secondary variations.

    Only the lines that are kept in the end are parsed.
    """

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Forget the last search."""
        self._lines: list[bytes] = []
        self._scored = self._counted = b""

    def add(self, line: bytes) -> None:
        """Take a line that begins with `info`."""
        self._lines.append(line)
        if len(self._lines) > LINES_MAX:
            self._sift()

    def _sift(self) -> None:
        """Keep the last line with a score and the last one with nodes."""
        scored = counted = b""
        for line in reversed(self._lines):
            if b"\t" in line or b"  " in line:
                # Any blanks separate words.
                line = b" ".join(line.split())
            if line.startswith(b"info string"):
                continue
            is_second = b" multipv " in line and b" multipv 1 " not in line
            if not scored and b" score " in line and not is_second and b"bound" not in line:
                scored = line
            if not counted and b" nodes " in line:
                counted = line
            if scored and counted:
                break
        self._lines = []
        self._scored, self._counted = scored or self._scored, counted or self._counted

    def report(
        self, read: Callable[[Sequence[str]], tuple[WireMove, ...]] = moves_of
    ) -> ReportRecord | None:
        """Return the report on the search; None if there is none.

        `read` makes moves of the expected line. By default nobody asks whether they are legal:
        that takes longer than all else, and whoever reads a record asks.
        """
        self._sift()
        scored, counted = self._scored, self._counted
        if not scored and not counted:
            return None
        head, _, line = scored.decode("ascii", "replace").partition(" pv ")
        counts, score, mate = _read(head)
        if counted is not scored:
            # Later lines count more nodes, but at the depth of an unfinished search.
            later, _, _ = _read(counted.decode("ascii", "replace").partition(" pv ")[0])
            if counts:
                later.pop("depth", None)
            counts |= later
        moves = read(line.split(None, PV_MAX)[:PV_MAX]) if line else ()
        return ReportRecord(score=score, mate=mate, pv=moves, **counts)


def _read(head: str) -> tuple[dict[str, Any], float | None, int | None]:
    """Return the counts, the score in pawns, and the moves to mate (negative for the mover's)."""
    counts: dict[str, Any] = {}
    score = mate = None
    words = iter(head.split())
    for word in words:
        if name := _COUNTS.get(word):
            text = next(words, "")
            if text.isdecimal() and len(text) <= _COUNT_MAX:
                counts[name] = int(text)
        elif word == "score":
            score, mate = _score(next(words, ""), next(words, ""))
    return counts, score, mate


def _score(kind: str, text: str) -> tuple[float | None, int | None]:
    digits = text[1:] if text[:1] in ("+", "-") else text
    if not digits.isdecimal() or len(digits) > _SCORE_MAX:
        return None, None
    number = int(text)
    if kind == "cp":
        return number / 100, None
    # An engine that is already mated reports mate 0.
    return (copysign(MATE, number or -1), number) if kind == "mate" else (None, None)
