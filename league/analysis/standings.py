"""Standings, from totals and a rating system."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import assert_never

import numpy as np

from games.support.errors import suggestion
from league.analysis.match_selection import EVERYTHING, Chosen, Selection, choose
from league.analysis.outlook import Outlook, outlook
from league.analysis.pool_statistics import Cycle, cycles_by_matches
from league.analysis.rating_history import (
    RatingTrend,
    rate,
    sides_of,
    system_of,
    trend,
    versions_and_results,
)
from league.analysis.sentences import faults_told
from league.formats.format import TableOrder
from league.formats.table import PointsTable
from league.match.scores import places_of, results_of_scores
from league.model.errors import SetupError, UnknownRowError
from league.model.records import Repeat, Result, Termination
from league.ratings.fit import find_pools
from league.ratings.los import inseparable_groups, los_matrix, separated
from league.ratings.rating_system import (
    MatchSystem,
    RatingSystem,
    SystemRatings,
    TotalsSystem,
)
from league.ratings.result_table import Floats, ResultColumns
from league.ratings.separation import naming
from league.ratings.system_specs import DEFAULT_SYSTEM, settings_of
from league.store.rows import BotRef, TotalColumns
from league.store.store import StoreReader

RUNS_SHOWN = 6
"""Maximum number of groups of close ranks to name."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """The reference of the ratings: a bot at a value, or the mean if `bot` is ''."""

    bot: str
    value: float

    @classmethod
    def read(cls, text: str) -> "Anchor":
        """Read `deep=1500`, or `1500` for the mean; raise `SetupError`."""
        bot, _, value = text.rpartition("=")
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            raise SetupError(f"no anchor {text!r}: expected BOT=1500, or 1500 for the mean")
        return cls(bot.strip(), number)


@dataclass(slots=True, kw_only=True)
class Standing:
    """One bot version's row: its rank in its pool from 1, its rating, its points.

    `bot` is the label in tables: the name, with the version number unless it is the first. `rank`
    is 0 and `rating` NaN for an entrant without a match. `error` is the half-width of the 95%
    interval, None if there is none (yet). `share` is its part of the mix of a system that has one,
    0 to 1. `los` is the likelihood of superiority over the next row,
    None if unknown. `places` counts the matches by place in a game of more than two sides, in which
    a bot wins if it beats all others and loses if it beats nobody. `forfeits` counts lost matches
    by kind of fault. In a tournament, `rank` is the one in its format's table, `total` are the
    points there, also those for stages not played, and `tiebreaks` are in the order of the table's;
    `total` is None if there is no table.
    `ties` counts the rows above it that have the same rating and interval, as far as these are
    shown.
    """

    version: int
    bot: str = ""
    rank: int = 0
    ties: int = 0
    pool: int = 0
    rating: float = math.nan
    error: float | None = None
    share: float | None = None
    los: float | None = None
    points: float = 0.0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    places: tuple[int, ...] = ()
    forfeits: Counter[Termination] = field(default_factory=Counter)
    name: str = ""
    total: float | None = None
    tiebreaks: tuple[float | None, ...] = ()

    @property
    def matches(self) -> int:
        """The number of matches played."""
        return self.wins + self.draws + self.losses

    @property
    def shown_rank(self) -> int:
        """The rank to show, which bots share that nothing shown tells apart."""
        return self.rank - self.ties

    @property
    def forfeits_told(self) -> str:
        """The lost matches by kind of fault, in words."""
        return faults_told(self.forfeits) or "–"

    @property
    def score(self) -> float:
        """The share of the possible points, 0 to 1."""
        return self.points / self.matches if self.matches else 0.0


FEW = 20
"""With so many matches of each bot its bar holds in every format."""


@dataclass(slots=True, kw_only=True)
class Standings:
    """The standings of one game under one system.

    `rows` are by pool, largest first, and rank, then entrants without a match. `overlaps` are
    groups of ranks of which no two are separated, by pool from 1. `los` is a square matrix over
    rows with a rank: the likelihood of superiority, NaN if unknown. `trend` is the work of a live
    system. In a tournament, rows are in the order of its format, which the `outlook` tells.
    `cycles` are among the bots with a row, by matches. `remarks` are about the matches that count.
    """

    game: str
    system: RatingSystem
    tournament: int | None = None
    anchor: Anchor | None = None
    rows: list[Standing] = field(default_factory=list)
    pools: int = 0
    overlaps: list[tuple[int, tuple[int, ...]]] = field(default_factory=list)
    los: Floats = field(default_factory=lambda: np.zeros((0, 0)))
    trend: RatingTrend | None = None
    cycles: list[Cycle] = field(default_factory=list)
    selection: Selection = EVERYTHING
    remarks: tuple[str, ...] = ()
    outlook: Outlook = Outlook()  # noqa: RUF009 (frozen)

    @property
    def says(self) -> str:
        """Return the conclusion of a tournament's format in one line, or ''."""
        return self.outlook.says

    @property
    def is_by_rating(self) -> bool:
        """Whether ratings make the order."""
        return self.outlook.order is TableOrder.RATING

    @property
    def has_points(self) -> bool:
        """Whether points and tie-breaks make the order."""
        return self.outlook.order is TableOrder.POINTS

    @property
    def ring(self) -> str:
        """The first cycle in words, or ''."""
        if not self.cycles:
            return ""
        bots, more = self.cycles[0].bots, len(self.cycles) - 1
        also = f" ('league stats' has {more} more)" if more else ""
        hint = "" if self.system.name == "nash" else "; see --system nash"
        return f"{' beats '.join((*bots, bots[0]))}{also}: one number can't order them{hint}"

    @property
    def pool_sizes(self) -> Counter[int]:
        """The number of ranked bots by pool."""
        return Counter(row.pool for row in self.rows if row.rank)

    def close_ranks(self) -> list[str]:
        """Name the ranks that are not statistically separated, in a sentence for each pool."""
        shown = {(row.pool, row.rank): row.shown_rank for row in self.rows}
        lines = []
        for pool in range(1, self.pools + 1):
            shown_groups = (
                sorted({shown[pool, rank] for rank in ranks})
                for number, ranks in self.overlaps
                if number == pool
            )
            if groups := [group for group in shown_groups if len(group) > 1]:
                where = f"in pool {pool}, " if self.pools > 1 else ""
                where += "" if self.is_by_rating else "by rating, "
                lines.append(f"{where}ranks {_listed(groups)} are not statistically separated")
        return lines

    def sentences(self) -> list[str]:
        """Return notes under a table: the decision, close ranks, pools, cycles and new bots."""
        lines = [*([self.says] if self.says else []), *self.close_ranks()]
        least = min((row.matches for row in self.rows if row.error is not None), default=FEW)
        if self.outlook.few_matches and least < FEW:
            lines.append(f"few matches: the bars of {self.outlook.few_matches} can be too narrow")
        if self.pools > 1:
            lines.append(
                f"{self.pools} pools never met one another: their ratings can't be compared"
            )
        if self.anchor and self.anchor.bot:
            held = f"{self.anchor.bot} is held at {self.anchor.value:g}"
            lines.append(f"{held}: bars are of differences from it")
        if self.ring:
            lines.append(self.ring)
        unknown = [row.bot for row in self.rows if not row.rank]
        if unknown:
            lines.append(f"no match yet, and so no rating and no bar: {', '.join(unknown)}")
        return [*lines, *self.remarks]


def standings(
    store: StoreReader,
    game: str,
    tournament: int | None = None,
    spec: str = DEFAULT_SYSTEM,
    anchor: Anchor | None = None,
    selection: Selection = EVERYTHING,
) -> Standings:
    """Rank the bots of a game by their ratings, and those of a tournament as its format does.

    The `selection` says which of the game's matches count, and which bots have a row.

    Raises `UnknownNameError` or `OptionError` for the system, `SetupError` or `UnknownRowError` for
    an invalid anchor.
    """
    system = system_of(store, spec)
    if anchor and not system.has_anchor:
        raise SetupError(f"rating system {system.name!r} takes no anchor: leave --anchor out")
    settings = tuple(sorted(settings_of(system).items()))
    return store.recall(
        ("standings", game, tournament, system.name, settings, anchor, selection),
        lambda: _standings(
            store,
            Standings(
                game=game, system=system, tournament=tournament, anchor=anchor, selection=selection
            ),
        ),
        game=game,
        tournament=tournament,
    )


def results_of(store: StoreReader, game: str) -> tuple[Standing, ...]:
    """Return a row for each version with a match in a game: its results, without a rating."""
    return store.recall(("results", game), lambda: _results_of(store, game), game=game)


def _results_of(store: StoreReader, game: str) -> tuple[Standing, ...]:
    columns = total_columns(store, game, None, choose(store, game, EVERYTHING), EVERYTHING)
    if not columns.counts:
        return ()
    versions, results = versions_and_results(game, [columns])
    rows = _rows(columns, results, len(versions))
    for version, row in zip(versions, rows, strict=True):
        row.version = version
    return tuple(rows)


def newest_standings(store: StoreReader, game: str) -> Standings:
    """Rank the newest versions of the active bots of a game."""
    return standings(store, game, selection=Selection())


def _standings(store: StoreReader, found: Standings) -> Standings:
    game, tournament, system, anchor = found.game, found.tournament, found.system, found.anchor
    chosen = choose(store, game, found.selection) if tournament is None else Chosen(None, ())
    found.remarks = chosen.remarks
    columns = total_columns(store, game, tournament, chosen, found.selection)
    entrants: tuple[int, ...] = ()
    if tournament is not None:
        held = store.tournaments.get(tournament)
        entrants, found.outlook = held.config.entrants, outlook(store, held)
    if not columns.counts:
        return found
    if repeats := sum(columns.counts) - sum(columns.distinct):
        found.remarks += (_repeats_remark(repeats, sum(columns.counts)),)
    versions, results = versions_and_results(game, [columns])
    idle = [version for version in entrants if version not in versions]
    labels = store.bots.labels([*versions, *idle])
    match system:
        case TotalsSystem():
            with naming(lambda: [str(labels[version]) for version in versions]):
                rated = _fitted(system, results, versions, labels, anchor)
        case MatchSystem():
            rated = _live(store, found, system, versions, chosen)
        case _:
            assert_never(system)
    rows = _rows(columns, results, len(versions))
    totals = results.pair_totals()
    pools = find_pools(len(versions), totals)
    shown, remark = found.selection.shown(store, {each: labels[each] for each in versions})
    found.remarks += (remark,) if remark else ()
    kept = ([each for each in pool if versions[each] in shown] for pool in pools)
    _rank(found, rows, rated, [pool for pool in kept if pool])
    for version, row in zip(versions, rows, strict=True):
        row.version, row.bot, row.name = version, str(labels[version]), labels[version].bot
    met = [
        each for each in totals if shown.issuperset((versions[each.first], versions[each.second]))
    ]
    found.cycles = cycles_by_matches(store, met, results.share, versions)
    found.rows += [
        Standing(version=version, bot=str(labels[version]), name=labels[version].bot)
        for version in idle
    ]
    if found.outlook.table is not None:
        _follow(found, found.outlook.table, entrants)
    else:
        _share_ranks(found)
    return found


def _share_ranks(found: Standings) -> None:
    """Let bots that nothing shown tells apart share the rank to show."""
    digits = found.system.digits
    for above, row in pairwise(row for row in found.rows if row.rank):
        told, same = (
            (each.pool, f"{each.rating:.{digits}f}", each.error and f"{each.error:.{digits}f}")
            for each in (above, row)
        )
        row.ties = above.ties + 1 if told == same else 0


def _follow(found: Standings, table: PointsTable, entrants: Sequence[int]) -> None:
    """Give the rows the order and the ranks of a tournament's table; those without a match last."""
    place = {row.version: number for number, row in enumerate(found.rows)}
    order = []
    for line in table.rows:
        number = place[entrants[line.entrant]]
        row = found.rows[number]
        row.total, row.tiebreaks = line.points, line.tiebreaks
        if row.rank:
            row.rank = line.rank
            order.append(number)
    found.rows = [*(found.rows[each] for each in order), *found.rows[len(order) :]]
    found.los = found.los[np.ix_(order, order)]
    for number, row in enumerate(found.rows[: len(order)]):
        likelihood = found.los[number, number + 1] if number + 1 < len(order) else math.nan
        row.los = None if math.isnan(likelihood) else float(likelihood)
    if found.pools == 1 and found.overlaps:
        ranks = [row.rank for row in found.rows]
        groups = [
            tuple(sorted({ranks[place] for place in group}))
            for group in inseparable_groups(separated(found.los))
        ]
        found.overlaps = [(1, group) for group in groups if len(group) > 1]
    else:
        found.overlaps = []


def total_columns(
    store: StoreReader, game: str, tournament: int | None, chosen: Chosen, selection: Selection
) -> TotalColumns:
    """Return the totals of a game's matches that count, or of a tournament's."""
    numbers = chosen.tournaments if tournament is None else tournament
    repeated = Repeat.OF_LEAGUE if tournament is not None else selection.repeated
    since = selection.since
    return store.recall(
        ("columns", game, numbers, since, repeated),
        lambda: store.totals.columns(game=game, tournament=numbers, since=since, repeated=repeated),
        game=game,
        tournament=tournament,
    )


def _fitted(
    system: TotalsSystem,
    results: ResultColumns,
    versions: Sequence[int],
    labels: dict[int, BotRef],
    anchor: Anchor | None,
) -> SystemRatings:
    if anchor is None or not anchor.bot:
        return system.rate(len(versions), results, None, anchor.value if anchor else None)
    of_bot = [
        place
        for place, version in enumerate(versions)
        if anchor.bot in (str(labels[version]), labels[version].bot)
    ]
    exact = [place for place in of_bot if str(labels[versions[place]]) == anchor.bot]
    if not of_bot:
        known = suggestion(anchor.bot, sorted({str(labels[version]) for version in versions}))
        text = f"no bot {anchor.bot!r} to anchor by has played here{known}"
        raise UnknownRowError(text, "bot", anchor.bot)
    # A bare name is also its first version's label: prefer that version if it played, else the
    # newest.
    return system.rate(len(versions), results, (exact or of_bot)[-1], anchor.value)


def _live(
    store: StoreReader,
    found: Standings,
    system: MatchSystem,
    versions: Sequence[int],
    chosen: Chosen,
) -> SystemRatings:
    since, is_league = found.selection.since, found.tournament is None
    if is_league and chosen.tournaments is None and not since:
        found.trend = trend(store, found.game, system)
        return found.trend.live.rated(versions)
    live = None
    numbers = chosen.tournaments
    repeated = found.selection.repeated if is_league else Repeat.OF_LEAGUE
    for each in store.totals.results(game=found.game, tournament=found.tournament):
        is_other = numbers is not None and each.place.tournament not in numbers
        if each.finished_at < since or is_other:
            continue
        live = live or system.start(sides_of(found.game, len(each.versions)))
        rate(live, each, repeated)
    return (live or system.start()).rated(versions)


def _rank(
    found: Standings, rows: Sequence[Standing], rated: SystemRatings, pools: Sequence[Sequence[int]]
) -> None:
    los = los_matrix(rated, pools)
    order: list[int] = []
    found.pools = len(pools)
    for number, pool in enumerate(pools, 1):
        ranked = sorted(pool, key=lambda place: (-rated.values[place], -rows[place].score, place))
        for rank, place in enumerate(ranked, 1):
            row = rows[place]
            row.rank, row.pool, row.rating = rank, number, float(rated.values[place])
            if rated.errors is not None and math.isfinite(rated.errors[place]):
                row.error = float(rated.errors[place])
            if rated.shares is not None:
                row.share = float(rated.shares[place])
            if rank < len(ranked) and not math.isnan(los[place, ranked[rank]]):
                row.los = float(los[place, ranked[rank]])
        if rated.errors is not None:
            groups = inseparable_groups(separated(los[np.ix_(ranked, ranked)]))
            found.overlaps += [(number, tuple(rank + 1 for rank in each)) for each in groups]
        order += ranked
    found.los = los[np.ix_(order, order)]
    found.rows = [rows[place] for place in order]


def _rows(columns: TotalColumns, results: ResultColumns, bots: int) -> list[Standing]:
    rows = [Standing(version=0) for _ in range(bots)]
    sides = len(set(results.sides)) if results.sides else results.seats
    placed = np.zeros((bots, sides), dtype=np.intp)
    kinds = np.array(columns.of_ending)
    for number, ending in enumerate(columns.endings):
        chosen = kinds == number
        places, ended = places_of(ending.scores, results.sides), results_of_scores(ending.scores)
        for seat, score in enumerate(ending.scores):
            counts = np.bincount(results.bots[chosen, seat], results.counts[chosen], bots)
            placed[:, places[seat] - 1] += counts.astype(np.intp)
            for place in np.flatnonzero(counts).tolist():
                row, count = rows[place], int(counts[place])
                row.points += count * score
                row.wins += count * (ended[seat] is Result.WON)
                row.losses += count * (ended[seat] is Result.LOST)
                row.draws += count * (ended[seat] is Result.DRAWN)
                if ending.fault_seat == seat and ending.termination.is_fault:
                    row.forfeits[ending.termination] += count
    if sides > 2:
        for row, own in zip(rows, placed.tolist(), strict=True):
            row.places = tuple(own)
    return rows


def _repeats_remark(repeats: int, matches: int) -> str:
    are = "match repeats another" if repeats == 1 else "matches repeat others"
    return f"{repeats:,} of {matches:,} {are} move for move: ratings count each once"


def _listed(groups: Sequence[Sequence[int]]) -> str:
    named = [
        f"{group[0]} {'and' if len(group) == 2 else 'to'} {group[-1]}"
        for group in groups[:RUNS_SHOWN]
    ]
    if len(groups) > RUNS_SHOWN:
        named.append(f"… to {max(map(max, groups))}")
    return ", ".join(named)
