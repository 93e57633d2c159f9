"""A match as text: its position and moves, the reason for its end, and a move played again."""

from collections.abc import Iterator

from games.support.printable import printable
from league.analysis.loss_report import LossReport
from league.analysis.replay import Replay
from league.analysis.repro import Repro
from league.render.text.table import Block

LOG_LINES = 30
"""Number of shown lines of a log's end."""


def reason_blocks(replay: Replay, reason: LossReport) -> list[Block]:
    """Return why a match ended so."""
    blocks: list[Block] = [replay.title, *reason.sentences, f"\n{reason.board}"]
    if reason.log.strip():
        head = "The end of its log" if reason.has_fault else "What the bots printed at the end"
        blocks += [f"\n{head}:", *_log(reason.log, LOG_LINES if reason.has_fault else 0)]
    if reason.command:
        blocks.append(f"\nTo play that move again:\n  {reason.command}")
    return blocks


def repro_blocks(found: Repro) -> list[Block]:
    """Return what a bot did at a move this time, beside what it did then."""
    blocks: list[Block] = [f"{found.bot} at ply {found.ply}, seat {found.seat}\n\n{found.board}\n"]
    if found.log.strip():
        blocks += ["Its log:", *_log(found.log), ""]
    if found.fault:
        blocks.append(f"This time: {found.fault}: {printable(found.detail)}")
    else:
        report = found.report
        told = f", depth {report.depth}, score {report.score}" if report else ""
        blocks.append(
            f"This time: {printable(found.answered)} in {found.wall_ns / 1e6:.1f} ms{told}"
        )
    blocks.append(f"Stored:    {printable(found.stored) or found.stored_fault}")
    blocks.append(f"{found.bot} {_compared(found)}")
    if not found.is_same and found.answered and found.stored:
        blocks.append(
            "The bot's moves depend on the time, or on random numbers that ignore the seed."
        )
    return blocks


def _compared(found: Repro) -> str:
    if found.fault:
        return f"fails {'the same way' if found.is_same else 'this time'}"
    if not found.stored:
        return "plays a move this time"
    return f"plays {'the same' if found.is_same else 'another'} move"


def _log(text: str, most: int = 0) -> Iterator[str]:
    return (f"  {printable(line)}" for line in text.strip().splitlines()[-most:])
