"""The conduct of bots besides their moves: starts, preparation, and deaths by SIGKILL."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from games.support.moves import WireMove
from league.model.records import Conduct, MoveFault, ReportRecord

Ply = tuple[WireMove, int, int | None, int, ReportRecord | None, MoveFault | None]
"""A move and its costs, in the order of the fields of `MoveRecord`."""

KILLS = 5
"""A bot is forgiven so many deaths by SIGKILL in a tournament, if others may have sent it."""

KILLS_A_MATCH = 2
"""A bot is forgiven so many of them in one match; the next is a crash."""

FAILED_STARTS = 5
"""A bot is suspended after it has failed to start so often in a row."""

STARTS_AT_ONCE, STARTS_A_MATCH = 6.0, 0.2
"""A bot's budget for preparation in a tournament and for each match, in limits of a start."""


@dataclass(slots=True)
class Visit:
    """A bot's starts, preparation and deaths in one match.

    `has_started` is None if it ran already. `preparation_ns` is the time it took to start and to
    prepare; `kills` counts deaths by SIGKILL whose sender is unknown.
    """

    has_started: bool | None = None
    preparation_ns: int = 0
    kills: int = 0
    reason: str = ""

    @property
    def is_notable(self) -> bool:
        """Whether the runner has to know about it."""
        return self.has_started is not None or bool(self.kills or self.preparation_ns)


def after(conduct: Conduct, visit: Visit) -> Conduct:
    """Return a bot's conduct after a visit; the caller counts the matches."""
    failed = visit.has_started is False
    in_a_row = 0 if visit.has_started else conduct.failed_in_a_row + failed
    is_suspended = failed and in_a_row >= FAILED_STARTS
    reason = f"it failed to start {FAILED_STARTS} times in a row: {visit.reason}"
    return replace(
        conduct,
        kills=conduct.kills + visit.kills,
        failed_starts=conduct.failed_starts + failed,
        failed_in_a_row=in_a_row,
        preparation_ms=conduct.preparation_ms + visit.preparation_ns // 1_000_000,
        suspended=conduct.suspended or (reason if is_suspended else ""),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Leeway:
    """The faults that a bot may still commit in a match.

    `kills` are deaths by SIGKILL whose sender is unknown, `outside_kills` those that only another
    program can have sent; after one too many the bot has crashed. `preparation_s` is the time left
    for starting and preparing, None without limit. A bot that is `suspended` may not start, for
    that reason.
    """

    kills: int = KILLS_A_MATCH
    outside_kills: int = 1
    preparation_s: float | None = None
    suspended: str = ""

    @classmethod
    def of(cls, conduct: Conduct, start_s: float, kills: int, outside_kills: int) -> "Leeway":
        """Return the leeway in a match in which the bot has died `kills` times already.

        `start_s` is its limit of a start in seconds.
        """
        allowed_s = start_s * (STARTS_AT_ONCE + STARTS_A_MATCH * conduct.matches)
        return cls(
            kills=min(KILLS - conduct.kills, KILLS_A_MATCH) - kills,
            outside_kills=outside_kills,
            preparation_s=allowed_s - conduct.preparation_ms / 1e3,
            suspended=conduct.suspended,
        )


LEEWAY = Leeway()
"""The leeway of a bot without a past."""


@dataclass(slots=True)
class MatchNotes:
    """A match as it goes: every ply, opening first, and each bot's visit.

    `moves` are those since the opening, with their costs. `seat` has one number, the seat to move,
    perhaps in memory that another process reads.
    """

    history: list[WireMove] = field(default_factory=list)
    moves: list[Ply] = field(default_factory=list)
    visits: Sequence[Visit] = ()
    seat: "list[int] | memoryview[int]" = field(default_factory=lambda: [0])
