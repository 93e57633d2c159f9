"""How bots behave besides their moves: starts, preparation, and deaths by SIGKILL."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from games.support.moves import WireMove


@dataclass(frozen=True, slots=True, kw_only=True)
class Leeway:
    """What a bot is still forgiven in a match.

    `kills` are deaths by SIGKILL whose sender is unknown, `outside_kills` those that only another
    program can have sent; after one too many the bot has crashed. `preparation_s` is the time left
    for starting and preparing, None without limit. A bot that is `suspended` may not start, for
    that reason.
    """

    kills: int = 1
    outside_kills: int = 1
    preparation_s: float | None = None
    suspended: str = ""


LEEWAY = Leeway()
"""A bot without a past."""


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
        """Whether anybody has to know."""
        return self.has_started is not None or bool(self.kills or self.preparation_ns)


@dataclass(slots=True)
class MatchNotes:
    """A match as it goes: every ply, opening first, the seat to move, and each bot's visit."""

    history: list[WireMove] = field(default_factory=list)
    seat: int = 0
    visits: Sequence[Visit] = ()
