"""The plain values that travel between the parts of the league: versions, limits, matches."""

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from enum import StrEnum

from games.support.moves import WireMove
from league.model.time_control import TimeControl


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
        """Whether the match ended by a bot's own fault."""
        return self in FAULTS


IMPORT = "import"
"""The format of tournaments whose matches were played elsewhere and come from a file."""

IMPORTED = "imported results"
"""The spec of bots of which nothing is known but such matches: they can't be played."""

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
    """One immutable snapshot of a bot, with all that is needed to run it anywhere.

    `spec` is a catalogue name (`iterative`), a file (`mine.py:MyBot`, whose text is in `files`), a
    module (`package.module:MyBot`) or a protocol with a command line (`uci:stockfish`), which runs
    in `folder`. `files` maps relative paths to source texts; the first is the bot's own. `digest`
    is the SHA-256 of the sources, or of the command's program and files, in hex.
    """

    name: str
    spec: str
    _: KW_ONLY
    options: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    digest: str = ""
    number: int = 1
    id: int = 0
    folder: str = ""

    def is_same_as(self, other: "BotVersion") -> bool:
        """Whether both would run the same code under the same options."""
        return (self.spec, dict(self.options), self.digest, self.folder) == (
            other.spec,
            dict(other.options),
            other.digest,
            other.folder,
        )


class Isolation(StrEnum):
    """How far a bot's process is kept apart from the league, the machine and other bots."""

    NONE = "none"
    LIMITS = "limits"
    SANDBOX = "sandbox"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one move, one start and one process may cost, and what a process may touch.

    Times in seconds. `grace_s` is how late an answer may be and still count; `cap_s` bounds the
    wait for any answer, also where only depth or nodes are limited; `memory_mb` bounds a bot
    process's address space; `max_plies` ends a match as a draw. `depth` is in plies, and
    `depth_rounds` in moves of every seat. A bot that `is_frozen` stands still while it is not its
    move. `time` is a time control for the whole match as `league.model.time_control` writes it,
    '' for none.
    """

    move_s: float | None = None
    depth: int | None = None
    nodes: int | None = None
    grace_s: float = 0.05
    cap_s: float = 60.0
    start_s: float = 10.0
    memory_mb: int | None = 1024
    max_plies: int = 1000
    depth_rounds: int | None = None
    isolation: Isolation = Isolation.LIMITS
    is_frozen: bool = False
    time: str = ""

    @property
    def control(self) -> TimeControl | None:
        """The time control for the whole match, None where there is none."""
        return TimeControl.read(self.time) if self.time else None

    @property
    def is_free(self) -> bool:
        """Whether nothing bounds a move but the cap."""
        return not self.time and all(
            limit is None for limit in (self.move_s, self.depth, self.depth_rounds, self.nodes)
        )

    @property
    def is_timed(self) -> bool:
        """Whether time bounds what a bot finds."""
        return self.move_s is not None or bool(self.time)

    def plies(self, seats: int) -> int | None:
        """Return how deep a search may go in a game of so many seats; None is without limit."""
        rounds = None if self.depth_rounds is None else self.depth_rounds * seats
        return min((limit for limit in (self.depth, rounds) if limit is not None), default=None)

    def scaled(self, factor: float) -> "Limits":
        """Return the limits with `factor` times the time and the nodes: a handicap, or a gift."""
        if factor == 1:
            return self
        control = self.control
        return replace(
            self,
            move_s=None if self.move_s is None else self.move_s * factor,
            nodes=None if self.nodes is None else max(1, round(self.nodes * factor)),
            time=str(control.scaled(factor)) if control else "",
        )

    def by_seat(self, seats: int, handicaps: Sequence[float] = ()) -> "tuple[Limits, ...]":
        """Return what each seat is held to; no `handicaps` are none for all."""
        return tuple(map(self.scaled, handicaps)) if handicaps else (self,) * seats


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportRecord:
    """A bot's report as stored; `pv` in the encoding of `games.support.moves`.

    `seldepth` is the depth of the longest line searched, `nps` nodes a second, `tbhits` positions
    found in tables of endgames. `mate` is in how many of its own moves the bot mates, below 0 where
    it is mated; `score` then stands for a match that is won or lost.
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


TICK_NS = 10_000
"""Times are told in whole ticks: what is less depends on the machine's mood, and takes space."""


def in_ticks(time_ns: int) -> int:
    """Return a time without what is less than a tick."""
    return time_ns - time_ns % TICK_NS


@dataclass(frozen=True, slots=True)
class MoveRecord:
    """One ply: what was played, and what it cost.

    `wall_ns` runs from the question to the answer; `cpu_ns` is the bot process's CPU time in it
    (None where the system does not tell); `over_ns` is how late the answer came, 0 when in time.
    """

    move: WireMove
    _: KW_ONLY
    wall_ns: int = 0
    cpu_ns: int | None = None
    over_ns: int = 0
    report: ReportRecord | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchRecord:
    """One match from opening to outcome: enough to replay it, draw it, and rate it again.

    The whole match is `opening` (moves nobody was asked for), then `moves`. `game` is the game's
    canonical spec. `versions` are the version ids by seat. `scores` are the league points by seat:
    1 for beating every other side, 0 for none, ties count half. `utilities` are the game's own;
    None when the match did not end by the rules. `fault_seat` is who lost by a fault or resigned,
    `detail` says it in words, and `log` is the tail of that bot's log; `fault_wall_ns` and
    `fault_cpu_ns` are what the move that never came took of time, None where none was asked for.
    """

    game: str
    versions: tuple[int, ...]
    seed: int
    opening: tuple[WireMove, ...]
    moves: tuple[MoveRecord, ...]
    scores: tuple[float, ...]
    termination: Termination
    utilities: tuple[float, ...] | None = None
    fault_seat: int | None = None
    detail: str = ""
    log: str = ""
    wall_ns: int = 0
    fault_wall_ns: int | None = None
    fault_cpu_ns: int | None = None


BUSY = 0.7
"""A bot that computed for more than this share of its time was slow, not starved."""


def starved_moves(record: MatchRecord) -> int:
    """Count the late moves of a match, and those that never came, that had little computing."""
    late = [(move.wall_ns, move.cpu_ns) for move in record.moves if move.over_ns > 0]
    if record.fault_wall_ns is not None:
        late.append((record.fault_wall_ns, record.fault_cpu_ns))
    return sum(is_starved(wall, cpu) for wall, cpu in late)


def is_starved(wall_ns: int, cpu_ns: int | None) -> bool:
    """Whether a late move had so little computing that the machine was slow, not the bot."""
    return cpu_ns is not None and cpu_ns < BUSY * wall_ns


@dataclass(frozen=True, slots=True)
class MatchKey:
    """The place of a match in its tournament, unique: which encounter, which rotation of seats."""

    encounter: int
    rotation: int

    def __str__(self) -> str:
        return f"{self.encounter}.{self.rotation}"


@dataclass(frozen=True, slots=True)
class DrawRule:
    """A draw once every bot has said, `moves` moves in a row, that nobody stands better.

    That is a score of at most `score` either way, in the bot's own unit. No match is a draw so
    before `after` plies are played, those of the opening included.
    """

    score: float
    moves: int
    after: int = 0


@dataclass(frozen=True, slots=True)
class WinRule:
    """A win once all bots of both sides have said so, `moves` moves in a row.

    The winners say a score of `score` or more, the losers one of -`score` or less, each in its own
    unit.
    """

    score: float
    moves: int


@dataclass(frozen=True, slots=True)
class Adjudication:
    """When a match ends before the rules end it; None and '' are never.

    `tablebases` names the folders with the game's tables of endgames, with ':' between them.
    """

    draw: DrawRule | None = None
    win: WinRule | None = None
    tablebases: str = ""


NO_ADJUDICATION = Adjudication()


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentConfig:
    """What a tournament was asked to be: with the versions' snapshots, all that its matches need.

    `entrants` are version ids in the order they were named; `game` is a canonical spec, and
    `game_digest` is of the texts that its rules depend on besides this project ('' for none).
    `is_restarted` says that every bot is started afresh for each match. `joined[k]` is the first
    stage that entrant k was there for, 0 for those beyond its end; `withdrawn` are entrants with
    the first stage they were not there for any more. It ends when every rating's 95%
    interval is within `until_error` Elo of it, and a run of it after `budget_s` seconds.
    `handicaps` are factors on the time and the nodes of each entrant, 1 for those beyond its end.
    `openings` is the digest by which the store keeps the openings of a file, '' where they are
    drawn. `source` is the digest of the file that its matches were imported from.
    """

    game: str
    entrants: tuple[int, ...]
    rounds: int
    seed: int
    opening_plies: int
    limits: Limits
    format: str = "roundrobin"
    game_digest: str = ""
    is_restarted: bool = False
    joined: tuple[int, ...] = ()
    withdrawn: tuple[tuple[int, int], ...] = ()
    until_error: float | None = None
    budget_s: float | None = None
    adjudication: Adjudication = NO_ADJUDICATION
    handicaps: tuple[float, ...] = ()
    openings: str = ""
    source: str = ""

    @property
    def is_imported(self) -> bool:
        """Whether its matches come from a file, and none is to be played."""
        return self.format == IMPORT

    def handicaps_of(self, versions: Sequence[int]) -> tuple[float, ...]:
        """Return the handicaps of the versions in the seats of a match, () where all have none."""
        if not self.handicaps:
            return ()
        # A stored match may name whom the tournament does not know.
        known = dict(zip(self.entrants, self.handicaps, strict=False))
        return tuple(known.get(version, 1.0) for version in versions)
