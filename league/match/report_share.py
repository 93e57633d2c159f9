"""Bounds on what is kept of a bot's reports and log, whatever its protocol."""

from collections.abc import Sequence
from dataclasses import replace

from bots.support.bot import PV_MAX, TEXT_MAX
from games.support.moves import WireMove
from league.model.records import ReportRecord

RECORD_MAX = 1 << 16
"""Maximum bytes of the reports and the log in a match record, before compression."""

LOG_MAX = 1 << 14
DETAIL_MAX = 1000
OUTPUT_MAX = 1 << 10
"""Size limit of each bot's stored output in a match without a fault, in bytes."""

SPENT_LOG_MAX = 1 << 10
"""The log that is kept of a bot that has stored enough for a day."""

CUT = "[cut]"
"""The text of a report that keeps only score and mate, and the first line of a log that was cut."""

_WIRE_MAX = 100
_WIRE_BITS = 64
_COUNTS = 6


class ReportShare:
    """One seat's share of a match record.

    If `is_spent`, its bot has stored enough already: only scores and the end of its log are kept.
    """

    def __init__(self, seats: int, is_spent: bool = False) -> None:
        self.used = 0
        """The bytes that are kept."""
        self._is_spent = is_spent
        self._left = 0 if is_spent else (RECORD_MAX - LOG_MAX) // seats

    def take(self, report: ReportRecord | None) -> ReportRecord | None:
        """Return what is kept of a report; only score and mate once the share is used up."""
        if report is None:
            return None
        line = _line_size(report.pv)
        if line is None or len(report.text) > TEXT_MAX:
            pv = () if line is None else report.pv
            report = replace(report, pv=pv, text=report.text[:TEXT_MAX])
        size = _size(report) + (line or 0)
        if size > self._left:
            # Verifying an adjudicated match needs what its bots said of the score.
            self._left = 0
            return ReportRecord(score=report.score, mate=report.mate, text=CUT)
        self._left -= size
        self.used += size
        return report

    def take_output(self, output: str) -> str:
        """Return the tail that is kept of what a bot printed in a match without a fault."""
        return "" if self._is_spent else self.take_log(output, OUTPUT_MAX)

    def take_log(self, log: str, most: int = LOG_MAX) -> str:
        """Return the tail of a log that is kept."""
        if not log:
            return ""
        most = SPENT_LOG_MAX if self._is_spent else most
        data = log.encode("utf-8", "surrogatepass")
        if len(data) > most:
            kept = data[-most + len(CUT) + 1 :].decode("utf-8", "ignore")
            log = f"{CUT}\n{kept}"
        self.used += min(len(data), most)
        return log


def shares(seats: int, spent: Sequence[int] = ()) -> list[ReportShare]:
    """Return a share for each seat of a match; those of the `spent` seats are empty."""
    return [ReportShare(seats, is_spent=seat in spent) for seat in range(seats)]


def _line_size(line: Sequence[WireMove]) -> int | None:
    """Return the bytes of a variation; None if it is longer than any that is kept."""
    if not line:
        return 0
    if len(line) > PV_MAX:
        return None
    try:
        bits = list(map(int.bit_length, line))  # type: ignore[arg-type]  # texts raise
    except TypeError:
        # Texts among them: eight bits a character.
        bits = [8 * len(each) if isinstance(each, str) else each.bit_length() for each in line]
        is_short = all(_is_short(each) for each in line)
    else:
        is_short = max(bits) < _WIRE_BITS
    return sum(bits) // 8 + len(line) if is_short else None


def _is_short(wire: WireMove) -> bool:
    return len(wire) <= _WIRE_MAX if isinstance(wire, str) else wire.bit_length() < _WIRE_BITS


def _size(report: ReportRecord) -> int:
    """Return the bytes of a report without its line, about as many as before compression."""
    bits = (
        (report.depth or 0).bit_length()
        + (report.nodes or 0).bit_length()
        + (report.seldepth or 0).bit_length()
        + (report.nps or 0).bit_length()
        + (report.tbhits or 0).bit_length()
        + (report.mate or 0).bit_length()
        + (report.hashfull or 0).bit_length()
        + (report.time_ms or 0).bit_length()
    )
    text = len(report.text.encode("utf-8", "surrogatepass")) if report.text else 0
    return bits // 8 + _COUNTS + text + (8 if report.score else 1)
