"""The page of a match in play: its board between the bots' strips, and the list of its moves."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from games.support.errors import InputError
from games.support.game import CHANCE, Game
from games.support.moves import decode_move
from league.analysis.win_chance import (
    Chance,
    chance_of,
    first_side_share,
    usual_size,
    win_chances,
)
from league.match.clocks import Clocks
from league.match.replay import Frame
from league.model.live_ply import LivePly
from league.model.number_format import (
    clock_time,
    short_count,
    short_score,
    told_depth,
    told_score,
    true_minus,
)
from league.model.records import Limits, MoveRecord, ReportRecord
from league.render.data_uri import picture
from league.render.match_charts import bar_meaning, outlook_chart, side_names
from league.render.match_pictures import still
from league.render.move_rows import number_in_list, number_of
from league.render.template import render

LINE_MAX = 10
"""Maximum number of shown moves of an expected line."""

STATE_PARTS = ("head", "stage", "told", "chart")
"""The parts of the page that a move changes, beside the list of moves."""

CERTAIN = 0.9995
"""A chance from which a win is announced."""


@dataclass(slots=True)
class LiveSeat:
    """A seat of a match in play: its bot, its clock, and what the bot told last.

    `bot` is the bot without its version, and `seat_name` what the game calls the seat. `likely` is
    the score at which the bot wins about 73 of 100 matches, None if unknown. `used_s` is the time
    of its moves so far, and `left_s` its clock's after its last one, None without a clock.
    `chance` is the bot's own view of its chance to win, None before it told a score.
    """

    name: str
    colour: str
    likely: float | None = None
    bot: str = ""
    seat_name: str = ""
    used_s: float = 0.0
    left_s: float | None = None
    chance: float | None = None
    is_proven: bool = False
    score: str = ""
    depth: str = ""
    nodes: str = ""
    line: str = ""
    scores: list[float] = field(default_factory=list)

    @property
    def clock(self) -> str:
        """The clock as it stood after the seat's last move."""
        return clock_time(self.used_s if self.left_s is None else self.left_s)

    def restart(self, left_s: float | None) -> None:
        """Forget the match, and set the clock."""
        self.used_s, self.left_s = 0.0, left_s
        self.chance, self.is_proven = None, False
        self.score = self.depth = self.nodes = self.line = ""
        self.scores.clear()

    def told(self, report: ReportRecord) -> str:
        """Write a score in few characters: `+0.35`, `+398`, or `#3`.

        All scores of a bot have two decimals if one has any, save large ones.
        """
        score = report.score
        if report.mate is not None or score is None:
            return told_score(report)
        if abs(score) >= 100:
            return short_score(round(score))
        if all(each.is_integer() for each in (*self.scores, score)):
            return short_score(score)
        rounded = round(score, 2)
        return true_minus(f"{rounded:+.2f}") if rounded else "0.00"

    def hear(self, report: ReportRecord, line: Sequence[str]) -> None:
        """Take a report of the bot with the legal part of its expected line."""
        told = self.told(report)
        if self.score and (not told or report.depth == 0):
            # A forced move tells less than the search before it.
            return
        self.score = told
        self.depth = told_depth(report)
        self.nodes = "" if report.nodes is None else short_count(report.nodes)
        self.line = " ".join(line[:LINE_MAX])
        if report.score is None or not math.isfinite(report.score):
            return
        self.scores.append(report.score)
        self.is_proven = report.mate is not None
        # Each bot has a unit of its own.
        likely = self.likely or usual_size(self.scores)
        self.chance = float(report.score > 0) if self.is_proven else chance_of(report.score, likely)


@dataclass(slots=True)
class LiveGame:
    """A match in play, ply by ply; `take` plays on what is new."""

    game: Game
    seats: list[LiveSeat]
    limits: Sequence[Limits]
    plies: tuple[LivePly, ...] = ()
    frames: list[Frame] = field(default_factory=list)
    _clocks: Clocks = field(init=False)

    def __post_init__(self) -> None:
        self._restart()

    @property
    def has_chances(self) -> bool:
        """Whether scores tell who wins, not how many points somebody gets."""
        return self.game.utility_bounds == (-1.0, 1.0)

    @property
    def names(self) -> list[str]:
        """The bots by seat."""
        return [seat.name for seat in self.seats]

    @property
    def sides(self) -> tuple[int, ...]:
        """The sides of the game by seat."""
        return self.game.sides

    def is_opening(self, frame: Frame) -> bool:
        """Whether the move was set before the bots began; False as long as nobody can know."""
        return 0 < frame.ply <= _opening_plies(self.plies)

    @property
    def chances(self) -> list[Chance]:
        """The chances to win that the bots told so far, as those of a replay."""
        likely = [seat.likely for seat in self.seats]
        return win_chances(self.frames, likely) if self.has_chances else []

    @property
    def advantage(self) -> float | None:
        """The first side's share of the evaluation bar, 0 to 1; None without a score to tell it.

        `first_side_share` defines it.
        """
        if len(set(self.sides)) != 2 or not self.has_chances:
            return None
        newest = [
            Chance(len(self.plies), place, seat.chance, seat.is_proven)
            for place, seat in enumerate(self.seats)
            if seat.chance is not None
        ]
        return first_side_share(self.frames[-1].state, self.sides, newest)

    def _restart(self) -> None:
        self._clocks = Clocks(self.limits)
        self.plies = ()
        self.frames = [Frame(ply=0, state=self.game.initial())]
        for number, seat in enumerate(self.seats):
            seat.restart(self._clocks.left_s(number))

    def take(self, plies: tuple[LivePly, ...]) -> int:
        """Play on to `plies`; return after how many of them nothing is new.

        A match begins again if it is played again, or if what it cost is known only now: that
        tells which moves are of the opening. Raises `InputError` if the rules refuse a move.
        """
        known = len(self.plies)
        if plies[:known] != self.plies or _opening_plies(plies) > _opening_plies(self.plies):
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
            if record.report is not None:
                mover.hear(record.report, frame.line)


def _opening_plies(plies: Sequence[LivePly]) -> int:
    """Count the plies before the first one that cost something; 0 if none did."""
    for number, each in enumerate(plies):
        if each.wall_ns is not None:
            return number
    return 0


def chance_told(chance: float) -> str:
    """Write a bot's own chance to win.

    >>> chance_told(0.614), chance_told(1.0), chance_told(0.0001)
    ('61% to win', 'sees a win', 'sees a loss')
    """
    if chance >= CERTAIN:
        return "sees a win"
    return "sees a loss" if chance <= 1 - CERTAIN else f"{chance:.0%} to win"


def result_told(
    names: Sequence[str], seat_names: Sequence[str], scores: Sequence[float], how: str
) -> str:
    """Say who won a match and how it ended, by name: `deep (White) won by checkmate`."""
    winners = [seat for seat, score in enumerate(scores) if score == max(scores)]
    if len(winners) > 1:
        return f"{how[0].upper()}{how[1:]}"
    (winner,) = winners
    reason = how.removeprefix(f"{seat_names[winner]} won").removeprefix(":").strip()
    comma = " " if reason.startswith("by ") else ": "
    return f"{names[winner]} ({seat_names[winner]}) won{comma if reason else ''}{reason}"


class LivePhase(StrEnum):
    """The phase of a match, from its first move until its record is stored."""

    LIVE = "Live"
    ENDED = "Ended"
    STOPPED = "Stopped"
    FINISHED = "Finished"

    @property
    def note(self) -> str:
        """Why nothing moves although no result is shown; '' where that is plain."""
        return _NOTES.get(self, "")


_NOTES = {
    LivePhase.ENDED: "The result is about to be stored.",
    LivePhase.STOPPED: "Nobody runs the tournament any more: "
    "'league resume' plays this match again.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveState:
    """The facts around the board: the time of the last move, and the end of the match.

    `match` is the number of the stored match, None before, `scores` its points by seat, and
    `places` those of more than two sides.
    `has_next` tells whether the tournament goes on.
    """

    moved_at_ms: int
    phase: LivePhase = LivePhase.LIVE
    match: int | None = None
    ending: str = ""
    scores: Sequence[float] = ()
    places: Sequence[int] = ()
    has_next: bool = False


def draw_live_state(live: LiveGame, state: LiveState, tournament: int = 0) -> dict[str, str]:
    """Draw all but the list of moves, by part: head, board with its strips, move and chart."""
    frame = live.frames[-1]
    try:
        drawing = still(frame)
    except InputError:
        drawing = frame.state.svg()
    share = live.advantage
    values = {
        "live": live,
        "state": state,
        "frame": frame,
        "number": number_of(frame),
        "is_opening": live.is_opening(frame),
        "side": side_names(live)[0],
        "bar_meaning": bar_meaning(live),
        "tournament": tournament,
        "chance_told": chance_told,
        "has": (*frame.state.material(), *[""] * len(live.seats)),
        "board": picture(drawing),
        "to_move": frame.state.to_move if state.phase is LivePhase.LIVE else None,
        "share": None if share is None else round(100 * share),
        "chart": outlook_chart(live),
    }
    return {name: render(f"_live_{name}.html", **values) for name in STATE_PARTS}


def draw_live_move(live: LiveGame, frame: Frame) -> str:
    """Draw an item of the list of moves, in one line."""
    report = frame.record.report if frame.record else None
    score = live.seats[frame.seat].told(report) if report and frame.seat is not None else ""
    return render(
        "_live_move.html",
        frame=frame,
        number=number_in_list(frame),
        score=score,
        is_opening=live.is_opening(frame),
    ).strip()
