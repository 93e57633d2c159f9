"""Explain why a match ended as it did: every bot author's first question."""

from dataclasses import dataclass
from typing import Annotated

from league.analysis.replay import Replay
from league.model.document import Count, Id, about, document
from league.model.records import BUSY, Termination

FAILED_TOLD = 3

IDLE = 0.01
"""A bot that computes for a smaller share of its time does not compute at all."""


@document("Reason", "sentences ply board log command match")
@dataclass(frozen=True, slots=True, kw_only=True)
class LossReport:
    """Why a match ended as it did."""

    sentences: tuple[str, ...]
    ply: Count
    board: Annotated[str, about("the last position")]
    log: Annotated[str, about("the end of the log of the bot at fault")]
    command: Annotated[
        str, about("a command that plays that move again, empty if no bot of this league made it")
    ]
    match: Id
    has_fault: bool = False
    """Whether a bot failed: the log is its, else it is what all bots printed."""


def loss_report(replay: Replay, options: str = "") -> LossReport:
    """Explain the ending of a match; its command has these `options`."""
    record = replay.record
    last = replay.frames[-1]
    failed = record.fault_seat is not None
    ply = last.ply + 1 if failed else replay.last_asked or last.ply
    sentences = _fault(replay, ply) if failed else _no_fault(replay)
    sentences += _failed_moves(replay) + _replays(replay)
    return LossReport(
        sentences=tuple(sentences),
        ply=ply,
        board=last.state.render(),
        log=record.log,
        has_fault=failed,
        match=replay.row.id,
        command="" if replay.is_imported else f"league repro {replay.row.id} --ply {ply}{options}",
    )


_HOW = {
    Termination.TIME_FORFEIT: "ran out of time",
    Termination.ILLEGAL_MOVE: "answered an illegal move",
    Termination.CRASH: "crashed",
    Termination.MEMORY_LIMIT: "needed more memory than it may have",
    Termination.RESIGNATION: "resigned",
}


def _fault(replay: Replay, ply: int) -> list[str]:
    record, limits = replay.record, replay.limits
    seat = record.fault_seat or 0
    control = replay.seat_limits[seat].time
    name = replay.names[seat]
    lost = "" if record.scores[seat] else " and lost"
    if reason := replay.untimed_reason:
        told = [f"{name} (seat {seat}) lost at ply {ply}: it {reason}."]
    else:
        told = [f"{name} (seat {seat}) {_HOW[record.termination]} at ply {ply}{lost}."]
        told.append(f"The reason: {_ended(record.detail)}")
    if record.fault_wall_ns and record.fault_cpu_ns is not None:
        share = record.fault_cpu_ns / record.fault_wall_ns
        told.append(
            "It was computing nearly all that time."
            if share > BUSY
            else f"It computed for {share:.0%} of that time: it waited for something, or the "
            "machine had no core free for it. Play the move again on an idle machine to tell which."
        )
        if share < IDLE and record.termination is Termination.TIME_FORFEIT and limits.memory_mb:
            told.append(
                "A program that can't start a thread within its memory of "
                f"{limits.memory_mb} MB waits like that, too: try a larger --memory."
            )
    if record.termination is Termination.TIME_FORFEIT and control:
        told.append(f"Its time for the match was {control}.")
    if record.termination is Termination.MEMORY_LIMIT:
        told.append(f"The limit was {limits.memory_mb} MB of address space.")
    own = [move for frame in replay.frames if frame.seat == seat and (move := frame.record)]
    if own:
        slowest = max(move.wall_ns for move in own) / 1e6
        late = sum(move.over_ns > 0 for move in own)
        told.append(
            f"Its slowest move before took {slowest:.1f} ms"
            + (f"; {late} of {len(own)} came late, within the grace." if late else ".")
        )
    return told


def _failed_moves(replay: Replay) -> list[str]:
    """Say where bots failed and the game moved for them, the first times of each."""
    told = []
    for seat, name in enumerate(replay.names):
        failed = [
            (frame.ply, frame.record.fault)
            for frame in replay.frames
            if frame.record and frame.record.fault and frame.record.fault.seat == seat
        ]
        told += [
            f"{name} (seat {seat}) failed at ply {ply}, and the game moved for it: "
            f"{_ended(str(fault))}"
            for ply, fault in failed[:FAILED_TOLD]
        ]
        if len(failed) > FAILED_TOLD:
            told.append(f"So it did {len(failed)} times in all.")
    return told


def _replays(replay: Replay) -> list[str]:
    return [
        f"In this tournament {_times(each.kills)} a match was played again because the process of "
        f"{name} was killed."
        for name, each in zip(replay.names, replay.conduct, strict=False)
        if each.kills
    ]


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _no_fault(replay: Replay) -> list[str]:
    record = replay.record
    if record.termination is not Termination.RULES:
        return [f"Nobody failed; {record.termination}: {_ended(record.detail)}"]
    best = max(record.scores)
    winners = [
        name for name, score in zip(replay.names, record.scores, strict=True) if score == best
    ]
    if len(winners) == len(record.scores):
        return [f"A draw by the rules after {len(replay.frames) - 1} plies."]
    names = " and ".join(winners)
    return [f"{names} won by the rules after {len(replay.frames) - 1} plies."]


def _ended(detail: str) -> str:
    """Return a detail with a full stop, unless it ends with a mark of its own."""
    return detail if detail.endswith((".", "?", "!")) else f"{detail}."
