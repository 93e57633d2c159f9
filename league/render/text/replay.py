"""A replay as text: its moves in columns, and what is known of each ply."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from games.support.printable import printable
from league.model.number_format import (
    clock_time,
    numbers,
    short_count,
    short_time,
    told_score,
)
from league.render.text.table import Block, Table
from league.render.text_width import width_of

if TYPE_CHECKING:
    from league.analysis.replay import Replay
    from league.match.replay import Frame
    from league.model.model_calls import ModelCall

HEADS = ("ply", "bot", "move", "time", "clock", "depth", "nodes", "score")
"""The columns of the list of moves, in their order."""

BY_WEIGHT = ("ply", "move", "time", "score", "depth", "nodes", "bot", "clock")
"""The same, beginning with what matters most: the last ones go first where there is no room."""

LEFT = ("bot", "move")
"""The columns that are flush left."""

GAP = 2
NAME_MAX = 20


def replay_blocks(replay: "Replay", width: int) -> list[Block]:
    """Return the last position of a match, its moves in at most `width` columns, and its end."""
    last = replay.frames[-1]
    cells = [cells_of(replay, frame) for frame in replay.frames[1:]]
    heads = list(widths_of(cells, width))
    right = [head for head in heads if head not in LEFT]
    return [
        f"{replay.title}\nply {last.ply} of {last.ply}\n",
        last.state.render(),
        Table(heads, [[each[head] for head in heads] for each in cells], right),
        replay.ending,
    ]


def widths_of(cells: Sequence[Mapping[str, str]], room: int) -> dict[str, int]:
    """Return the columns of the list of moves that fit in `room`, with their widths.

    A column is as wide as its widest cell, so that no number is ever cut; ply and move are always
    there. A column without any text is left out.
    """
    widths: dict[str, int] = {}
    for head in BY_WEIGHT:
        wide = max((width_of(each[head]) for each in cells), default=0)
        if not wide and head not in ("ply", "move"):
            continue
        wide = max(width_of(head), min(wide, NAME_MAX) if head in LEFT else wide)
        if head in ("ply", "move") or sum(widths.values()) + GAP * len(widths) + wide <= room:
            widths[head] = wide
    return {head: widths[head] for head in HEADS if head in widths}


def cells_of(replay: "Replay", frame: "Frame") -> dict[str, str]:
    """Return what the list of moves tells of a ply, by its heads."""
    record = frame.record
    report = record.report if record else None
    is_bots = record is not None or replay.is_imported
    return {
        "ply": str(frame.ply),
        "bot": printable(mover_name(replay, frame.seat)) if is_bots else "opening",
        "move": printable(frame.move),
        "time": short_time(record.wall_ns) if record and not frame.is_luck else "",
        "clock": "" if frame.left_s is None else clock_time(frame.left_s),
        "depth": str(report.depth) if report and report.depth is not None else "",
        "nodes": short_count(report.nodes) if report and report.nodes is not None else "",
        "score": told_score(report) if report else "",
    }


def told_of(replay: "Replay", frame: "Frame", has_line: bool = True) -> Iterator[str]:
    """Yield what is known of one ply, line by line, the most wanted first.

    The line that the bot expected is among it where it `has_line`.
    """
    is_last = frame.ply == len(replay.frames) - 1
    if frame.seat is None:
        yield "the first position"
    elif frame.record is None:
        whose = f"by {mover_name(replay, frame.seat)}" if replay.is_imported else "of the opening"
        yield f"ply {frame.ply}: {frame.move}, {whose}"
    else:
        record, report = frame.record, frame.record.report
        name = mover_name(replay, frame.seat)
        if frame.is_luck:
            yield f"ply {frame.ply}: luck drew {frame.move}"
            if is_last:
                yield f"ended {replay.ending}"
                yield from _unmoved_lines(replay)
            return
        seat = replay.frames[0].state.game.seat_names[frame.seat]
        used = "" if record.cpu_ns is None else f", {short_time(record.cpu_ns)} of it computing"
        late = f", {short_time(record.over_ns)} late" if record.over_ns else ""
        left = "" if frame.left_s is None else f", its clock at {clock_time(frame.left_s)}"
        did = (
            f"played for {name} ({seat}): {frame.move}, after"
            if record.fault
            else (f"{name} ({seat}) played {frame.move} in")
        )
        yield f"ply {frame.ply}: {did} {short_time(record.wall_ns)}{used}{late}{left}"
        if record.fault:
            yield f"its bot failed: {record.fault}"
        if is_last:
            yield f"ended {replay.ending}"
        if report is not None:
            yield numbers(report) or "it told no numbers"
        if frame.line and has_line:
            yield f"expects {' '.join(frame.line)}"
        if report is not None and report.text:
            yield f"says {report.text}"
        for call in replay.move_calls.get(frame.ply, ()):
            yield from call_lines(call)
    if is_last and frame.record is None:
        yield f"ended {replay.ending}"
    if is_last:
        yield from _unmoved_lines(replay)


def _unmoved_lines(replay: "Replay") -> Iterator[str]:
    """Yield the calls for a move that never came, line by line."""
    for place, call in enumerate(replay.calls_without_move):
        if not place:
            yield f"ply {call.ply + 1}: no move"
        yield from call_lines(call)


def call_lines(call: "ModelCall") -> Iterator[str]:
    """Yield what a language model was asked and answered, line by line."""
    tokens = "" if call.tokens_in is None else f", {call.tokens_in:,} tokens in"
    tokens += "" if call.tokens_out is None else f", {call.tokens_out:,} out"
    cost = "" if call.cost is None else f", cost {call.cost:.6f}"
    ended = call.fault or "a move"
    yield f"call {call.attempt + 1}: {ended} in {short_time(call.latency_ms * 10**6)}{tokens}{cost}"
    for head, text in (("asked", call.prompt), ("answered", call.answer)):
        yield f"{head}:"
        yield from (f"  {printable(line)}" for line in text.splitlines())


def mover_name(replay: "Replay", seat: int | None) -> str:
    """Return the name of who moved."""
    # Luck has no seat of its own: its number is below 0.
    return "luck" if seat is None or seat < 0 else replay.names[seat]
