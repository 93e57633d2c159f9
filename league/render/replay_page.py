"""The page that replays one match, in the dashboard or as one file."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from games.chess.rules import Chess
from games.support.move_marks import mark_foreseen
from league.analysis.places import payoffs_told
from league.analysis.replay import Replay
from league.analysis.win_chance import Blunder, Chance, after_gaps, first_side_share, usual_size
from league.match.replay import Frame
from league.match.scores import places_to_show, results_of_scores
from league.model.model_calls import ModelCall
from league.model.number_format import (
    clock_time,
    half_points,
    ordinal,
    short_count,
    short_time,
    told_depth,
    told_score,
)
from league.model.records import ReportRecord, Result, Termination
from league.model.time_control import SeatClock
from league.render import match_plots
from league.render.data_uri import picture
from league.render.game_look import colours_in
from league.render.match_charts import (
    bar_meaning,
    is_two_sided,
    outlook_chart,
    seen_from,
    side_names,
    time_chart,
    told_scores,
)
from league.render.match_pictures import still
from league.render.move_rows import address_of, has_row_numbers, move_rows, number_of
from league.render.packed_boards import packed
from league.render.page_parts import bundled, page_style, policy_of, script_data
from league.render.template import render
from league.render.text.replay import call_lines

FORESEEN = 6
"""Maximum number of drawn moves of an expected line: more would be confusing."""

FACTS = ("Score", "Depth", "Nodes", "Speed", "Tables", "Time")
"""The names of what is shown of a move beside the move itself."""

FAULT_WORDS = {
    Termination.TIME_FORFEIT: "lost on time",
    Termination.ILLEGAL_MOVE: "lost by an illegal move",
    Termination.CRASH: "crashed",
    Termination.MEMORY_LIMIT: "used too much memory",
}
"""The words for each fault that lost a match."""

SPEEDS = tuple(range(1, 10))
"""The speeds of playing, in plies a second."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Strip:
    """A seat beside the board: who sits there, and what it has at the end of the match.

    `told` is its score, or its place among more than two sides.
    """

    seat: int
    name: str
    seat_name: str
    colour: str
    told: str
    result: Result
    has: str
    time: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldBlunder:
    """A blunder in words: `12… Nf3`, and what it cost."""

    blunder: Blunder
    name: str
    colour: str
    move: str
    address: str
    result: str

    @property
    def cost(self) -> str:
        """The chances before and after: `69% to 12%`, or `69%, then lost` at the end."""
        before, after = self.blunder.before, self.blunder.after
        if self.blunder.is_last:
            return f"{before:.0%}, then {self.result}"
        return f"{before:.0%} to {after:.0%}"


def replay_page(replay: Replay) -> str:
    """Return the page as one HTML file without external scripts, styles, fonts or pictures.

    Its charts are drawings: the script that draws those of the dashboard is larger than the page.
    """
    style, script = page_style("replay"), bundled("drawn_board.js", "move_list.js", "replay.js")
    plies = len(replay.frames) - 1
    return render(
        "replay.html",
        style=style,
        script=script,
        policy=policy_of(style, script),
        plot_chances=match_plots.chances(_points(replay), plies),
        plot_times=match_plots.times(_times(replay), plies),
        slowest=short_time(max((move.wall_ns for move in replay.record.moves), default=0)),
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
        "ending_detail": replay.record.detail if replay.record.fault_seat is not None else "",
        "has_chances": is_two_sided(replay) and bool(replay.chances),
        "has_lines": expected,
        "bar_meaning": bar_meaning(replay),
        "blunders": _told_blunders(replay),
        "headed_calls": _headed_calls(replay),
        "call_lines": call_lines,
        "speeds": SPEEDS,
        "is_turned": 'class="turns"' in replay.frames[0].state.svg(),
        "last_board": picture(still(replay.frames[-1])),
        "chances": outlook_chart(replay),
        "chance_marks": _chance_marks(replay),
        "times": time_chart(replay),
    }


def replay_data(replay: Replay) -> dict[str, Any]:
    """Return the data that the page's script steps through: boards, and the text of each ply."""
    drawings = [board(frame) for frame in replay.frames]
    expected = [each.svg() for frame in replay.frames if (each := frame.expected) is not None]
    rest = iter(range(len(drawings), len(drawings) + len(expected)))
    own = {each.ply: each.value for each in replay.chances}
    shares = _shares(replay)
    plies: list[dict[str, Any]] = []
    clocks = _clocks(replay)
    has: Sequence[str] = ()
    for frame in replay.frames:
        values: dict[str, Any] = {"told": _told(replay, frame)}
        if (address := address_of(frame)) != str(frame.ply):
            values["at"] = address
        if facts := _facts(frame, own.get(frame.ply)):
            values["facts"] = facts
        # After a fault the rules would let somebody move, but the match is over.
        if frame is not replay.frames[-1]:
            values["next"] = frame.state.to_move
        if frame.ply in clocks:
            values |= {"seat": frame.seat, "time": clocks[frame.ply]}
        if frame.expected is not None or len(frame.line) > 1:
            values["line"] = " ".join(frame.line)
        if frame.expected is not None:
            values["expected"] = next(rest)
        if frame.ply in shares:
            values["chance"] = shares[frame.ply]
        if has != (has := frame.state.material()):
            values["has"] = has
        plies.append(values)
    return {
        **packed([*drawings, *expected]),
        "plies": plies,
        "facts": FACTS,
        "swing": replay.biggest_swing(),
        "blunders": [each.ply for each in replay.blunders()],
        "times": [_full_clock(replay, seat) for seat in range(len(replay.names))],
        "first": side_names(replay)[0],
    }


def _shares(replay: Replay) -> dict[int, int]:
    """Return the first side's share of the evaluation bar in percent, where a ply changes it."""
    told = {each.ply: each for each in replay.chances}
    if not told or not is_two_sided(replay):
        return {}
    newest: dict[int, Chance] = {}
    found = {}
    for frame in replay.frames:
        if frame.ply in told:
            newest[told[frame.ply].seat] = told[frame.ply]
        elif frame is not replay.frames[-1]:
            continue
        share = first_side_share(frame.state, replay.sides, newest.values())
        if share is not None:
            found[frame.ply] = round(100 * share)
    return found


def ending(replay: Replay) -> str:
    """Say how the match ended: `White won by checkmate`, or `bot lost on time`."""
    record, state = replay.record, replay.frames[-1].state
    if record.fault_seat is not None:
        if reason := replay.untimed_reason:
            return f"{replay.names[record.fault_seat]} lost: it {reason.partition('; ')[0]}"
        fault = FAULT_WORDS.get(record.termination, f"lost by {record.termination}")
        is_late = record.termination is Termination.TIME_FORFEIT
        spent = record.fault_wall_ns if is_late else None
        told = "" if spent is None else f": no move after {short_time(spent)}"
        if is_late and record.scores[record.fault_seat]:
            return f"draw: {replay.names[record.fault_seat]} ran out of time{told}"
        return f"{replay.names[record.fault_seat]} {fault}{told}"
    if record.termination is Termination.RULES:
        told = state.status() if state.outcome() is not None else "ended by the rules"
        worth = payoffs_told(record.game, record.utilities)
        return told + (f": {worth}" if worth else "") + replay.stood_in
    return f"{record.termination}: {record.detail}{replay.stood_in}"


def board(frame: Frame) -> str:
    """Draw a position with the move that led there and the moves that the bot expected next."""
    return mark_foreseen(still(frame), frame.foreseen[:FORESEEN])


def _headed_calls(replay: Replay) -> list[tuple[int, str, Sequence[ModelCall]]]:
    """Return the calls of language models by the ply that shows them, each with a heading."""
    found: list[tuple[int, str, Sequence[ModelCall]]] = [
        (ply, f"ply {ply}: {replay.frames[ply].move}", calls)
        for ply, calls in sorted(replay.move_calls.items())
    ]
    if missing := replay.calls_without_move:
        found.append((replay.frames[-1].ply, f"ply {missing[0].ply + 1}: no move", missing))
    return found


def _strips(replay: Replay) -> list[Strip]:
    first, last = replay.frames[0].state, replay.frames[-1].state
    seats, scores = len(replay.names), replay.record.scores
    places, results = places_to_show(scores, replay.sides), results_of_scores(scores)
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
            told=ordinal(places[seat]) if places else half_points(scores[seat]),
            result=results[seat],
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
    return clock_time(SeatClock.of(control).left_s) if control else ""


def _told(replay: Replay, frame: Frame) -> str:
    if frame.seat is None:
        return "Starting position"
    number = number_of(frame)
    if frame.is_luck:
        return f"{number} luck: {frame.move}"
    name = replay.names[frame.seat]
    record = frame.record
    if record is None:
        if replay.is_imported:
            return f"{number} {name}: {frame.move}"
        return f"{number} {frame.move}, of the opening"
    if record.fault:
        return f"{number} played for {name}: {frame.move} · {record.fault}"
    parts = record.report.text.split(", ") if record.report else []
    # How a built-in search was run is no matter of the move.
    text = ", ".join(each for each in parts if each not in ("compiled", "pure"))
    return f"{number} {name}: {frame.move}{' · ' if text else ''}{text}"


def _facts(frame: Frame, chance: float | None) -> list[str]:
    """Write the values of a move in the order of `FACTS`, '' for those that it does not have."""
    record = frame.record
    if record is None or frame.is_luck:
        return []
    late = f" ({short_time(record.over_ns)} late)" if record.over_ns else ""
    told = record.report or ReportRecord()
    is_scored = told.score is not None or told.mate is not None
    score = told_score(told) if is_scored else ""
    if told.mate is None and (proven := told.text.partition(",")[0]) in ("won", "lost"):
        win = "mate" if isinstance(frame.state.game, Chess) else "win"
        score, chance = win if proven == "won" else "loss", None
    likely = "" if chance is None else f"({chance:.0%} to win)"
    facts = [
        " ".join(each for each in (score, likely) if each),
        told_depth(told),
        "" if told.nodes is None else short_count(told.nodes),
        "" if told.nps is None else f"{short_count(told.nps)}/s",
        short_count(told.tbhits) if told.tbhits else "",
        f"{short_time(record.wall_ns)}{late}" if record.wall_ns else "",
    ]
    return facts if any(facts) else []


def _told_blunders(replay: Replay) -> list[ToldBlunder]:
    colours = colours_in(replay.row.game, len(replay.names))
    scores = replay.record.scores
    places, results = places_to_show(scores, replay.sides), results_of_scores(scores)
    return [
        ToldBlunder(
            blunder=each,
            name=replay.names[each.seat],
            colour=colours[each.seat],
            move=f"{number_of(frame)} {frame.move}",
            address=address_of(frame),
            result=ordinal(places[each.seat]) if places else str(results[each.seat]),
        )
        for each in replay.blunders()
        for frame in (replay.frames[each.ply],)
    ]


def _chance_marks(replay: Replay) -> str:
    """Write the blunders for the chart's script: the ply and the percent shown there."""
    seen = {each.ply: 100 * seen_from(replay, each) for each in replay.chances}
    return " ".join(f"{each.ply}:{seen[each.ply]:.0f}" for each in replay.blunders())


def _points(replay: Replay) -> list[match_plots.PlotPoint]:
    """Return chances, or where there are none the scores, with the usual size at the edges."""
    colours = colours_in(replay.row.game, len(replay.names))
    if replay.chances:
        values = {(each.ply, each.seat): seen_from(replay, each) for each in replay.chances}
    else:
        told = told_scores(replay)
        most = 2 * usual_size(list(told.values()))
        values = {place: max(0.0, min(1.0, 0.5 + score / most)) for place, score in told.items()}
    gaps = after_gaps(replay.frames, values.keys())
    return [
        match_plots.PlotPoint(ply, seat, value, colours[seat], (ply, seat) in gaps)
        for (ply, seat), value in values.items()
    ]


def _times(replay: Replay) -> list[match_plots.PlotPoint]:
    colours = colours_in(replay.row.game, len(replay.names))
    return [
        match_plots.PlotPoint(
            frame.ply, frame.seat, frame.record.wall_ns / 1e6, colours[frame.seat]
        )
        for frame in replay.frames
        if frame.seat is not None and frame.record is not None and not frame.is_luck
    ]
