"""Plain values shared by all parts of the league: versions, limits, matches."""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, asdict, dataclass, field, fields, replace
from enum import IntEnum, StrEnum
from typing import Annotated, Any, NamedTuple, Self, TypeVar

from games.support.moves import WireMove
from league.model.document import Digest, Id, Points, about
from league.model.tiebreak import Tiebreak
from league.model.time_control import TimeControl
from league.model.tuned_parameter import TunedParameter


class Result(StrEnum):
    """The result of a match for one bot."""

    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"


class Termination(StrEnum):
    """Why a match ended."""

    RULES = "rules"
    TIME_FORFEIT = "time forfeit"
    ILLEGAL_MOVE = "illegal move"
    CRASH = "crash"
    MEMORY_LIMIT = "memory limit"
    ADJUDICATED = "adjudicated"
    MOVE_LIMIT = "move limit"
    RESIGNATION = "resignation"

    @property
    def is_fault(self) -> bool:
        """Whether a bot's fault ended the match."""
        return self in FAULTS


class Repeat(IntEnum):
    """Whether a match repeats another one move for move, so that it proves nothing new."""

    NOTHING = 0
    OF_LEAGUE = 1
    """A match of another tournament, and none of its own."""
    OF_TOURNAMENT = 2


IMPORT = "import"
"""The format of tournaments whose matches were played elsewhere and imported from a file."""

IMPORTED = "imported results"
"""The spec of bots known only from imported matches; they can't be played."""

FAULTS = frozenset(
    {
        Termination.TIME_FORFEIT,
        Termination.ILLEGAL_MOVE,
        Termination.CRASH,
        Termination.MEMORY_LIMIT,
    }
)


@dataclass(frozen=True, slots=True)
class BotVersion:
    """An immutable snapshot of a bot with everything needed to run it anywhere.

    `spec` is a catalogue name (`iterative`), a file (`mine.py:MyBot`, whose source is in `files`),
    a module (`package.module:MyBot`) or a protocol with a command line (`uci:stockfish`) to run in
    `folder`, or among its files (`exec:./run`). `files` maps relative paths to contents, a Python
    bot's own file first. `digest` is the SHA-256 in hex of the files, or of the command's program
    and the files it names. `title` and `author` are what an engine said of itself at its start.
    """

    name: str
    spec: str
    _: KW_ONLY
    options: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, bytes] = field(default_factory=dict)
    digest: Digest = ""
    number: Id = 1
    id: int = 0
    folder: str = ""
    title: str = ""
    author: str = ""

    def with_options(self, options: Mapping[str, str]) -> "BotVersion":
        """Return it with other values of some options."""
        return replace(self, options={**self.options, **options})

    def is_same_as(self, other: "BotVersion") -> bool:
        """Whether both versions run the same code with the same options."""
        return (self.spec, dict(self.options), self.digest, self.folder) == (
            other.spec,
            dict(other.options),
            other.digest,
            other.folder,
        )


class Isolation(StrEnum):
    """The isolation of a bot's process from the league, the machine and other bots.

    `AUTO` becomes the strongest level that works when a tournament is created or a bot is checked.
    """

    AUTO = "auto"
    NONE = "none"
    LIMITS = "limits"
    SANDBOX = "sandbox"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits on a move, a bot's start and its process.

    `grace_s` is how late a move may be and still count. `start_s` bounds a start and, on its own,
    the preparation for a match; None is as long as the kind of the bot needs. `cap_s` bounds the
    wait for any move, even if only depth or nodes are limited. `memory_mb` bounds what a bot uses
    with its descendants. A match that reaches `max_plies` is a draw; None is the
    game's own number. `depth` is in plies,
    `depth_rounds` in moves of every seat. A bot that `may_ponder` is not suspended during its
    opponents' moves, and one that `is_restarted` has a new process for each match. `time` is a time
    control for the whole match in the grammar of `league.model.time_control`, '' for none.
    """

    move_s: float | None = None
    depth: int | None = None
    nodes: int | None = None
    grace_s: float = 0.05
    cap_s: float = 60.0
    start_s: float | None = None
    memory_mb: int | None = 1024
    max_plies: int | None = None
    depth_rounds: int | None = None
    isolation: Isolation = Isolation.LIMITS
    may_ponder: bool = False
    is_restarted: bool = False
    time: str = ""

    @property
    def control(self) -> TimeControl | None:
        """The time control for the whole match; None for none."""
        return TimeControl.read(self.time) if self.time else None

    @property
    def is_free(self) -> bool:
        """Whether only the cap limits a move."""
        return not self.time and all(
            limit is None for limit in (self.move_s, self.depth, self.depth_rounds, self.nodes)
        )

    @property
    def is_timed(self) -> bool:
        """Whether time limits a bot's search."""
        return self.move_s is not None or bool(self.time)

    def plies(self, seats: int) -> int | None:
        """Return the depth limit in plies for a game of `seats` seats; None is unlimited."""
        rounds = None if self.depth_rounds is None else self.depth_rounds * seats
        return min((limit for limit in (self.depth, rounds) if limit is not None), default=None)

    def scaled(self, handicap: "Handicap") -> "Limits":
        """Return limits with time and nodes multiplied by a factor, or with a bot's own limits."""
        if isinstance(handicap, OwnLimits):
            return replace(self, **handicap.given)
        if handicap == 1:
            return self
        nodes = None if self.nodes is None else max(1, round(self.nodes * handicap))
        return replace(time_scaled(self, handicap), nodes=nodes)

    def by_seat(self, seats: int, handicaps: "Sequence[Handicap]" = ()) -> "tuple[Limits, ...]":
        """Return the limits of each seat; with no `handicaps`, all seats have the same."""
        return tuple(map(self.scaled, handicaps)) if handicaps else (self,) * seats


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnLimits:
    """A bot's own limits in place of the tournament's; None and '' keep those."""

    time: str = ""
    move_s: float | None = None
    depth: int | None = None
    nodes: int | None = None
    grace_s: float | None = None
    start_s: float | None = None
    memory_mb: int | None = None
    isolation: Isolation | None = None
    is_restarted: bool | None = None

    @property
    def given(self) -> dict[str, Any]:
        """The limits that are given, by the names of the fields of `Limits`."""
        return {name: value for name, value in asdict(self).items() if value not in (None, "")}


Handicap = float | OwnLimits
"""A factor on a bot's time and nodes, or limits of its own."""

_Timed = TypeVar("_Timed", Limits, OwnLimits)


def time_scaled(limits: _Timed, factor: float) -> _Timed:
    """Return limits with the time for moves multiplied by a factor."""
    if factor == 1:
        return limits
    return replace(
        limits,
        move_s=None if limits.move_s is None else limits.move_s * factor,
        time=str(TimeControl.read(limits.time).scaled(factor)) if limits.time else "",
    )


def handicaps_time_scaled(handicaps: Sequence[Handicap], factor: float) -> tuple[Handicap, ...]:
    """Return handicaps with the time of bots' own limits multiplied by a factor."""
    return tuple(
        time_scaled(each, factor) if isinstance(each, OwnLimits) else each for each in handicaps
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportRecord:
    """A bot's report as stored; `pv` is in the encoding of `games.support.moves`.

    `seldepth` is the depth of the longest line searched, `nps` nodes per second, `tbhits` the
    positions found in tablebases, `hashfull` how full the hash is in permille, and `time_ms` the
    time that the search took by the bot's own clock. `mate` counts the bot's own moves to mate,
    negative if it is being mated; `score` is then that of a won or lost match.
    """

    depth: int | None = None
    nodes: int | None = None
    score: float | None = None
    pv: tuple[WireMove, ...] = ()
    text: str = ""
    seldepth: int | None = None
    nps: int | None = None
    tbhits: int | None = None
    mate: int | None = None
    hashfull: int | None = None
    time_ms: int | None = None


TICK_NS = 10_000
"""Resolution of stored times: finer digits are machine noise and take space."""


def in_ticks(time_ns: int) -> int:
    """Round a time down to a whole tick."""
    return time_ns - time_ns % TICK_NS


class MoveFault(NamedTuple):
    """Why the game's own move was played for a seat: its bot failed, and the match went on."""

    seat: int
    termination: Termination
    detail: str

    def __str__(self) -> str:
        return f"{self.termination}: {self.detail}"


@dataclass(frozen=True, slots=True)
class MoveRecord:
    """One ply: the move and its cost.

    `wall_ns` runs from request to answer; `cpu_ns` is the CPU time of the bot's process meanwhile
    (None if the system can't measure it); `over_ns` is how late the answer came, 0 if on time. A
    move with a `fault` is the game's (`games.State.stand_in`), since its bot made none.
    """

    move: WireMove
    _: KW_ONLY
    wall_ns: int = 0
    cpu_ns: int | None = None
    over_ns: int = 0
    report: ReportRecord | None = None
    fault: MoveFault | None = None


Row = TypeVar("Row", MoveRecord, ReportRecord)


def filled(
    kind: type[Row], count: int, names: Sequence[str], columns: Sequence[Iterable[Any]]
) -> list[Row]:
    """Return values of a frozen class from a column for each of its fields, defaults left out.

    Their own constructors would take most of the time of reading or ending a match.
    """
    made = [object.__new__(kind) for _ in range(count)]
    for name, column in zip(names, columns, strict=True):
        deque(map(getattr(kind, name).__set__, made, column), maxlen=0)
    return made


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchRecord:
    """One match from opening to outcome, enough to replay, draw and re-rate it.

    The match is `opening` (moves no bot chose), then `moves`. `game` is the game's canonical spec.
    `versions` are version ids by seat. `scores` are league points by seat: 1 for beating every
    other side, 0 for beating none, ties count half. `utilities` are the game's own; None if the
    match did not end by the rules. `fault_seat` lost by a fault or resigned, `detail` is the reason
    in words, and `log` the tail of that bot's log. `fault_wall_ns` and `fault_cpu_ns` are the time
    spent on the move that never came; None if it was not measured. `notation` has all plies as
    people write them, separated by spaces.
    """

    game: str
    versions: tuple[int, ...]
    seed: int
    opening: tuple[WireMove, ...]
    moves: tuple[MoveRecord, ...]
    scores: Annotated[tuple[Points, ...], about("points by seat")]
    termination: Termination
    utilities: tuple[float, ...] | None = None
    fault_seat: int | None = None
    detail: str = ""
    log: str = ""
    wall_ns: int = 0
    fault_wall_ns: int | None = None
    fault_cpu_ns: int | None = None
    notation: str = ""

    @property
    def wires(self) -> tuple[WireMove, ...]:
        """All moves from the first position on, those of the opening included."""
        return (*self.opening, *(move.move for move in self.moves))

    @property
    def move_faults(self) -> "list[MoveFault]":
        """The faults after which the match went on, in order."""
        return [move.fault for move in self.moves if move.fault]

    @property
    def stand_ins(self) -> tuple[int, ...] | None:
        """The number of moves by seat that the game made for a bot; None if it made none."""
        counts = Counter(fault.seat for fault in self.move_faults)
        return tuple(counts[seat] for seat in range(len(self.versions))) if counts else None


Movers = Callable[[MatchRecord], Sequence[int | None]]
"""Returns the seat of each move of a record, None where nobody moved."""


BUSY = 0.7
"""A late bot that used more than this share of the time for computing was slow, not starved."""


def starved_moves(record: MatchRecord) -> int:
    """Count late and missing moves whose bot got little CPU time."""
    late = [(move.wall_ns, move.cpu_ns) for move in record.moves if move.over_ns > 0]
    if record.fault_wall_ns is not None:
        late.append((record.fault_wall_ns, record.fault_cpu_ns))
    return sum(is_starved(wall, cpu) for wall, cpu in late)


def is_starved(wall_ns: int, cpu_ns: int | None) -> bool:
    """Whether a late move got so little CPU time that the machine was slow, not the bot."""
    return cpu_ns is not None and cpu_ns < BUSY * wall_ns


@dataclass(frozen=True, slots=True, kw_only=True)
class Conduct:
    """A version's starts, preparation and deaths in a tournament.

    `matches` were played since this was begun. `kills` are its deaths by SIGKILL after which a
    match was played again, `failed_starts` the times it failed to start or to prepare,
    `failed_in_a_row` those since it last succeeded. `hangs` are worker processes that stopped
    answering while it was to move. `suspended` is why it may not play any more, '' if it may.
    """

    matches: int = 0
    kills: int = 0
    failed_starts: int = 0
    failed_in_a_row: int = 0
    hangs: int = 0
    preparation_ms: int = 0
    suspended: str = ""

    @classmethod
    def total(cls, found: "Sequence[Conduct]") -> "Conduct":
        """Sum up several tournaments; the reasons of suspensions are separated by semicolons."""
        sums = {name: sum(getattr(each, name) for each in found) for name in _COUNTS_OF_CONDUCT}
        reasons = dict.fromkeys(each.suspended for each in found if each.suspended)
        return cls(**sums, suspended="; ".join(reasons))


_COUNTS_OF_CONDUCT = [each.name for each in fields(Conduct) if each.name != "suspended"]


class MatchKey(NamedTuple):
    """A match's unique place in its tournament: encounter and rotation of the seats."""

    encounter: int
    rotation: int

    def __str__(self) -> str:
        return f"{self.encounter}.{self.rotation}"


@dataclass(frozen=True, slots=True)
class DrawRule:
    """A draw if every bot reports a level score for `moves` moves in a row.

    Level means at most `score` either way, in the bot's own unit. The rule applies once `after`
    plies are played, including the opening, and `move` moves of every seat by the numbers of the
    game's notation, which begin at that of the first position. If it `is_reset`, a move that
    nothing undoes (in chess a capture or a move of a pawn) begins the count of `moves` again.
    """

    score: float
    moves: int
    after: int = 0
    move: int = 0
    is_reset: bool = False


@dataclass(frozen=True, slots=True)
class WinRule:
    """A win if the bots of both sides agree on the winner for `moves` moves in a row.

    The winners report `score` or more and the losers -`score` or less, each in its own unit. If the
    rule `is_one_sided`, the losers' reports are enough.
    """

    score: float
    moves: int
    is_one_sided: bool = False


@dataclass(frozen=True, slots=True)
class Adjudication:
    """Rules to end a match early; None and '' turn a rule off.

    `tablebases` lists the folders of the game's tablebases, separated by ':'. They are asked about
    positions with at most `table_pieces` pieces, None for all that they have, and if the tables
    `ignore_fifty`, a win counts that the fifty-move rule would prevent. They settle only 'wins' or
    'draws' if `table_results` says so.
    """

    draw: DrawRule | None = None
    win: WinRule | None = None
    tablebases: str = ""
    table_pieces: int | None = None
    ignore_fifty: bool = False
    table_results: str = ""


NO_ADJUDICATION = Adjudication()


MOVE_S = 0.1
"""The time for each move if no limit is given."""

DEFAULT_LIMITS = Limits(move_s=MOVE_S, isolation=Isolation.AUTO)


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentTerms:
    """The settings that a tournament has from its definition on, in the same words.

    `format` is a spec such as `sprt:elo1=10`. The tournament ends when every rating's 95% interval
    is within `until_error` Elo, or the best bot is known with the probability `until_best`, 0.5 to
    1, and one run of it after `budget_s` seconds. `tiebreaks` order the table, those of the format
    if there are none. If `is_opening_shared`, all encounters of a round start from one opening;
    else each from its own. If `has_same_deals`, the matches of an encounter have the same luck with
    the seats changed. All bots are ended between them: none may know it from the one before.
    If it `is_ranked_by_payoff`, the mean payoff of a match orders the table, not points.
    `parameters` are options of the first bot that are tuned.
    """

    format: str = "roundrobin"
    limits: Limits = DEFAULT_LIMITS
    until_error: float | None = None
    until_best: float | None = None
    budget_s: float | None = None
    adjudication: Adjudication = NO_ADJUDICATION
    tiebreaks: tuple[Tiebreak, ...] = ()
    is_opening_shared: bool = False
    has_same_deals: bool = False
    is_ranked_by_payoff: bool = False
    parameters: tuple[TunedParameter, ...] = ()

    @property
    def terms(self) -> dict[str, Any]:
        """The values of these settings alone, by name."""
        return {field.name: getattr(self, field.name) for field in fields(TournamentTerms)}

    @property
    def is_open_ended(self) -> bool:
        """Whether ratings end the tournament, and its rounds are only a limit."""
        return self.until_error is not None or self.until_best is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentConfig(TournamentTerms):
    """A stored tournament's settings: with the versions' snapshots, all that its matches need.

    `entrants` are version ids in the order given; `game` is a canonical spec, and `game_digest` the
    digest of the files outside this project that its rules depend on ('' for none). `joined[k]` is
    the first stage of entrant k, 0 beyond the tuple's end; `withdrawn` pairs entrants with the
    first stage they miss. `handicaps` are each entrant's factor on time and nodes, or its own
    limits, 1 beyond the tuple's end. `openings` is the stored digest of an opening file, '' for
    drawn openings. `source` is the digest of the file that the matches were imported from.
    `starting_ratings` are what formats that ask for it believe of each entrant beforehand, in Elo,
    0 beyond the tuple's end. No stage from `ended_at` on is made. `bot_budgets` pairs versions that
    are language models with their most money in it, if it is not that of their options.
    """

    game: str
    entrants: tuple[int, ...]
    rounds: int
    seed: int
    opening_plies: int
    game_digest: str = ""
    joined: tuple[int, ...] = ()
    withdrawn: tuple[tuple[int, int], ...] = ()
    handicaps: tuple[Handicap, ...] = ()
    openings: str = ""
    source: str = ""
    starting_ratings: tuple[float, ...] = ()
    ended_at: int | None = None
    bot_budgets: tuple[tuple[int, float], ...] = ()

    @property
    def is_imported(self) -> bool:
        """Whether the matches come from a file and none is to be played."""
        return self.format == IMPORT

    @property
    def is_rated(self) -> bool:
        """Whether its matches count in ratings: those of a tuning are of no registered bot."""
        return not self.parameters

    @property
    def is_timed(self) -> bool:
        """Whether time limits the search of any bot."""
        return any(self.limits.scaled(each).is_timed for each in (1.0, *self.handicaps))

    def time_scaled(self, factor: float) -> Self:
        """Return the settings under which a machine plays whose times have this factor."""
        if factor == 1:
            return self
        return replace(
            self,
            limits=time_scaled(self.limits, factor),
            handicaps=handicaps_time_scaled(self.handicaps, factor),
        )

    def handicaps_of(self, versions: Sequence[int]) -> tuple[Handicap, ...]:
        """Return the handicaps of the versions in a match's seats; () if nobody has one."""
        if not self.handicaps:
            return ()
        # A stored match may contain versions that the tournament does not list.
        known = dict(zip(self.entrants, self.handicaps, strict=False))
        return tuple(known.get(version, 1.0) for version in versions)

    def limits_of(self, version: int) -> Limits:
        """Return the limits of a version, with its handicap."""
        return self.limits.scaled(*self.handicaps_of([version]) or (1.0,))
