"""The page of a match in play: its board, both bots' views of it, and the list of its moves."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from games.support.errors import InputError
from games.support.game import CHANCE, Game
from games.support.moves import decode_move
from league.analysis.win_chance import chance_of, usual_size
from league.match.clocks import Clocks
from league.match.replay import Frame
from league.model.live_ply import LivePly
from league.model.number_format import clock_time, short_count, short_score, told_score
from league.model.records import Limits, MoveRecord, ReportRecord
from league.render.data_uri import picture
from league.render.match_pictures import still
from league.render.template import render

LINE_MAX = 10
"""How many moves of an expected line are shown."""

PROVEN = 0.98
"""The share of the evaluation bar for a match that is won."""


@dataclass(slots=True)
class LiveSeat:
    """A seat of a match in play: its bot, its clock, and what the bot told last.

    `likely` is the score at which the bot wins about 73 of 100 matches, None if unknown.
    `used_s` is the time of its moves so far, and `left_s` its clock's after its last one, None
    without a clock.
    """

    name: str
    colour: str
    likely: float | None = None
    used_s: float = 0.0
    left_s: float | None = None
    score: str = ""
    depth: str = ""
    nodes: str = ""
    line: str = ""
    scores: list[float] = field(default_factory=list)

    @property
    def clock(self) -> str:
        """The clock as it stood after the seat's last move."""
        return clock_time(self.used_s if self.left_s is None else self.left_s)


@dataclass(slots=True)
class LiveGame:
    """A match in play, ply by ply; `take` plays on what is new."""

    game: Game
    seats: list[LiveSeat]
    limits: Sequence[Limits]
    plies: tuple[LivePly, ...] = ()
    frames: list[Frame] = field(default_factory=list)
    advantage: float | None = None
    """The first side's share of the evaluation bar, 0 to 1, by the score that was told last."""
    _clocks: Clocks = field(init=False)

    def __post_init__(self) -> None:
        self._restart()

    def _restart(self) -> None:
        self._clocks = Clocks(self.limits)
        self.plies, self.advantage = (), None
        self.frames = [Frame(ply=0, state=self.game.initial())]
        for number, seat in enumerate(self.seats):
            seat.used_s, seat.left_s = 0.0, self._clocks.left_s(number)
            seat.score = seat.depth = seat.nodes = seat.line = ""
            seat.scores.clear()

    def take(self, plies: tuple[LivePly, ...]) -> int:
        """Play on to `plies`; return after how many of them nothing is new.

        A match begins again if it is played again, or if what it cost is known only now. Raises
        `InputError` if the rules refuse a move.
        """
        known = len(self.plies)
        if plies[:known] != self.plies:
            self._restart()
            known = 0
        for each in plies[known:]:
            self._play(each)
        self.plies = plies
        return known

    def _play(self, ply: LivePly) -> None:
        before = self.frames[-1].state
        seat, move = before.to_move, decode_move(before, ply.wire)
        record = None
        if ply.wall_ns is not None:
            record = MoveRecord(ply.wire, wall_ns=ply.wall_ns, report=ply.report)
        left_s = None
        if record is not None and seat != CHANCE:
            self._clocks.spend(seat, record.wall_ns)
            left_s = self._clocks.left_s(seat)
        frame = Frame(
            ply=len(self.frames),
            state=before.play(move),
            before=before,
            wire=ply.wire,
            played=move,
            seat=seat,
            record=record,
            left_s=left_s,
        )
        self.frames.append(frame)
        if record is not None and seat != CHANCE:
            mover = self.seats[seat]
            mover.used_s += record.wall_ns / 1e9
            mover.left_s = left_s
            self._hear(mover, frame)

    def _hear(self, seat: LiveSeat, frame: Frame) -> None:
        report = frame.record.report if frame.record else None
        if report is None:
            return
        seat.score = score_told(report)
        longest = "" if report.seldepth is None else f"/{report.seldepth}"
        seat.depth = "" if report.depth is None else f"{report.depth}{longest}"
        seat.nodes = "" if report.nodes is None else short_count(report.nodes)
        seat.line = " ".join(frame.line[:LINE_MAX])
        if report.score is None or not math.isfinite(report.score):
            return
        # Each bot has a unit of its own.
        seat.scores.append(report.score)
        sides = self.game.sides
        if len(set(sides)) == 2:
            is_first = sides[frame.seat or 0] == sides[0]
            chance = chance_of(report.score, seat.likely or usual_size(seat.scores))
            if report.mate is not None:
                chance = PROVEN if report.score > 0 else 1 - PROVEN
            self.advantage = chance if is_first else 1 - chance


def score_told(report: ReportRecord) -> str:
    """Write a score in few characters: `+0.35`, `+398`, or `#3`."""
    if report.mate is not None or report.score is None:
        return told_score(report)
    score = report.score
    return short_score(round(score) if abs(score) >= 100 else float(f"{score:.3g}"))


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveState:
    """What stands around the board: when the last move was made, and how the match ended.

    `match` is the number of the stored match, None before. `note` says why nothing moves.
    """

    moved_at_ms: int
    is_in_play: bool
    match: int | None = None
    ending: str = ""
    note: str = ""


def draw_live_state(live: LiveGame, state: LiveState) -> str:
    """Draw the board with both bots' clocks and views."""
    frame = live.frames[-1]
    try:
        drawing = still(frame)
    except InputError:
        drawing = frame.state.svg()
    return render(
        "_live_match.html",
        live=live,
        state=state,
        frame=frame,
        board=picture(drawing),
        to_move=frame.state.to_move if state.is_in_play else None,
        share=None if live.advantage is None else round(100 * live.advantage),
    )


def draw_live_move(frame: Frame) -> str:
    """Draw an item of the list of moves, in one line."""
    report = frame.record.report if frame.record else None
    score = score_told(report) if report else ""
    return render("_live_move.html", frame=frame, score=score).strip()
