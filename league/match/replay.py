"""Replaying a match record: every ply with its position and the bot's report."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from games.support.errors import MoveError
from games.support.game import CHANCE, Move, State
from games.support.move_marks import Points
from games.support.moves import WireMove, decode_move
from games.support.specs import find_game
from games.support.view import View
from league.match.clocks import Clocks
from league.model.number_format import told_score
from league.model.records import Limits, MatchRecord, MoveRecord, ReportRecord


@dataclass(frozen=True, kw_only=True)
class Frame:
    """The position after `ply` plies and the move that led to it; ply 0 is the initial position.

    `before` is the position in which `seat` made the move `played`, which records hold as `wire`:
    None at ply 0, where there is no seat either. A chance move has the seat `CHANCE`, and an
    opening ply no `record`. `left_s` is what the mover's clock then shows, None without a clock.
    """

    ply: int
    state: State
    before: State | None = None
    wire: WireMove = ""
    played: Move = ""
    seat: int | None = None
    record: MoveRecord | None = None
    left_s: float | None = None

    # Not slots: what few readers ask for is made when the first one does.

    @cached_property
    def move(self) -> str:
        """The text of the move, '' at ply 0."""
        return self.before.text(self.played) if self.before else ""

    @cached_property
    def marks(self) -> Points:
        """The points of the drawing that the move touches."""
        return self.before.marks(self.played) if self.before else ()

    @property
    def line(self) -> tuple[str, ...]:
        """The legal part of the reported principal variation as move texts."""
        return self._variation.texts

    @property
    def foreseen(self) -> tuple[tuple[int, Points], ...]:
        """The seat and the points of each further move of the line.

        Empty if the line begins with another move than the one played.
        """
        return self._variation.foreseen

    @property
    def expected(self) -> State | None:
        """The position at the end of the line; None if that tells nothing beyond this one."""
        return self._variation.end if self.foreseen else None

    @cached_property
    def _variation(self) -> "_Variation":
        return _read_line(self.before, self.wire, self.record) if self.before else _Variation()

    @property
    def is_luck(self) -> bool:
        """Whether this was a chance move."""
        return self.seat == CHANCE

    @property
    def score(self) -> float | None:
        """The score reported by the bot, from its own view."""
        report = self.record.report if self.record else None
        return report.score if report else None


UNSEEN = "…"
"""The text of a move of which a seat learns nothing."""


@dataclass(frozen=True, kw_only=True)
class SeenFrame(Frame):
    """A frame as a seat saw it: the position is its view, and `told` what it learnt of the move."""

    told: str

    @cached_property
    def move(self) -> str:
        """Its own move, what it has seen of another's, or `UNSEEN`."""
        return self.told

    @cached_property
    def marks(self) -> Points:
        """Nothing: a drawing does not show places of what is hidden."""
        return ()

    @cached_property
    def _variation(self) -> "_Variation":
        return _Variation()


def seen_by(frames: Iterable[Frame], seat: int) -> Iterator[Frame]:
    """Yield the frames of a match with secrets as a seat saw them."""
    known = 0
    for frame in frames:
        view = frame.state.view(seat)
        events = view.events if isinstance(view, View) else ()
        learnt, known = events[known:], len(events)
        is_own, record = frame.seat == seat, frame.record
        if not is_own and record is not None:
            record = replace(record, move="", report=None, fault=None)
        yield SeenFrame(
            ply=frame.ply,
            state=view,
            before=frame.before and frame.before.view(seat),
            seat=frame.seat,
            record=record,
            left_s=frame.left_s,
            told=frame.move if is_own or frame.before is None else "; ".join(learnt) or UNSEEN,
        )


@dataclass(frozen=True, slots=True)
class Swing:
    """A bot's change of mind: the scores it reported before and at this ply."""

    ply: int
    seat: int
    before: float
    after: float
    told: str
    """Both scores in words: `from +0.35 to #3`."""

    @property
    def size(self) -> float:
        """The size of the change, in the bot's own unit."""
        return abs(self.after - self.before)


def biggest_swing(frames: Iterable[Frame]) -> Swing | None:
    """Return the largest change of a seat's score, the first if several tie; None without any.

    A won match has one score, whatever the number of moves to mate.
    """
    last: dict[int, ReportRecord] = {}
    best: Swing | None = None
    for frame in frames:
        report = frame.record.report if frame.record else None
        if frame.seat is None or report is None or report.score is None:
            continue
        before = last.get(frame.seat)
        if before is not None and before.score is not None and before.score != report.score:
            told = f"from {_told(before)} to {_told(report)}"
            swing = Swing(frame.ply, frame.seat, before.score, report.score, told)
            if best is None or swing.size > best.size:
                best = swing
        last[frame.seat] = report
    return best


def _told(report: ReportRecord) -> str:
    """Write a score, and what the built-in searches say that it proves."""
    score, proven = told_score(report), report.text.split(",")[0]
    return f"{score} ({proven})" if report.mate is None and proven in ("won", "lost") else score


def frames_of(record: MatchRecord, limits: Sequence[Limits] = ()) -> Iterator[Frame]:
    """Yield every position of a match; raise `MoveError` at an illegal move.

    Clocks are included if the seats' `limits` are given.
    """
    state = find_game(record.game).initial()
    clocks = Clocks(limits)
    yield Frame(ply=0, state=state)
    plies: list[tuple[WireMove, MoveRecord | None]] = [(wire, None) for wire in record.opening]
    plies += [(move.move, move) for move in record.moves]
    for ply, (wire, move_record) in enumerate(plies, 1):
        if state.outcome() is not None:
            raise MoveError(f"ply {ply}: the match is over", str(wire))
        try:
            seat, move = state.to_move, decode_move(state, wire)
        except MoveError as error:
            raise MoveError(f"ply {ply}: {error}", str(wire)) from None
        before, state = state, state.play(move)
        left_s = None
        if limits and move_record is not None and seat != CHANCE:
            clocks.spend(seat, move_record.wall_ns)
            left_s = clocks.left_s(seat)
        yield Frame(
            ply=ply,
            state=state,
            before=before,
            wire=wire,
            played=move,
            seat=seat,
            record=move_record,
            left_s=left_s,
        )


@dataclass(frozen=True, slots=True)
class _Variation:
    """An expected line of play: its moves as texts, what to mark of those to come, and its end."""

    texts: tuple[str, ...] = ()
    foreseen: tuple[tuple[int, Points], ...] = ()
    end: State | None = None


def _read_line(state: State, played: WireMove, record: MoveRecord | None) -> _Variation:
    """Return the legal part of the reported variation, since bots report anything."""
    texts: list[str] = []
    marks: list[tuple[int, Points]] = []
    moves: list[Move] = []
    made = decode_move(state, played)
    for wire in record.report.pv if record and record.report else ():
        if state.outcome() is not None:
            break
        try:
            move = decode_move(state, wire)
        except MoveError:
            break
        texts.append(state.text(move))
        marks.append((state.to_move, state.marks(move)))
        moves.append(move)
        state = state.play(move)
    is_played = moves[:1] == [made]
    return _Variation(tuple(texts), tuple(marks[1:]) if is_played else (), state)
