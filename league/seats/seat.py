"""The referee's interface to a seat, and its faults."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple, Protocol

from games.support.game import Game, State
from games.support.moves import WireMove
from league.model.records import Limits, ReportRecord, Termination
from league.model.time_control import SeatClock


class SeatAnswer(NamedTuple):
    """A seat's answer, not yet checked for legality, and its cost.

    `wire` is the raw input, cut to a few hundred characters if it is no move.
    """

    wire: object
    wall_ns: int
    cpu_ns: int | None
    over_ns: int
    report: ReportRecord | None = None


class MoveBudget(NamedTuple):
    """The limits on one answer; all given ones apply. Times in seconds, `depth` in plies.

    `move_s` is the time for this answer, None for no limit; `grace_s` is how late it may be and
    still count, and `cap_s` bounds untimed waits. `left_s` are the seats' clocks and `increments_s`
    what each gains per move, both () without clocks; `seat` is to move, and `clock` is its own.
    """

    move_s: float | None = None
    depth: int | None = None
    nodes: int | None = None
    grace_s: float = 0.05
    cap_s: float = 60.0
    left_s: tuple[float, ...] = ()
    increments_s: tuple[float, ...] = ()
    seat: int = 0
    clock: SeatClock | None = None

    @staticmethod
    @lru_cache(maxsize=64)
    def of(limits: Limits, seats: int) -> "MoveBudget":
        """Return the budget of each answer under a tournament's limits, with `seats` seats."""
        return MoveBudget(
            move_s=limits.move_s,
            depth=limits.plies(seats),
            nodes=limits.nodes,
            grace_s=limits.grace_s,
            cap_s=limits.cap_s,
        )

    @property
    def moves_to_go(self) -> int | None:
        """The moves until the next period of the seat's clock; None if none comes."""
        return self.clock.moves_to_go if self.clock else None

    @property
    def is_by_clock(self) -> bool:
        """Whether the clock limits the answer, not a time per move."""
        return bool(self.left_s) and (self.move_s is None or self.left_s[self.seat] <= self.move_s)

    @property
    def limit_s(self) -> float | None:
        """The time after which the answer is late; None if unlimited."""
        return self.left_s[self.seat] if self.is_by_clock else self.move_s

    @property
    def allowed_s(self) -> float:
        """The time after which the answer does not count."""
        limit = self.limit_s
        return self.cap_s if limit is None else limit + self.grace_s

    @property
    def allowed_text(self) -> str:
        """Say which time is allowed: `0.1 s and 0.05 s grace`."""
        limit = self.limit_s
        if limit is None:
            return f"the cap of {self.cap_s:g} s on any answer"
        if self.is_by_clock:
            return f"the {limit:.3f} s that its clock had and {self.grace_s:g} s grace"
        return f"{limit:g} s and {self.grace_s:g} s grace"


class SeatFault(Exception):
    """A bot's own fault, for which it loses the match; `detail` describes it.

    Resignation, though no fault, is raised in the same way. `wall_ns` and `cpu_ns` are the time
    used when a move ran out of it.
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


class SeatUnavailable(Exception):
    """What a bot needs is not there, which is nobody's fault: the match waits for it.

    The text names the bot: "the provider of bot 'gpt' at https://HOST/v1 answered with status 503".
    If it is `lasting`, no wait helps.
    """

    def __init__(self, text: str, *, lasting: bool = False) -> None:
        super().__init__(text)
        self.lasting = lasting


class SeatKilled(Exception):
    """The bot's process died by SIGKILL; who sent it is unknown unless it `is_from_outside`."""

    def __init__(self, detail: str, *, is_from_outside: bool = False) -> None:
        super().__init__(detail)
        self.is_from_outside = is_from_outside


class Seat(Protocol):
    """A bot at the board; kept between matches, restarted after a failure."""

    @property
    def is_elsewhere(self) -> bool:
        """Whether it computes on no core of this machine, and so beside any other seat."""

    @property
    def log(self) -> str:
        """The tail of the bot's log in this match."""

    @property
    def output(self) -> str:
        """The tail of what the bot printed in this match: its log without any conversation."""

    def start(self) -> int:
        """Start the bot unless it runs, and return how long that took in ns.

        The time for which it was kept from computing does not count. Raises `SeatFault`, or
        `OSError` if the host lacks room.
        """

    def new_match(self, game: Game, seat: int, seed: int, opening: Sequence[WireMove]) -> None:
        """Announce a new match; raise `SeatFault` if the bot fails, `SeatKilled`."""

    def ask(self, state: State, history: Sequence[WireMove], budget: MoveBudget) -> SeatAnswer:
        """Request a move after `history`.

        Raises `SeatFault` if none comes, `SeatKilled`, and `SeatUnavailable`.
        """

    def see_end(self, state: State) -> None:
        """Show a seat that computes elsewhere the last position of a match, as it may see it."""

    def stop(self) -> None:
        """Kill the bot with all its processes; it can be started again."""
