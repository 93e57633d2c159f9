"""A ply of a match in play, as it travels from a worker to spectators."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from games.support.moves import WireMove
from league.model.records import ReportRecord


class LivePly(NamedTuple):
    """A move, and its time and report where somebody watches the match.

    `wall_ns` is None in an opening, and in a match that nobody watches.
    """

    wire: WireMove
    wall_ns: int | None = None
    report: ReportRecord | None = None

    def packed(self) -> object:
        """Return the ply as plain values for JSON: a move alone, or a list."""
        if self.wall_ns is None:
            return self.wire
        if self.report is None:
            return [self.wire, self.wall_ns]
        told = self.report
        counts = (told.depth, told.seldepth, told.nodes, told.score, told.mate)
        return [self.wire, self.wall_ns, *counts, list(told.pv), told.text]

    @classmethod
    def unpacked(cls, value: Any) -> "LivePly":
        """Return the ply of such a value; raise `ValueError`."""
        if not isinstance(value, list):
            return cls(value)
        wire, wall_ns, *rest = value
        if not rest:
            return cls(wire, int(wall_ns))
        depth, seldepth, nodes, score, mate, pv, text = rest
        report = ReportRecord(
            depth=depth,
            seldepth=seldepth,
            nodes=nodes,
            score=score,
            mate=mate,
            pv=tuple(pv),
            text=str(text),
        )
        return cls(wire, int(wall_ns), report)


def pack_plies(plies: Sequence[LivePly]) -> list[object]:
    """Return plies as plain values for JSON."""
    return [each.packed() for each in plies]


def unpack_plies(values: Any) -> tuple[LivePly, ...]:
    """Return the plies of such values; raise `ValueError`."""
    return tuple(LivePly.unpacked(each) for each in values)
