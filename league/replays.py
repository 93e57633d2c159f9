"""Replaying stored matches: every ply with its position and what the bot told."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from games import catalogue
from games.contract import CHANCE, State
from games.errors import MoveError
from games.marking import Points
from games.moves import WireMove, decode_move
from league.errors import UnknownRowError
from league.records import Limits, MatchRecord, MoveRecord, Termination
from league.referee.clocks import Clocks
from league.store import MatchRow, Store


@dataclass(frozen=True, slots=True)
class Frame:
    """The position after `ply` plies, and how it came about; ply 0 is the first position.

    `seat` is who moved, None at ply 0 and `CHANCE` where luck did; `record` is None for the plies
    of the opening. `line` is the principal variation the bot reported, in move texts, its own move
    first. `left_s` is what the mover's clock shows then, in seconds, None where it has none.
    `marks` are the points of the drawing that the move went through; `foreseen` are the seats and
    the points of the moves of the line that are still to come.
    """

    ply: int
    state: State
    seat: int | None = None
    move: str = ""
    record: MoveRecord | None = None
    line: tuple[str, ...] = ()
    left_s: float | None = None
    marks: Points = ()
    foreseen: tuple[tuple[int, Points], ...] = ()

    @property
    def is_luck(self) -> bool:
        """Whether it was luck that moved."""
        return self.seat == CHANCE

    @property
    def score(self) -> float | None:
        """The score that the bot reported, from its own view."""
        report = self.record.report if self.record else None
        return report.score if report else None

    def as_json(self) -> dict[str, Any]:
        """Return the ply as `league replay --json` prints it; times in nanoseconds."""
        record = self.record
        report = record.report if record else None
        return {
            "ply": self.ply,
            "seat": self.seat,
            "move": self.move,
            "is_opening": self.seat is not None and record is None,
            "wall_ns": record.wall_ns if record else None,
            "cpu_ns": record.cpu_ns if record else None,
            "over_ns": record.over_ns if record else None,
            "left_s": self.left_s,
            "depth": report.depth if report else None,
            "nodes": report.nodes if report else None,
            "score": report.score if report else None,
            "mate": report.mate if report else None,
            "seldepth": report.seldepth if report else None,
            "nps": report.nps if report else None,
            "tbhits": report.tbhits if report else None,
            "pv": list(self.line),
            "text": report.text if report else "",
            "board": self.state.render(),
        }


@dataclass(frozen=True, slots=True)
class Replay:
    """A stored match, ply by ply; `limits` are its tournament's, `handicaps` by seat.

    One that `is_imported` was played elsewhere: nobody knows when, nor what its moves cost.
    """

    row: MatchRow
    record: MatchRecord
    limits: Limits
    frames: tuple[Frame, ...]
    handicaps: tuple[float, ...] = ()
    is_imported: bool = False

    @property
    def seat_limits(self) -> tuple[Limits, ...]:
        """What each seat was held to."""
        return self.limits.by_seat(len(self.record.versions), self.handicaps)

    @property
    def names(self) -> tuple[str, ...]:
        """The bots by seat."""
        return tuple(str(each) for each in self.row.versions)

    @property
    def sides(self) -> tuple[int, ...]:
        """The sides of the game by seat."""
        return catalogue.find(self.record.game).sides

    @property
    def title(self) -> str:
        """Who played what, in one line."""
        return f"match {self.row.id}: {' – '.join(self.names)}, {self.row.game}"

    @property
    def ending(self) -> str:
        """How it ended, in one line."""
        points = " – ".join(f"{score:g}" for score in self.record.scores)
        if self.record.fault_seat is not None:
            name = self.names[self.record.fault_seat]
            return f"{points}, {self.record.termination}: {name} {self.record.detail}"
        if self.record.termination is Termination.RULES:
            return points
        return f"{points}, {self.record.termination}: {self.record.detail}"

    @property
    def last_asked(self) -> int | None:
        """The last ply at which a bot moved, not luck; None where none did."""
        asked = [frame.ply for frame in self.frames if frame.record and not frame.is_luck]
        return asked[-1] if asked else None

    def scores(self) -> list[tuple[int, int, float]]:
        """List ply, seat and reported score, of two sides all from the view of the first."""
        sides = self.sides
        found = []
        for frame in self.frames:
            if frame.seat is None or frame.is_luck or frame.score is None:
                continue
            is_turned = len(set(sides)) == 2 and sides[frame.seat] != sides[0]
            found.append((frame.ply, frame.seat, -frame.score if is_turned else frame.score))
        return found

    def biggest_swing(self) -> int | None:
        """Return the ply at which a bot's score changed most against its own last one.

        None where no bot reported two scores.
        """
        found = biggest_swing(self.frames)
        return found.ply if found else None

    def as_json(self) -> dict[str, Any]:
        """Return the match as `league replay --json` prints it."""
        return {
            "match": self.row.id,
            "tournament": self.row.tournament_id,
            "encounter": self.row.key.encounter,
            "rotation": self.row.key.rotation,
            "game": self.record.game,
            "bots": list(self.names),
            "versions": [each.version for each in self.row.versions],
            "is_imported": self.is_imported,
            "seed": self.record.seed,
            "time": [each.time for each in self.seat_limits],
            "scores": list(self.record.scores),
            "utilities": self.record.utilities,
            "termination": str(self.record.termination),
            "fault_seat": self.record.fault_seat,
            "detail": self.record.detail,
            "plies": [frame.as_json() for frame in self.frames],
        }


@dataclass(frozen=True, slots=True)
class Swing:
    """A bot that changed its mind: the scores it told before and at that ply."""

    ply: int
    seat: int
    before: float
    after: float

    @property
    def size(self) -> float:
        """How much the score changed, in the bot's own unit."""
        return abs(self.after - self.before)


def biggest_swing(frames: Iterable[Frame]) -> Swing | None:
    """Return the first of the largest changes of a seat's score against its own last one.

    None where no bot reported two scores.
    """
    last: dict[int, float] = {}
    best: Swing | None = None
    for frame in frames:
        if frame.seat is None or frame.score is None:
            continue
        if frame.seat in last:
            swing = Swing(frame.ply, frame.seat, last[frame.seat], frame.score)
            if best is None or swing.size > best.size:
                best = swing
        last[frame.seat] = frame.score
    return best


def load_replay(store: Store, match: int | None) -> Replay:
    """Return the match of that number, or the newest; raise `UnknownRowError`."""
    if match is None:
        newest = store.matches(limit=1)
        if not newest:
            raise UnknownRowError("no matches yet: 'league run' plays some", "match", None)
        match = newest[0].id
    row, record = store.match(match)
    config = store.tournament(row.tournament_id).config
    handicaps = config.handicaps_of(record.versions)
    limits = config.limits.by_seat(len(record.versions), handicaps)
    frames = tuple(frames_of(record, limits))
    return Replay(row, record, config.limits, frames, handicaps, config.is_imported)


def frames_of(record: MatchRecord, limits: Sequence[Limits] = ()) -> Iterator[Frame]:
    """Yield every position of a match, with its clocks where the seats' `limits` are given.

    Raises `MoveError` at a move that is not legal.
    """
    state = catalogue.find(record.game).initial()
    clocks = Clocks(limits)
    yield Frame(0, state)
    plies: list[tuple[WireMove, MoveRecord | None]] = [(wire, None) for wire in record.opening]
    plies += [(move.move, move) for move in record.moves]
    for ply, (wire, move_record) in enumerate(plies, 1):
        if state.outcome() is not None:
            raise MoveError(f"ply {ply}: the match is over", str(wire))
        try:
            seat, move = state.to_move, decode_move(state, wire)
        except MoveError as error:
            raise MoveError(f"ply {ply}: {error}", str(wire)) from None
        line, foreseen = _line(state, move_record)
        text, marks = state.text(move), state.marks(move)
        state = state.play(move)
        left_s = None
        if limits and move_record is not None and seat != CHANCE:
            clocks.spend(seat, move_record.wall_ns)
            left_s = clocks.left_s(seat)
        yield Frame(ply, state, seat, text, move_record, line, left_s, marks, foreseen)


def _line(
    state: State, record: MoveRecord | None
) -> tuple[tuple[str, ...], tuple[tuple[int, Points], ...]]:
    """Return the reported variation as texts, as far as it is legal: bots report anything.

    Then the seats and the marks of its moves but the first.
    """
    texts: list[str] = []
    marks: list[tuple[int, Points]] = []
    for wire in record.report.pv if record and record.report else ():
        if state.outcome() is not None:
            break
        try:
            move = decode_move(state, wire)
        except MoveError:
            break
        texts.append(state.text(move))
        marks.append((state.to_move, state.marks(move)))
        state = state.play(move)
    return tuple(texts), tuple(marks[1:])
