"""What the referee asks of a seat, and how a seat fails."""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Protocol

from games.support.game import Game, State
from games.support.moves import WireMove
from league.model.records import Limits, ReportRecord, Termination


@dataclass(frozen=True, slots=True)
class Answer:
    """A move as a seat answered it, not yet known to be legal, and what it cost.

    `wire` is what came in, at most a few hundred characters of it when it is no move at all.
    """

    wire: object
    _: KW_ONLY
    wall_ns: int
    cpu_ns: int | None
    over_ns: int
    report: ReportRecord | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveBudget:
    """What one answer may cost; every limit that is given holds.

    Times in seconds, `depth` in plies. `move_s` is the time for this answer, None where it is free;
    `grace_s` is how late it may be and still count, and `cap_s` bounds the wait where time is free.
    `left_s` is what each seat's clock shows and `increments_s` what comes on top after each of its
    moves, both () where there are no clocks; `seat` is who is asked, `moves_to_go` the moves until
    its next session.
    """

    move_s: float | None = None
    depth: int | None = None
    nodes: int | None = None
    grace_s: float = 0.05
    cap_s: float = 60.0
    left_s: tuple[float, ...] = ()
    increments_s: tuple[float, ...] = ()
    seat: int = 0
    moves_to_go: int | None = None

    @classmethod
    def of(cls, limits: Limits, seats: int) -> "MoveBudget":
        """Return the budget of each answer under a tournament's limits, in a game of `seats`."""
        return cls(
            move_s=limits.move_s,
            depth=limits.plies(seats),
            nodes=limits.nodes,
            grace_s=limits.grace_s,
            cap_s=limits.cap_s,
        )

    @property
    def is_by_clock(self) -> bool:
        """Whether it is the clock that bounds the answer, not a time for the move."""
        return bool(self.left_s) and (self.move_s is None or self.left_s[self.seat] <= self.move_s)

    @property
    def limit_s(self) -> float | None:
        """The time after which the answer is late, None where time is free."""
        return self.left_s[self.seat] if self.is_by_clock else self.move_s

    @property
    def allowed_s(self) -> float:
        """The time after which the answer does not count."""
        limit = self.limit_s
        return self.cap_s if limit is None else limit + self.grace_s


class SeatFault(Exception):
    """A bot's own fault: it loses the match for the reason `termination`, told in `detail`.

    To resign is no fault and ends the match alike, by `Termination.RESIGNATION`.

    `wall_ns` and `cpu_ns` are what it had taken of time when a move ran out of it.
    """

    def __init__(
        self,
        termination: Termination,
        detail: str,
        wall_ns: int | None = None,
        cpu_ns: int | None = None,
    ) -> None:
        super().__init__(detail)
        self.termination = termination
        self.detail = detail
        self.wall_ns = wall_ns
        self.cpu_ns = cpu_ns


class SeatKilled(Exception):
    """Somebody outside killed the bot's process: nobody's fault, at first."""


class Seat(Protocol):
    """A bot that sits at the board; kept between matches, restarted after a failure."""

    @property
    def log(self) -> str:
        """The tail of what the bot wrote to its log in this match."""

    def start(self) -> None:
        """Start the bot unless it runs; raise `SeatFault` when it can't be started in time.

        Raises `OSError` when the host has no room for another process.
        """

    def new_match(self, game: Game, seat: int, seed: int, opening: Sequence[WireMove]) -> None:
        """Tell the bot of a new match; raise `SeatFault` when it fails at that, `SeatKilled`."""

    def ask(self, state: State, history: Sequence[WireMove], budget: MoveBudget) -> Answer:
        """Ask for a move after `history`; raise `SeatFault` when none comes, `SeatKilled`."""

    def stop(self) -> None:
        """End the bot with all its processes; it may be started again."""
