"""Where a reader is in a replay on a terminal, what keys do, and what is told of each ply."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from league.cli.console import clean
from league.model.number_format import (
    clock_time,
    numbers,
    short_count,
    short_score,
    short_time,
    told_score,
)

if TYPE_CHECKING:
    from league.analysis.replay import Replay
    from league.match.replay import Frame

PLAY_S = 0.8
"""How long a position stands while the replay plays by itself, until a digit says otherwise."""

CLOCK_WIDTH = 54
"""So much room leaves the list of moves some for the clocks."""

HEADS = ("ply", "bot", "move", "time", "clock", "depth", "nodes", "score")
STEPS = {"right": 1, "l": 1, "down": 10, "page down": 10, "left": -1, "h": -1}
STEPS |= {"up": -10, "page up": -10}


class Stepper:
    """Where a reader is in a replay, and what each key does about it."""

    def __init__(self, replay: "Replay", ply: int = 0) -> None:
        self.replay = replay
        self.ply = ply
        self.last = len(replay.frames) - 1
        self.is_playing = False
        self.pause_s = PLAY_S
        self.shows_help = False
        self.shows_line = True
        self.is_over = False
        self.message = ""

    def press(self, key: str) -> None:
        """Do what `key` asks for; keys that mean nothing do nothing."""
        was_help, self.shows_help, self.message = self.shows_help, False, ""
        if key in ("q", "end of input") or (key == "escape" and not was_help):
            self.is_over = True
        elif key == "?":
            self.shows_help = not was_help
        elif key in STEPS:
            self.go(self.ply + STEPS[key])
        elif key in ("home", "g"):
            self.go(0)
        elif key in ("end", "G"):
            self.go(self.last)
        elif key == " ":
            if not self.is_playing and self.ply == self.last:
                self.ply = 0
            self.is_playing = not self.is_playing and self.last > 0
        elif key == "b":
            self._swing()
        elif key == "e":
            self.shows_line = not self.shows_line
        elif key in tuple("0123456789"):
            self._speed(int(key))

    def tick(self) -> None:
        """Go one ply on where the replay plays by itself."""
        if self.is_playing:
            self.ply = min(self.last, self.ply + 1)
            self.is_playing = self.ply < self.last

    def go(self, ply: int) -> None:
        """Show the position after `ply` plies, and stand still there."""
        self.is_playing = False
        self.ply = max(0, min(self.last, ply))

    def _speed(self, plies: int) -> None:
        if plies:
            self.pause_s = 1 / plies
            self.message = f"{plies} a second"
        if bool(plies) != self.is_playing:
            self.press(" ")

    def _swing(self) -> None:
        swing = self.replay.biggest_swing()
        if swing is None:
            self.message = "no bot told two scores: there is no swing"
            return
        self.go(swing)
        frames = self.replay.frames
        seat, score = frames[swing].seat, frames[swing].score
        before = next(
            frame.score
            for frame in reversed(frames[:swing])
            if frame.seat == seat and frame.score is not None
        )
        self.message = (
            f"biggest swing: {name_of(self.replay, seat)} "
            f"from {short_score(before)} to {short_score(score)}"
        )


def heads_of(replay: "Replay", width: int) -> list[str]:
    """Return the heads of the list of moves that have room in so many columns.

    The more there is room for, the more is told; what matters least goes first.
    """
    heads = ["ply", "move", "time", "score", "depth", "nodes", "bot"]
    heads = heads[: 3 if width < 28 else 4 if width < 38 else 5 if width < 46 else 7]
    if width >= CLOCK_WIDTH and any(frame.left_s is not None for frame in replay.frames):
        heads.append("clock")
    return [head for head in HEADS if head in heads]


def cells_of(replay: "Replay", frame: "Frame") -> dict[str, str]:
    """Return what the list of moves tells of a ply, by its heads."""
    record = frame.record
    report = record.report if record else None
    is_bots = record is not None or replay.is_imported
    return {
        "ply": str(frame.ply),
        "bot": clean(name_of(replay, frame.seat)) if is_bots else "opening",
        "move": clean(frame.move),
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
        whose = f"by {name_of(replay, frame.seat)}" if replay.is_imported else "of the opening"
        yield f"ply {frame.ply}: {frame.move}, {whose}"
    else:
        record, report = frame.record, frame.record.report
        name = name_of(replay, frame.seat)
        if frame.is_luck:
            yield f"ply {frame.ply}: luck drew {frame.move}"
            if is_last:
                yield f"ended {replay.ending}"
            return
        seat = replay.frames[0].state.game.seat_names[frame.seat]
        used = "" if record.cpu_ns is None else f", {short_time(record.cpu_ns)} of it computing"
        late = f", {short_time(record.over_ns)} late" if record.over_ns else ""
        left = "" if frame.left_s is None else f", its clock at {clock_time(frame.left_s)}"
        yield f"ply {frame.ply}: {name} ({seat}) played {frame.move} in " + (
            f"{short_time(record.wall_ns)}{used}{late}{left}"
        )
        if is_last:
            yield f"ended {replay.ending}"
        if report is not None:
            yield numbers(report) or "it told no numbers"
        if frame.line and has_line:
            yield f"expects {' '.join(frame.line)}"
        if report is not None and report.text:
            yield f"says {report.text}"
    if is_last and frame.record is None:
        yield f"ended {replay.ending}"


def name_of(replay: "Replay", seat: int | None) -> str:
    """Return the name of who moved."""
    # Luck has no seat of its own: its number is below 0.
    return "luck" if seat is None or seat < 0 else replay.names[seat]
