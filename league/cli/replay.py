"""`league replay`."""

import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from league.cli.options import db_option, json_option
from league.figures import (
    clock_time,
    numbers,
    short_count,
    short_score,
    short_time,
    told_score,
)

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

    from league.replays import Frame, Replay

PLAY_S = 0.8
"""How long a position stands while the replay plays by itself."""

LOOK_S = 0.2
"""How often to look whether the terminal has another size."""

DETAIL_LINES = 5

CLOCK_WIDTH = 54
"""So much room leaves the list of moves some for the clocks."""

HELP = """\
→ or l     one ply on             ← or h     one ply back
↓          ten plies on           ↑          ten plies back
End or G   the last position      Home or g  the first position
space      play, and pause        b          the biggest swing of a score
?          this help              q          quit

The list tells who moved what, the time it took, depth and nodes of the search,
and the score as that bot saw it: above 0 where it thought itself ahead. A time
in red came after the limit, within the grace. 'expects' is the line of play
that the bot foresaw, its own move first."""
KEYS = " ←→ step  ↑↓ ten  Home End  space {play}  b swing  ? help  q quit"
STEPS = {"right": 1, "l": 1, "down": 10, "page down": 10, "left": -1, "h": -1}
STEPS |= {"up": -10, "page up": -10}


@click.command("replay")
@click.argument("match", type=int, required=False)
@click.option("--ply", type=click.IntRange(0), help="The position after this many plies.")
@click.option("--plain", is_flag=True, help="Print it instead of stepping, as in a pipe.")
@click.option("--svg", "picture", metavar="FILE", help="Draw the position, or the match in motion.")
@db_option
@json_option
def command(
    match: int | None, ply: int | None, plain: bool, picture: str | None, db: str, as_json: bool
) -> None:
    """Step through MATCH (or the newest): boards, moves, and what each bot was thinking.

    On a terminal the arrow keys step and ? tells the others. With --plain, or in a pipe, it prints
    the last position and the list of moves; with --ply that position alone. With --svg it draws
    that position into a file, or without --ply the whole match as a moving picture.

    \b
    Examples:
      league replay 17
      league replay 17 --ply 12 --plain
      league replay 17 --svg match.svg
    """
    from league.cli.console import print_json
    from league.cli.pictures import write_picture
    from league.replays import load_replay
    from league.store import open_store

    with open_store(db, read_only=True) as store:
        replay = load_replay(store, match)
    last = len(replay.frames) - 1
    if ply is not None and ply > last:
        raise click.BadParameter(
            f"match {replay.row.id} ended after {last} plies", param_hint="'--ply'"
        )
    if picture is not None:
        write_picture(replay, ply, picture)
    elif as_json:
        print_json(replay.as_json() if ply is None else replay.frames[ply].as_json())
    elif plain or not _is_interactive():
        _print_plain(replay, ply)
    else:
        _step_through(Stepper(replay, ply or 0))


class Stepper:
    """Where a reader is in a replay, and what each key does about it."""

    def __init__(self, replay: "Replay", ply: int = 0) -> None:
        self.replay = replay
        self.ply = ply
        self.last = len(replay.frames) - 1
        self.is_playing = False
        self.shows_help = False
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
            self._go(self.ply + STEPS[key])
        elif key in ("home", "g"):
            self._go(0)
        elif key in ("end", "G"):
            self._go(self.last)
        elif key == " ":
            if not self.is_playing and self.ply == self.last:
                self.ply = 0
            self.is_playing = not self.is_playing and self.last > 0
        elif key == "b":
            self._swing()

    def tick(self) -> None:
        """Go one ply on where the replay plays by itself."""
        if self.is_playing:
            self.ply = min(self.last, self.ply + 1)
            self.is_playing = self.ply < self.last

    def _go(self, ply: int) -> None:
        self.is_playing = False
        self.ply = max(0, min(self.last, ply))

    def _swing(self) -> None:
        swing = self.replay.biggest_swing()
        if swing is None:
            self.message = "no bot told two scores: there is no swing"
            return
        self._go(swing)
        frames = self.replay.frames
        seat, score = frames[swing].seat, frames[swing].score
        before = next(
            frame.score
            for frame in reversed(frames[:swing])
            if frame.seat == seat and frame.score is not None
        )
        self.message = (
            f"biggest swing: {_name(self.replay, seat)} "
            f"from {short_score(before)} to {short_score(score)}"
        )


def _is_interactive() -> bool:
    streams = (sys.stdin, sys.stdout)
    is_terminal = all(stream is not None and stream.isatty() for stream in streams)
    return is_terminal and os.environ.get("TERM") != "dumb"


def _step_through(stepper: Stepper) -> None:
    """Show positions on the whole screen and obey keys until one of them ends it."""
    import time

    from rich.console import Console, ConsoleDimensions
    from rich.live import Live

    from league.cli.keys import Keyboard

    console = Console(markup=False, highlight=False, emoji=False)
    with (
        Keyboard(sys.stdin.fileno()) as keyboard,
        Live(console=console, screen=True, auto_refresh=False) as live,
    ):
        drawn: tuple[int, int] | None = None
        due_s = 0.0
        while not stepper.is_over:
            key = keyboard.read(LOOK_S if drawn else 0)
            is_due = stepper.is_playing and time.monotonic() >= due_s
            size = _terminal_size()
            if not key and not is_due and size == drawn:
                continue
            if is_due:
                stepper.tick()
                due_s = time.monotonic() + PLAY_S
            while key:
                stepper.press(key)
                if key == " ":
                    due_s = time.monotonic() + PLAY_S
                # All that is typed already, so that a key held down never runs ahead.
                key = keyboard.read(0)
            # Said outright: rich would believe an exported COLUMNS, which no resize changes.
            console.size = ConsoleDimensions(*size)
            live.update(_screen(stepper, *size), refresh=True)
            drawn = size


def _terminal_size() -> tuple[int, int]:
    columns, lines = os.get_terminal_size(sys.stdout.fileno())
    # A terminal that does not know its size says 0.
    return columns or 80, lines or 24


def _screen(stepper: Stepper, width: int, height: int) -> Any:
    """Draw a screen of that size: heads, board beside moves, what was thought, keys."""
    from rich.layout import Layout
    from rich.text import Text

    replay, frame = stepper.replay, stepper.replay.frames[stepper.ply]
    board = _text(frame.state.render(), keep_lines=True)
    lines, columns = _extent(replay)
    room = max(1, height - 3)
    detail = max(1, min(DETAIL_LINES + 1, room - lines))
    gap = 1 if room - detail > lines else 0
    count = f"ply {stepper.ply} of {stepper.last} "
    title = _text(f" {replay.title}")
    title.truncate(max(1, width - len(count) - 1), overflow="ellipsis", pad=True)
    title.append(f" {count}")
    screen = Layout()
    screen.split_column(
        Layout(Text(title.plain, style="bold reverse", no_wrap=True), size=1),
        Layout(_line(f" {replay.ending}", "dim"), size=1 + gap),
        body := Layout(),
        below := Layout(size=detail),
        Layout(_footer(stepper), size=1),
    )
    if stepper.shows_help:
        body.update(_text(HELP, keep_lines=True))
        below.visible = False
        return screen
    wide = min(columns + 2, max(1, width - 20))
    body.split_row(
        Layout(board, size=wide),
        Layout(_moves(replay, stepper.ply, max(1, room - gap - detail - 1), width - wide)),
    )
    below.update(_detail(replay, frame))
    return screen


def _footer(stepper: Stepper) -> "Text":
    if stepper.message:
        return _line(f" {stepper.message}", "bold")
    return _line(KEYS.format(play="pause" if stepper.is_playing else "play"), "dim")


def _moves(replay: "Replay", ply: int, rows: int | None, width: int) -> "Table":
    """List the moves around `ply` (all where `rows` is None) in as many columns as fit."""
    from rich.cells import cell_len
    from rich.table import Table
    from rich.text import Text

    plies = replay.frames[1:]
    if rows is not None:
        first = max(0, min(ply - 1 - rows // 2, len(plies) - rows))
        plies = plies[first : first + rows]
    # The more there is room for, the more is told; what matters least goes first.
    heads = ["ply", "move", "time", "score", "depth", "nodes", "bot"]
    heads = heads[: 3 if width < 28 else 4 if width < 38 else 5 if width < 46 else 7]
    if width >= CLOCK_WIDTH and any(frame.left_s is not None for frame in plies):
        heads.append("clock")
    order = [head for head in _HEADS if head in heads]
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), collapse_padding=True)
    every = [_cells(replay, frame) for frame in replay.frames[1:]]
    for head in order:
        # As wide as the widest of all, so that scrolling moves no column.
        needed = max((cell_len(cells[head]) for cells in every), default=0)
        most = max(5, width - 48) if head == "bot" and rows is not None else needed
        table.add_column(
            Text(head, style="dim"),
            justify="left" if head in ("bot", "move") else "right",
            no_wrap=True,
            overflow="ellipsis",
            min_width=min(needed, most),
            max_width=max(len(head), most),
        )
    for frame in plies:
        is_late = frame.record is not None and frame.record.over_ns > 0
        cells = every[frame.ply - 1]
        table.add_row(
            *(
                Text(cells[head], style="red" if head == "time" and is_late else "")
                for head in order
            ),
            style="reverse" if frame.ply == ply and rows is not None else "",
        )
    return table


_HEADS = ("ply", "bot", "move", "time", "clock", "depth", "nodes", "score")


def _cells(replay: "Replay", frame: "Frame") -> dict[str, str]:
    from league.cli.console import clean

    record = frame.record
    report = record.report if record else None
    is_bots = record is not None or replay.is_imported
    return {
        "ply": str(frame.ply),
        "bot": clean(_name(replay, frame.seat)) if is_bots else "opening",
        "move": clean(frame.move),
        "time": short_time(record.wall_ns) if record and not frame.is_luck else "",
        "clock": "" if frame.left_s is None else clock_time(frame.left_s),
        "depth": str(report.depth) if report and report.depth is not None else "",
        "nodes": short_count(report.nodes) if report and report.nodes is not None else "",
        "score": told_score(report) if report else "",
    }


def _detail(replay: "Replay", frame: "Frame") -> "Text":
    from rich.text import Text

    # A blank line first: the board and the moves stand off from what was thought.
    lines = [Text(), *(_text(line) for line in _told(replay, frame))]
    return Text("\n").join(lines)


def _told(replay: "Replay", frame: "Frame") -> Iterator[str]:
    """Yield what is known of one ply, line by line, the most wanted first."""
    is_last = frame.ply == len(replay.frames) - 1
    if frame.seat is None:
        yield "the first position"
    elif frame.record is None:
        whose = f"by {_name(replay, frame.seat)}" if replay.is_imported else "of the opening"
        yield f"ply {frame.ply}: {frame.move}, {whose}"
    else:
        record, report = frame.record, frame.record.report
        name = _name(replay, frame.seat)
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
        if frame.line:
            yield f"expects {' '.join(frame.line)}"
        if report is not None and report.text:
            yield f"says {report.text}"
    if is_last and frame.record is None:
        yield f"ended {replay.ending}"


def _print_plain(replay: "Replay", ply: int | None) -> None:
    """Print one position, or the last one and the list of moves."""
    from rich.console import Console

    from league.cli.console import PIPE_WIDTH, clean

    frame = replay.frames[-1 if ply is None else ply]
    click.echo(f"{clean(replay.title)}\nply {frame.ply} of {len(replay.frames) - 1}\n")
    click.echo(clean(frame.state.render(), keep_lines=True) + "\n")
    if ply is not None:
        for line in _told(replay, frame):
            click.echo(clean(line))
        return
    width = None if sys.stdout.isatty() else PIPE_WIDTH
    console = Console(markup=False, highlight=False, emoji=False, width=width)
    console.print(_moves(replay, frame.ply, None, console.width))
    click.echo(f"\n{clean(replay.ending)}")


def _name(replay: "Replay", seat: int | None) -> str:
    # Luck has no seat of its own: its number is below 0.
    return "luck" if seat is None or seat < 0 else replay.names[seat]


def _extent(replay: "Replay") -> tuple[int, int]:
    """Return the lines and columns that the largest board takes: the screen must not jump."""
    boards = [frame.state.render().splitlines() for frame in replay.frames]
    return max(map(len, boards)), max(len(line) for board in boards for line in board)


def _text(text: str, keep_lines: bool = False) -> "Text":
    from rich.text import Text

    from league.cli.console import clean

    return Text(clean(text, keep_lines))


def _line(text: str, style: str) -> "Text":
    """Return one line that is cut, never folded."""
    line = _text(text)
    line.stylize(style)
    line.no_wrap, line.overflow = True, "ellipsis"
    return line
