"""What the page of a match in the browser shows: immutable values, and their JSON."""

import re
import time
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from html import unescape
from typing import Any, Self

from games.support.game import Game, State
from games.support.move_marks import Points, mark_last
from league.model.number_format import short_time
from league.render.pointing import has_own_columns

_TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)
_SHOWN = ("seat", "text", "wall_ns", "took", "told")
"""What the list of moves shows of a ply."""


class Phase(StrEnum):
    """Whom a match waits for, if for anybody."""

    STARTING = "starting"
    PERSON = "person"
    BOT = "bot"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class PlayPly:
    """A move with what its bot `told` of it, the position after it, and where to mark it."""

    seat: int
    text: str
    wall_ns: int
    told: str
    state: State
    points: Points

    @property
    def took(self) -> str:
        """Write its time, '' for none."""
        return short_time(self.wall_ns) if self.wall_ns else ""


@dataclass(frozen=True, slots=True)
class LegalMove:
    """A move with the points to press: one for a placement, from and to, or none."""

    text: str
    points: Points


@dataclass(frozen=True, slots=True)
class PlayBoard:
    """A drawn position, what the drawing says of it, and the moves that a person may make.

    A stone hides the mark below it where the drawing has a board of the mark's colour: `newest`.
    """

    board: str
    moves: tuple[LegalMove, ...]
    newest: tuple[int, int] | None
    position: str

    @classmethod
    def after(cls, plies: Sequence[PlayPly], game: Game, *, is_asked: bool = False) -> Self:
        """Draw the position after these plies, with the legal moves if a person `is_asked`."""
        state, last = (plies[-1].state, plies[-1].points) if plies else (game.initial(), ())
        moves = state.legal_moves() if is_asked else ()
        drawing = state.svg()
        title = _TITLE.search(drawing)
        return cls(
            board=mark_last(drawing, last),
            moves=tuple(LegalMove(state.text(move), state.marks(move)) for move in moves),
            newest=last[0] if len(last) == 1 else None,
            # 'White to move, in check'
            position=unescape(title[1]).removeprefix(f"{game.title}: ") if title else "",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayView:
    """How a match stands; every change makes another view with the next `revision`.

    `said` is the last move in words, `mover` the seat to move, and `used_s` the time of each seat.
    The turn began at `turn_s` of the monotonic clock, and a bot has `limit_s` for it. `results` are
    those by seat of a match that has some.
    """

    revision: int
    phase: Phase
    status: str
    board: PlayBoard
    plies: tuple[PlayPly, ...]
    said: str
    mover: int | None
    used_s: tuple[float, ...]
    turn_s: float
    limit_s: float | None
    can_undo: bool
    results: tuple[str, ...] | None
    log: str

    @property
    def is_over(self) -> bool:
        """Whether nothing can be played any more."""
        return self.phase is Phase.OVER

    @property
    def told(self) -> str:
        """Return what a bot told of the last move."""
        return self.plies[-1].told if self.plies else ""

    def data(self) -> dict[str, Any]:
        """Return what `static/play.js` shows, for JSON: the fields, and those of the board."""
        return {
            **{field.name: getattr(self, field.name) for field in fields(self)},
            **asdict(self.board),
            "plies": [{name: getattr(ply, name) for name in _SHOWN} for ply in self.plies],
            "told": self.told,
            "has_result": self.results is not None,
            "since_s": 0.0 if self.is_over else time.monotonic() - self.turn_s,
        }

    def data_at(self, ply: int, game: Game) -> dict[str, Any]:
        """Return the JSON of the board after a ply, the last one if there are fewer."""
        plies = self.plies[:ply]
        return {**asdict(PlayBoard.after(plies, game)), "ply": len(plies)}


def is_pressed_by_column(game: Game) -> bool:
    """Whether any place of a column stands for the only move there, as in Connect Four."""
    state = game.initial()
    if state.to_move < 0:
        return False
    points: Sequence[Points] = [state.marks(move) for move in state.legal_moves()]
    columns: list[Collection[int]] = [{x for x, _ in each} for each in points]
    return all(len(each) == 1 for each in points) and has_own_columns(columns)


def is_played_upwards(game: Game) -> bool:
    """Whether pieces go from one place to another, so that each person has an own side below."""
    state = game.initial()
    return game.seats == 2 and state.to_move >= 0 and len(state.marks(state.legal_moves()[0])) > 1
