"""Bot health from the records: forfeits, time, processor, nodes and depth."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, field
from statistics import median
from typing import Annotated

from games.support.errors import MoveError
from games.support.game import CHANCE, State
from games.support.moves import replay
from games.support.specs import find_game
from league.analysis.replay import unplayable
from league.analysis.told_lines import ToldLines
from league.match.clocks import Clocks
from league.model.document import OR_NULL, Count, Digits9, Id, about, document
from league.model.records import (
    Conduct,
    MatchRecord,
    MoveRecord,
    Termination,
    TournamentConfig,
    is_starved,
)
from league.store.rows import BotRef, BotRow
from league.store.store import StoreReader

STEPS = (2, 5, 10, 20, 50, 100, 200)
"""Possible numbers of plies per line of `Health.depths`."""

LINES_MAX = 10

LINE_MATCHES = 20
"""The most matches of a version whose principal variations are played."""


@dataclass(frozen=True, slots=True)
class AskedMove:
    """A move requested from a bot: its ply from 1, its cost and its report.

    `slack_s` is the time left, negative if the move was late, None without a limit.
    """

    ply: int
    wall_ns: int
    slack_s: float | None
    depth: int | None


@document("PlySpan", "first last moves wall_s depth")
@dataclass(frozen=True, slots=True, kw_only=True)
class Depths:
    """A bot's moves at some plies."""

    first: Id
    last: Id
    moves: Count
    wall_s: Annotated[Digits9, OR_NULL, about("median time of a move, in seconds")]
    depth: Annotated[float | None, about("the median")]


@dataclass(slots=True)
class Health:
    """Totals over the newest matches of one version, or over all of them without their moves.

    `forfeits` counts lost matches by kind of fault, `late` the moves within the grace period,
    `starved` the late or missing moves that got little processor time, `silent` the moves without a
    report. `missed` are the moves that lost on time: each match ended before its move came.
    `conduct` is of all its matches in the game or tournament, and `lines` are its newest principal
    variations, once `play_lines` has played them.
    """

    bot: BotRef
    _: KW_ONLY
    conduct: Conduct = field(default_factory=Conduct)
    matches: int = 0
    forfeits: Counter[Termination] = field(default_factory=Counter)
    moves: list[AskedMove] = field(default_factory=list)
    missed: list[AskedMove] = field(default_factory=list)
    late: int = 0
    starved: int = 0
    silent: int = 0
    lines: ToldLines = field(default_factory=ToldLines)
    _cpu_ns: int = 0
    _cpu_wall_ns: int = 0
    _nodes: int = 0
    _nodes_wall_ns: int = 0

    def add(
        self,
        record: MatchRecord,
        seat: int,
        moves: Iterable[tuple[int, MoveRecord | None, AskedMove]],
    ) -> None:
        """Add a match that the version played in that seat."""
        self.matches += 1
        if record.fault_seat == seat:
            if record.termination.is_fault:
                self.forfeits[record.termination] += 1
            if record.fault_wall_ns is not None:
                self.starved += is_starved(record.fault_wall_ns, record.fault_cpu_ns)
        for mover, move, asked in moves:
            if mover != seat:
                continue
            if move is None:
                self.missed.append(asked)
            else:
                self._add(move, asked)

    def _add(self, move: MoveRecord, asked: AskedMove) -> None:
        report = move.report
        self.moves.append(asked)
        self.silent += report is None
        if move.fault is not None:
            self.forfeits[move.fault.termination] += 1
        if move.over_ns > 0:
            self.late += 1
            self.starved += is_starved(move.wall_ns, move.cpu_ns)
        if move.cpu_ns is not None:
            self._cpu_ns += move.cpu_ns
            self._cpu_wall_ns += move.wall_ns
        if report and report.nodes is not None:
            self._nodes += report.nodes
            self._nodes_wall_ns += move.wall_ns

    @property
    def wall_s(self) -> float | None:
        """The median time of a move."""
        return median(move.wall_ns for move in self.moves) / 1e9 if self.moves else None

    @property
    def wall_p99_s(self) -> float | None:
        """The 99th percentile of a move's time (nearest rank), with the missed ones."""
        times = sorted(move.wall_ns for move in (*self.moves, *self.missed))
        return times[math.ceil(0.99 * len(times)) - 1] / 1e9 if times else None

    @property
    def slack_s(self) -> float | None:
        """The median time left for a move, None without a limit."""
        return median(self._slacks) if self._slacks else None

    @property
    def slack_least_s(self) -> float | None:
        """The least time left for a move, negative if one was late or missed."""
        missed = [move.slack_s for move in self.missed if move.slack_s is not None]
        return min((*self._slacks, *missed), default=None)

    @property
    def cpu_share(self) -> float | None:
        """Processor time per wall time, above 1 with several threads; None if unknown."""
        return self._cpu_ns / self._cpu_wall_ns if self._cpu_wall_ns else None

    @property
    def nodes_a_second(self) -> float | None:
        """Reported nodes per second of those moves; None without any."""
        return self._nodes / self._nodes_wall_ns * 1e9 if self._nodes_wall_ns else None

    @property
    def depth(self) -> float | None:
        """The median reported depth; None without any."""
        told = [move.depth for move in self.moves if move.depth is not None]
        return float(median(told)) if told else None

    @property
    def _slacks(self) -> list[float]:
        return [move.slack_s for move in self.moves if move.slack_s is not None]

    def depths(self) -> Iterator[Depths]:
        """Yield depths and times by ply, in at most about `LINES_MAX` lines."""
        last = max((move.ply for move in self.moves), default=0)
        step = next((each for each in STEPS if each * LINES_MAX >= last), STEPS[-1])
        lines: dict[int, list[AskedMove]] = {}
        for move in self.moves:
            lines.setdefault((move.ply - 1) // step, []).append(move)
        for line, moves in sorted(lines.items()):
            told = [move.depth for move in moves if move.depth is not None]
            yield Depths(
                first=line * step + 1,
                last=(line + 1) * step,
                moves=len(moves),
                wall_s=median(move.wall_ns for move in moves) / 1e9,
                depth=float(median(told)) if told else None,
            )


def health(
    store: StoreReader,
    game: str,
    *,
    tournament: int | None = None,
    bots: Sequence[BotRow] | None = None,
    is_all_versions: bool = False,
    matches: int = 200,
) -> list[Health]:
    """Return the health of bots in a game or tournament, from their newest `matches`.

    With 0, all matches and their forfeits are counted, and no move is looked at.

    Covers, for each of `bots`, by default all, its newest version with a match there, or each such
    version. Raises `DatabaseError` for a match that can't be replayed.
    """
    if bots is None:
        bots = store.bots.all(include_retired=True)
    found: list[Health] = []
    conduct = store.conduct.totals(game, tournament)
    counted = {} if matches else store.totals.counted(game, tournament)
    known_ids = [version.id for each in bots for version in each.versions]
    played = store.results.played(game, known_ids, tournament) if matches else set(counted)
    for each in bots:
        versions = [version for version in reversed(each.versions) if version.id in played]
        for version in versions if is_all_versions else versions[:1]:
            known = conduct.get(version.id, Conduct())
            found.append(Health(BotRef(version.id, each.name, version.number), conduct=known))
    for of_version in found if counted else ():
        of_version.matches, forfeits = counted[of_version.bot.version]
        of_version.forfeits.update(forfeits)
    if matches:
        _add_newest(store, game, tournament, found, matches)
    return found


def play_lines(
    store: StoreReader, game: str, tournament: int | None, found: Sequence[Health], matches: int
) -> None:
    """Play the principal variations in the newest matches of each version."""
    asked = [each.bot.version for each in found]
    newest = store.results.newest(asked, game, tournament, min(matches, LINE_MATCHES))
    rows = {each.bot.version: each for each in found}
    for _, _, record in store.results.records(
        {number for each in newest.values() for number in each}
    ):
        state = find_game(record.game).initial()
        state = replay(state, record.opening)
        for move in record.moves:
            row = None if state.to_move == CHANCE else rows.get(record.versions[state.to_move])
            if row is not None and move.report is not None:
                row.lines.add(state, move.report.pv)
            state = replay(state, (move.move,))


def _add_newest(
    store: StoreReader, game: str, tournament: int | None, found: Sequence[Health], matches: int
) -> None:
    """Add the newest matches of each version, move by move."""
    newest = store.results.newest([each.bot.version for each in found], game, tournament, matches)
    chosen: dict[int, list[Health]] = {}
    for of_version in found:
        for number in newest.get(of_version.bot.version, ()):
            chosen.setdefault(number, []).append(of_version)
    starts: dict[str, State] = {}
    for number, config, record in store.results.records(chosen):
        if record.game not in starts:
            starts[record.game] = find_game(record.game).initial()
        try:
            moves = list(_moves(config, record, starts[record.game]))
        except MoveError as error:
            raise unplayable(store, number, error) from None
        for of_version in chosen[number]:
            of_version.add(record, record.versions.index(of_version.bot.version), moves)


def _moves(
    config: TournamentConfig, record: MatchRecord, start: State
) -> Iterator[tuple[int, MoveRecord | None, AskedMove]]:
    """Yield the moves requested from bots, each with its seat and its record.

    The last one has no record if it lost on time. `start` is the first position of the record's
    game.
    """
    handicaps = config.handicaps_of(record.versions)
    clocks = Clocks(config.limits.by_seat(len(record.versions), handicaps))
    # Only the rules know whose move it was: they include passes, luck and turn order.
    state = replay(start, record.opening)
    for ply, move in enumerate(record.moves, len(record.opening) + 1):
        seat = state.to_move
        state = replay(state, (move.move,))
        if seat != CHANCE:
            limit_s = clocks.budget(seat).limit_s
            slack_s = None if limit_s is None else limit_s - move.wall_ns / 1e9
            depth = move.report.depth if move.report else None
            yield seat, move, AskedMove(ply, move.wall_ns, slack_s, depth)
            clocks.spend(seat, move.wall_ns)
    lost, wall_ns = record.fault_seat, record.fault_wall_ns
    if record.termination is Termination.TIME_FORFEIT and lost is not None and wall_ns is not None:
        limit_s = clocks.budget(lost).limit_s
        slack_s = None if limit_s is None else limit_s - wall_ns / 1e9
        ply = len(record.opening) + len(record.moves) + 1
        yield lost, None, AskedMove(ply, wall_ns, slack_s, None)
