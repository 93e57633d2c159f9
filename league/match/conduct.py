"""How bots behave besides their moves: starts, preparation, and deaths by SIGKILL."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from games.support.moves import WireMove

KILLS = 5
"""A bot is forgiven so many deaths by SIGKILL in a tournament, if others may have sent it."""

KILLS_A_MATCH = 2
"""A bot is forgiven so many of them in one match; the next is a crash."""

FAILED_STARTS = 5
"""A bot is suspended after it has failed to start so often in a row."""


@dataclass(slots=True)
class Visit:
    """What a bot has done in a match besides its moves.

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Leeway:
    """What a bot is still forgiven in a tournament.

    `kills` are deaths by SIGKILL whose sender is unknown, `outside_kills` those that only another
    program can have sent; after one too many the bot has crashed. After `failed_starts` in a row it
    is suspended. `preparation_s` is the time left for starting and preparing, None without limit. A
    bot that is `suspended` may not start, for that reason.
    """

    kills: int = KILLS
    outside_kills: int = 1
    failed_starts: int = FAILED_STARTS
    preparation_s: float | None = None
    suspended: str = ""

    def after(self, visit: Visit) -> "Leeway":
        """Return what is left after a visit."""
        if not visit.is_notable:
            return self
        left = self.failed_starts
        if visit.has_started is not None:
            left = FAILED_STARTS if visit.has_started else left - 1
        taken_s, given_s = visit.preparation_ns / 1e9, self.preparation_s
        suspended = "" if left > 0 else f"it failed to start {FAILED_STARTS} times in a row: "
        return replace(
            self,
            kills=self.kills - visit.kills,
            failed_starts=left,
            preparation_s=None if given_s is None else given_s - taken_s,
            suspended=self.suspended or (suspended and suspended + visit.reason),
        )


LEEWAY = Leeway()
"""A bot without a past."""


@dataclass(slots=True)
class MatchNotes:
    """A match as it goes: every ply, opening first, and each bot's visit.

    `seat` has one number, the seat to move, perhaps in memory that another process reads.
    """

    history: list[WireMove] = field(default_factory=list)
    visits: Sequence[Visit] = ()
    seat: "list[int] | memoryview[int]" = field(default_factory=lambda: [0])
