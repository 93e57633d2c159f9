"""Records of matches without the texts of other teams' bots."""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from league.model.records import MatchRecord, MoveRecord, Movers, ReportRecord

HIDDEN_DETAIL = "its own team sees the details"
"""The text in place of the details of a bot's fault."""


_HEAD = re.compile(r"seat ([0-9]{1,9}):")
"""The line above what a seat printed."""


def log_of_seats(texts: Sequence[str]) -> str:
    """Join what each seat printed, below its number; a line that looks like one is indented."""
    marked = (
        "\n".join(f" {line}" if _HEAD.fullmatch(line) else line for line in text.split("\n"))
        for text in texts
    )
    return "\n".join(
        f"seat {number}:\n{text}" for number, text in enumerate(marked) if text.strip()
    )


def with_own_texts(
    record: MatchRecord, own: Collection[int], movers: Movers | None = None
) -> MatchRecord:
    """Return a record with the texts and the log of `own` versions alone.

    `movers` tells the seat of each move, None where nobody moved; without it, the texts of moves
    are kept only if all seats are own.
    """
    seats = {seat for seat, version in enumerate(record.versions) if version in own}
    if len(seats) == len(record.versions):
        return record
    fault = record.fault_seat
    is_told = fault is None or fault in seats
    moves = record.moves
    if record.move_faults:
        moves = tuple(_with_own_fault(move, seats) for move in moves)
    if any(move.report and move.report.text for move in moves):
        by = movers(record) if movers and seats else [None] * len(moves)
        moves = tuple(
            move if seat in seats else _silent_move(move)
            for move, seat in zip(moves, by, strict=True)
        )
    if fault is None:
        log = _own_sections(record.log, seats)
    else:
        log = record.log if fault in seats else ""
    detail = record.detail if is_told else HIDDEN_DETAIL
    return replace(record, moves=moves, log=log, detail=detail)


def _with_own_fault(move: MoveRecord, seats: Collection[int]) -> MoveRecord:
    fault = move.fault
    if fault is None or fault.seat in seats:
        return move
    return replace(move, fault=fault._replace(detail=HIDDEN_DETAIL))


def _own_sections(log: str, seats: Collection[int]) -> str:
    """Return the parts of a log that are these seats'."""
    kept, is_own = [], False
    for line in log.split("\n"):
        if head := _HEAD.fullmatch(line):
            is_own = int(head[1]) in seats
        if is_own:
            kept.append(line)
    return "\n".join(kept)


def _silent_move(move: MoveRecord) -> MoveRecord:
    return replace(move, report=silent(move.report))


def silent(report: ReportRecord | None) -> ReportRecord | None:
    """Return a report without its text."""
    return replace(report, text="") if report and report.text else report
