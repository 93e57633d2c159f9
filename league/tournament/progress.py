"""The progress of a run, for `on_progress`."""

import time
from collections import deque
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, field

from league.execution.worker import MatchJob
from league.store.record_codec.packed_match import PackedMatch
from league.tournament.planner import Planner

ENDED_MAX = 50
"""Number of the newest matches that are kept to be shown."""


@dataclass(slots=True)
class Progress:
    """The progress of a run.

    `copied` counts matches that repeat others. `in_play` are some of the matches begun. `expected`
    estimates the number of matches, None without a basis; `ended` are the newest results, until
    somebody has shown and removed them; `says` is the format's conclusion so far;
    `waits` is whether no worker is available; `stopped` is why the run begins no more matches, ''
    while it does.
    """

    planner: Planner
    played_before: int
    _: KW_ONLY
    played: int = 0
    copied: int = 0
    voids: int = 0
    in_play: tuple[MatchJob, ...] = ()
    ended: deque[PackedMatch] = field(default_factory=lambda: deque(maxlen=ENDED_MAX))
    points: dict[int, float] = field(default_factory=dict)
    matches: dict[int, int] = field(default_factory=dict)
    moves: int = 0
    starved: int = 0
    begin_s: float = field(default_factory=time.monotonic)
    expected: int | None = None
    says: str = ""
    waits: bool = False
    stopped: str = ""

    @property
    def total(self) -> int | None:
        """The number of matches; None while results decide it."""
        return self.planner.schedule.planned

    @property
    def done(self) -> int:
        """The number of matches with a result, earlier runs included."""
        return self.played_before + self.played + self.copied

    @property
    def rate(self) -> float:
        """Matches a second in this run."""
        return self.played / max(1e-9, time.monotonic() - self.begin_s)

    def __str__(self) -> str:
        of = "" if self.total is None else f"/{self.total}"
        return f"{self.done}{of} matches, {self.rate:.1f}/s"

    def add(self, match: PackedMatch) -> None:
        """Count one finished match."""
        self.ended.append(match)
        if match.repeat:
            self.copied += 1
        else:
            self.played += 1
            self.moves += match.answers
            self.starved += match.starved
        for version, score in zip(match.versions, match.scores, strict=True):
            self.points[version] = self.points.get(version, 0.0) + score
            self.matches[version] = self.matches.get(version, 0) + 1


OnProgress = Callable[[Progress], None]
