"""The self-contained page that replays one match."""

from collections.abc import Sequence
from typing import Any

from games.support.game import State
from games.support.move_marks import mark_foreseen
from league.analysis.replay import Replay
from league.match.replay import Frame
from league.render import match_plots
from league.render.match_pictures import still
from league.render.packed_boards import pack
from league.render.page_parts import policy_of, script_data, static
from league.render.template import render

FORESEEN = 6
"""How many moves of an expected line are drawn: more would be confusing."""


def replay_page(replay: Replay) -> str:
    """Return the page as one HTML file without external scripts, styles, fonts or pictures."""
    style, script = static("style.css"), static("replay.js")
    return render(
        "replay.html",
        style=style,
        script=script,
        policy=policy_of(style, script),
        **replay_values(replay),
    )


def replay_values(replay: Replay) -> dict[str, Any]:
    """Return the template values of a match."""
    plies = len(replay.frames) - 1
    return {
        "replay": replay,
        "data": script_data(replay_data(replay)),
        "moves": [(frame, _time(frame)) for frame in replay.frames if frame.ply],
        "is_turned": 'class="turns"' in replay.frames[0].state.svg(),
        "plot_scores": match_plots.scores(
            [match_plots.PlotPoint(*each) for each in replay.scores()], plies
        ),
        "plot_times": match_plots.times(_times(replay), plies),
    }


def replay_data(replay: Replay) -> dict[str, Any]:
    """Return the data that the page's script steps through: boards, and the text of each ply."""
    expected = [_expected(frame) for frame in replay.frames]
    drawings = [board(frame) for frame in replay.frames]
    lines, boards = pack([*drawings, *(each.svg() for each in expected if each is not None)])
    rest = iter(range(len(drawings), len(boards)))
    return {
        "lines": lines,
        "boards": [_runs(board) for board in boards],
        "plies": [
            {
                "told": _told(replay, frame),
                "line": " ".join(frame.line),
                "has": _material(replay, frame),
                "expected": None if state is None else next(rest),
            }
            for frame, state in zip(replay.frames, expected, strict=True)
        ],
        "swing": replay.biggest_swing(),
    }


def _runs(board: Sequence[int]) -> list[int]:
    """Shorten a list of lines: -n after a line stands for the n lines that follow it."""
    runs: list[int] = []
    before = None
    for line in board:
        if before is None or line != before + 1:
            runs.append(line)
        elif runs[-1] < 0:
            runs[-1] -= 1
        else:
            runs.append(-1)
        before = line
    return runs


def board(frame: Frame) -> str:
    """Draw a position with the move that led there and the moves that the bot expected next."""
    return mark_foreseen(still(frame), frame.foreseen[:FORESEEN])


def _expected(frame: Frame) -> State | None:
    """Return the position at the end of the bot's expected line; None without a line."""
    if len(frame.line) < 2:
        return None
    state = frame.state
    for text in frame.line[1:]:
        state = state.play(state.parse(text))
    return state


def _material(replay: Replay, frame: Frame) -> str:
    told = zip(replay.names, frame.state.material(), strict=False)
    return " · ".join(f"{name}: {has}" for name, has in told if has)


def _time(frame: Frame) -> str:
    """Write how long a move took, '' if no bot moved."""
    record = frame.record
    if record is None or frame.is_luck or not record.wall_ns:
        return ""
    seconds = record.wall_ns / 1e9
    if seconds >= 1:
        return f"{seconds:.1f} s"
    return f"{seconds * 1000:.0f} ms" if seconds >= 0.01 else f"{seconds * 1000:.1f} ms"


def _told(replay: Replay, frame: Frame) -> str:
    if frame.seat is None:
        return "The first position"
    if frame.is_luck:
        return f"{frame.ply}. luck: {frame.move}"
    name = replay.names[frame.seat]
    record = frame.record
    if record is None:
        return f"{frame.ply}. {frame.move}, of the opening"
    parts = [f"{frame.ply}. {name}: {frame.move}", f"{record.wall_ns / 1e6:.1f} ms"]
    report = record.report
    if report is not None:
        known = {"depth": report.depth, "nodes": report.nodes, "score": report.score}
        parts += [
            f"{label} {value:,g}" if isinstance(value, float) else f"{label} {value:,}"
            for label, value in known.items()
            if value is not None
        ]
        if report.text:
            parts.append(report.text)
    if frame.left_s is not None:
        parts.append(f"{frame.left_s:.1f} s left")
    return ", ".join(parts)


def _times(replay: Replay) -> list[match_plots.PlotPoint]:
    return [
        match_plots.PlotPoint(frame.ply, frame.seat, frame.record.wall_ns / 1e6)
        for frame in replay.frames
        if frame.seat is not None and frame.record is not None and not frame.is_luck
    ]
