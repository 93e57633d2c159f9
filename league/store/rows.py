"""The rows that queries return."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, NamedTuple

from games.support.moves import WireMove
from league.model.document import Count, Digest, Id, SecondsSince, about, document
from league.model.live_ply import LivePly
from league.model.records import MatchKey, Termination, TournamentConfig
from league.model.tuned_parameter import EntrantOptions

HIDDEN = "hidden:"
"""The spec of a version whose source the reader may not see; no bot can be registered by it."""


class TournamentState(StrEnum):
    """The progress of a tournament; an open one may be in play or wait to be resumed."""

    OPEN = "open"
    FINISHED = "finished"
    CANCELLED = "cancelled"


class Request(StrEnum):
    """Requests of other processes to a tournament's runner."""

    NOTHING = ""
    PAUSE = "pause"
    CANCEL = "cancel"


@document("Version", "id version=number spec options digest created_at")
@dataclass(frozen=True, slots=True, kw_only=True)
class VersionRow:
    """A version of a bot.

    It is without its files.
    """

    id: Id
    number: Annotated[Id, about("of this bot, from 1")]
    spec: str
    options: Mapping[str, str]
    digest: Digest
    created_at: SecondsSince


class BotSpec(NamedTuple):
    """The spec of a version, as it was registered, its options, and what it says of itself."""

    spec: str
    options: Mapping[str, str]
    title: str = ""
    author: str = ""


@document("Bot", "bot=name is_retired games versions")
@dataclass(frozen=True, slots=True, kw_only=True)
class BotRow:
    """A bot with its versions."""

    id: int
    name: Annotated[str, about("its name")]
    is_retired: bool
    games: Annotated[tuple[str, ...], about("games that it plays, empty for any")]
    created_at: int
    versions: Annotated[tuple[VersionRow, ...], about("oldest first")]


@dataclass(frozen=True, slots=True)
class BotRef:
    """A version of a bot, as shown in the seats of tables."""

    version: int
    bot: str
    number: int

    def __str__(self) -> str:
        return self.bot if self.number == 1 else f"{self.bot} v{self.number}"


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentRow:
    """A tournament and its progress.

    `total` is the number of matches, None until the results decide it. `finished_at` is when the
    newest match ended, None before the first. `revision` counts the changes of the config.
    """

    id: int
    config: TournamentConfig
    total: int | None
    played: int
    created_at: int
    finished_at: int | None
    stop_reason: str | None
    state: TournamentState = TournamentState.OPEN
    revision: int = 1

    @property
    def is_finished(self) -> bool:
        """Whether there is nothing left to play."""
        return self.state is TournamentState.FINISHED

    @property
    def is_all_played(self) -> bool:
        """Whether it is still open though all its matches are played: its runner died just then."""
        return self.state is TournamentState.OPEN and 0 < self.played == self.total

    def is_over(self, *, is_in_play: bool) -> bool:
        """Return whether no match is left to play; `is_in_play` says whether it has a runner."""
        return self.is_finished or (self.is_all_played and not is_in_play)

    @property
    def status(self) -> str:
        """Return its state in words; an open one is `unfinished`, `stopped` or `all played`."""
        if self.state is not TournamentState.OPEN:
            return str(self.state)
        if self.is_all_played:
            return "all played"
        return "stopped" if self.stop_reason else "unfinished"

    @property
    def progress(self) -> str:
        """The matches played, out of the total if known."""
        return f"{self.played}" if self.total is None else f"{self.played}/{self.total}"


class EncounterRow(NamedTuple):
    """A planned encounter; `entrants` are positions in the tournament's list.

    `options` are those of `league.formats.format.Encounter`.
    """

    stage: int
    opening: int
    entrants: tuple[int, ...]
    options: tuple[EntrantOptions, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchRow:
    """A match without its moves.

    `machine` is the pull worker's, '' for the runner's own pool; `time_factor` scaled its times.
    """

    id: Id
    tournament_id: int
    key: MatchKey
    game: str
    versions: tuple[BotRef, ...]
    scores: tuple[float, ...]
    termination: Termination
    fault_seat: int | None
    utilities: tuple[float, ...] | None
    stand_ins: tuple[int, ...] | None
    plies: Count
    wall_ms: int
    finished_at: int
    machine: str = ""
    time_factor: float = 1.0


class Neighbours(NamedTuple):
    """The matches around one in the schedule of its tournament; `encounter` has itself too."""

    before: int | None
    after: int | None
    encounter: tuple[MatchRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveMatchRow:
    """A match in play: versions by seat, all plies so far, and the time of the last one.

    `moved_at_ms` is in milliseconds since 1970.
    """

    key: MatchKey
    game: str
    versions: tuple[int, ...]
    plies: tuple[LivePly, ...]
    moved_at_ms: int

    @property
    def moves(self) -> tuple[WireMove, ...]:
        """The moves alone."""
        return tuple(each.wire for each in self.plies)


class Ending(NamedTuple):
    """The end of a match: points by seat, reason, and the seat at fault."""

    scores: tuple[float, ...]
    termination: Termination
    fault_seat: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Total:
    """The number of matches with the same seating and the same end."""

    versions: tuple[int, ...]
    scores: tuple[float, ...]
    termination: Termination
    fault_seat: int | None
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultRow:
    """The result of a match, by ids only.

    `opening` is its opening's number, None without a plan or if each encounter has its own.
    """

    id: int
    tournament_id: int
    encounter: int
    opening: int | None
    versions: tuple[int, ...]
    scores: tuple[float, ...]
    termination: Termination
    fault_seat: int | None
    plies: int


class MatchEnd(NamedTuple):
    """The result of a match between these versions."""

    versions: tuple[int, ...]
    scores: tuple[float, ...]
    termination: Termination


class OpeningCount(NamedTuple):
    """The number of `encounters` from an opening: `id` and `encounter` are of the first of them.

    `opening` is as in `ResultRow`.
    """

    tournament_id: int
    opening: int | None
    id: int
    encounter: int
    encounters: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolTotals:
    """The encounters of a game or tournament, and how many matches were so many plies long.

    `encounters` holds each way in which the matches of one ended, with how many encounters of
    which openings ended so. `longest` is the number of the first match with the most plies, 0
    without any.
    """

    encounters: tuple[tuple[tuple[MatchEnd, ...], tuple[OpeningCount, ...]], ...]
    plies: Counter[int]
    longest: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TotalColumns:
    """The same totals for a whole game as columns, fast to build and to sum.

    The last four are parallel: indices into `seatings` (versions by seat) and `endings`, counts,
    and how many of these are distinct: matches that repeat others count once.
    """

    seatings: tuple[tuple[int, ...], ...]
    endings: tuple[Ending, ...]
    of_seating: Sequence[int]
    of_ending: Sequence[int]
    counts: Sequence[int]
    distinct: Sequence[int]


class Activity(NamedTuple):
    """The number of matches of a seating in a game, and the time when the newest one ended."""

    game: str
    versions: tuple[int, ...]
    matches: int
    finished_at: int


class Counted(NamedTuple):
    """The matches that a version has played, and those that it lost by a fault, by kind."""

    matches: int
    forfeits: Mapping[Termination, int]


class Place(NamedTuple):
    """The position of a match in rating order, which is that of the schedules."""

    tournament: int
    encounter: int
    rotation: int


class Played(NamedTuple):
    """The fields of a match that sequential rating systems need; `repeat` is a `Repeat`."""

    id: int
    place: Place
    versions: tuple[int, ...]
    scores: tuple[float, ...]
    finished_at: int
    repeat: int


class FinishedMatch(NamedTuple):
    """A match's place in its tournament, points by seat and end; `repeat` is a `Repeat`.

    `fault_seat` is the seat whose fault ended it, None for none.
    """

    id: int
    key: MatchKey
    versions: tuple[int, ...]
    scores: tuple[float, ...]
    repeat: int
    termination: Termination
    fault_seat: int | None


class PayoffRow(NamedTuple):
    """What a match was worth by seat; `utilities` are None if it did not end by the rules."""

    tournament: int
    encounter: int
    versions: tuple[int, ...]
    utilities: tuple[float, ...] | None
    fault_seat: int | None


@document("Void", "void=id at reason matches first last")
class VoidRow(NamedTuple):
    """A decision that matches are void."""

    id: Id
    at: SecondsSince
    reason: Annotated[str, about("the reason, which everybody can read")]
    matches: Annotated[Count, about("the number of matches")]
    first: Annotated[Id, about("the lowest number of a match")]
    last: Annotated[Id, about("the highest number of a match")]


class VoidedMatch(NamedTuple):
    """A void match; `last_stage` is the last stage that was planned then; `repeat` is a `Repeat`.

    `void` is the number of the void, and `wall_s` how long the match took.
    """

    void: int
    last_stage: int
    key: MatchKey
    scores: tuple[float, ...]
    repeat: int
    wall_s: float


class Extent(NamedTuple):
    """The progress of one tournament: its matches, the newest one, and when that ended."""

    tournament: int
    matches: int
    newest: int
    finished_at: int


class Series(NamedTuple):
    """The key of a series of snapshots: a game, a rating system, its options and its anchor."""

    game: str
    system: str
    settings: str
    anchor: str


class PoolExtent(NamedTuple):
    """A snapshot without its ratings: it covers the first `matches` matches, up to `place`."""

    id: int
    place: Place
    matches: int


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionRating:
    """The rating of one version in a snapshot; `error` is None if system or matches give none."""

    version: int
    value: float
    error: float | None
    matches: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingSnapshot:
    """Ratings after the first `matches` matches of a game, the last one at `place`.

    `match` is the newest of these matches and `finished_at` when it ended. `covariance` is a lower
    triangle of 32-bit floats by rows, in the order of `ratings`; empty if the system has none.
    `state` is the system's state for resuming from here, '' if it starts from nothing.
    """

    place: Place
    matches: int
    match: int
    finished_at: int
    ratings: tuple[VersionRating, ...]
    covariance: bytes = b""
    state: str = ""
