"""The page that replays one match, in the dashboard or as one file."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from games.support.move_marks import mark_foreseen
from league.analysis.replay import Replay
from league.analysis.win_chance import Blunder
from league.match.replay import Frame
from league.model.number_format import clock_time, numbers, short_time
from league.model.records import Termination
from league.render import match_plots
from league.render.data_uri import picture
from league.render.game_look import colours_in
from league.render.match_pictures import still
from league.render.move_rows import has_row_numbers, move_rows, numbered
from league.render.packed_boards import pack
from league.render.page_parts import bundled, page_style, policy_of, script_data
from league.render.replay_charts import (
    chance_chart,
    is_two_sided,
    seen_from,
    side_names,
    time_chart,
)
from league.render.template import render

FORESEEN = 6
"""How many moves of an expected line are drawn: more would be confusing."""

SPEEDS = tuple(range(1, 10))
"""The speeds of playing, in plies a second."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Strip:
    """A seat beside the board: who sits there, and what it has at the end of the match."""

    seat: int
    name: str
    seat_name: str
    colour: str
    score: float
    has: str
    time: str

    @property
    def result(self) -> str:
        """The class of its score: `won`, `drawn` or `lost`."""
        return "won" if self.score == 1 else "lost" if self.score == 0 else "drawn"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldBlunder:
    """A blunder in words: `12… Nf3`, and the chances before and after."""

    blunder: Blunder
    name: str
    colour: str
    move: str


def replay_page(replay: Replay) -> str:
    """Return the page as one HTML file without external scripts, styles, fonts or pictures.

    Its charts are drawings: the script that draws those of the dashboard is larger than the page.
    """
    style, script = page_style("replay"), bundled("replay_board.js", "replay.js")
    plies = len(replay.frames) - 1
    points = [
        match_plots.PlotPoint(each.ply, each.seat, seen_from(replay, each))
        for each in replay.chances
    ]
    return render(
        "replay.html",
        style=style,
        script=script,
        policy=policy_of(style, script),
        plot_chances=match_plots.chances(points, plies),
        plot_times=match_plots.times(_times(replay), plies),
        **replay_values(replay),
    )


def replay_values(replay: Replay) -> dict[str, Any]:
    """Return the template values of a match."""
    game = replay.frames[0].state.game
    expected = any(frame.expected is not None for frame in replay.frames)
    return {
        "replay": replay,
        "data": script_data(replay_data(replay)),
        "strips": _strips(replay),
        "rows": move_rows(replay),
        "has_row_numbers": has_row_numbers(game),
        "seat_names": game.seat_names,
        "ending": ending(replay),
        "has_chances": is_two_sided(replay) and bool(replay.chances),
        "has_lines": expected,
        "blunders": _told_blunders(replay),
        "speeds": SPEEDS,
        "is_turned": 'class="turns"' in replay.frames[0].state.svg(),
        "last_board": picture(still(replay.frames[-1])),
        "chances": chance_chart(replay),
        "chance_marks": _chance_marks(replay),
        "times": time_chart(replay),
    }


def replay_data(replay: Replay) -> dict[str, Any]:
    """Return the data that the page's script steps through: boards, and the text of each ply."""
    drawings = [board(frame) for frame in replay.frames]
    expected = [each.svg() for frame in replay.frames if (each := frame.expected) is not None]
    lines, boards = pack([*drawings, *expected])
    rest = iter(range(len(drawings), len(boards)))
    chances = {each.ply: round(100 * seen_from(replay, each)) for each in replay.chances}
    plies: list[dict[str, Any]] = []
    clocks = _clocks(replay)
    has: Sequence[str] = ()
    for frame in replay.frames:
        values: dict[str, Any] = {"told": _told(replay, frame)}
        if frame.state.outcome() is None:
            values["next"] = frame.state.to_move
        if frame.ply in clocks:
            values |= {"seat": frame.seat, "time": clocks[frame.ply]}
        if frame.line:
            values["line"] = " ".join(frame.line)
        if frame.expected is not None:
            values["expected"] = next(rest)
        if is_two_sided(replay) and frame.ply in chances:
            values["chance"] = chances[frame.ply]
        if has != (has := frame.state.material()):
            values["has"] = has
        plies.append(values)
    return {
        "lines": lines,
        "boards": [_runs(board) for board in boards],
        "plies": plies,
        "swing": replay.biggest_swing(),
        "blunders": [each.ply for each in replay.blunders()],
        "times": [_full_clock(replay, seat) for seat in range(len(replay.names))],
        "first": side_names(replay)[0],
    }


def ending(replay: Replay) -> str:
    """Say how the match ended: `White won by checkmate`, or whose fault it was."""
    record, state = replay.record, replay.frames[-1].state
    if record.fault_seat is not None:
        return f"{record.termination}: {replay.names[record.fault_seat]} {record.detail}"
    if record.termination is Termination.RULES:
        return state.status() if state.outcome() is not None else "ended by the rules"
    return f"{record.termination}: {record.detail}"


def board(frame: Frame) -> str:
    """Draw a position with the move that led there and the moves that the bot expected next."""
    return mark_foreseen(still(frame), frame.foreseen[:FORESEEN])


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


def _strips(replay: Replay) -> list[Strip]:
    first, last = replay.frames[0].state, replay.frames[-1].state
    seats = len(replay.names)
    has = (*last.material(), *[""] * seats)
    colours = colours_in(replay.row.game, seats)
    clocks = _clocks(replay)
    times = {replay.frames[ply].seat: text for ply, text in clocks.items()}
    return [
        Strip(
            seat=seat,
            name=replay.names[seat],
            seat_name=first.game.seat_names[seat],
            colour=colours[seat],
            score=replay.record.scores[seat],
            has=has[seat],
            time=times.get(seat) or _full_clock(replay, seat),
        )
        for seat in range(seats)
    ]


def _clocks(replay: Replay) -> dict[int, str]:
    """Write by ply what the mover's clock shows after it, or without one the time it has used."""
    used = [0] * len(replay.names)
    told = {}
    for frame in replay.frames:
        if frame.seat is None or frame.record is None or frame.is_luck:
            continue
        used[frame.seat] += frame.record.wall_ns
        spent = used[frame.seat]
        text = f"{short_time(spent)} used" if spent else ""
        told[frame.ply] = text if frame.left_s is None else clock_time(frame.left_s)
    return told


def _full_clock(replay: Replay, seat: int) -> str:
    """Write what a clock shows before the first move; '' without a clock."""
    control = replay.seat_limits[seat].control
    return clock_time(control.base_s) if control else ""


def _told(replay: Replay, frame: Frame) -> str:
    if frame.seat is None:
        return "The first position"
    number = numbered(replay, frame)
    if frame.is_luck:
        return f"{number} luck: {frame.move}"
    name = replay.names[frame.seat]
    record = frame.record
    if record is None:
        if replay.is_imported:
            return f"{number} {name}: {frame.move}"
        return f"{number} {frame.move}, of the opening"
    parts = [f"{number} {name}: {frame.move}"]
    if record.wall_ns:
        late = f" ({short_time(record.over_ns)} late)" if record.over_ns else ""
        parts.append(f"{short_time(record.wall_ns)}{late}")
    report = record.report
    if report is not None:
        parts += [each for each in (numbers(report), report.text) if each]
    return " · ".join(parts)


def _told_blunders(replay: Replay) -> list[ToldBlunder]:
    colours = colours_in(replay.row.game, len(replay.names))
    return [
        ToldBlunder(
            blunder=each,
            name=replay.names[each.seat],
            colour=colours[each.seat],
            move=f"{numbered(replay, frame)} {frame.move}",
        )
        for each in replay.blunders()
        for frame in (replay.frames[each.ply],)
    ]


def _chance_marks(replay: Replay) -> str:
    """Write the blunders for the chart's script: the ply and the percent shown there."""
    seen = {each.ply: 100 * seen_from(replay, each) for each in replay.chances}
    return " ".join(f"{each.ply}:{seen[each.ply]:.0f}" for each in replay.blunders())


def _times(replay: Replay) -> list[match_plots.PlotPoint]:
    return [
        match_plots.PlotPoint(frame.ply, frame.seat, frame.record.wall_ns / 1e6)
        for frame in replay.frames
        if frame.seat is not None and frame.record is not None and not frame.is_luck
    ]
