"""Standings, from totals and a rating system."""

import math
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import assert_never

import numpy as np

from games.support.counts import counted
from games.support.errors import InputError, suggestion
from games.support.specs import find_game
from league.analysis.match_selection import EVERYTHING, Chosen, Selection, choose
from league.analysis.outlook import Outlook, outlook
from league.analysis.payoffs import payoffs_of
from league.analysis.pool_statistics import Cycle, cycles_by_matches
from league.analysis.rating_history import (
    RatingTrend,
    rate,
    sides_of,
    system_of,
    trend,
    versions_and_results,
)
from league.analysis.standing_rows import (
    Standing,
    overlaps,
    result_rows,
    row_of,
    rows_by_rating,
    rows_by_table,
    rows_with_los,
    share_ranks,
)
from league.formats.format import TableOrder
from league.model.errors import SetupError, UnknownRowError
from league.model.records import Repeat
from league.ratings.fit import find_pools
from league.ratings.los import los_matrix
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


FEW = 20
"""With so many matches of each bot its bar holds in every format."""


@dataclass(frozen=True, slots=True, kw_only=True)
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
    rows: Sequence[Standing] = field(default_factory=list)
    pools: int = 0
    overlaps: Sequence[tuple[int, tuple[int, ...]]] = field(default_factory=list)
    los: Floats = field(default_factory=lambda: np.zeros((0, 0)))
    trend: RatingTrend | None = None
    cycles: Sequence[Cycle] = field(default_factory=list)
    selection: Selection = EVERYTHING
    remarks: tuple[str, ...] = ()
    outlook: Outlook = field(default_factory=Outlook)

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
    def _is_led_by_another(self) -> bool:
        """Whether another bot than the first has the best mean payoff."""
        paid = [row for row in self.rows if row.payoff]
        best = max(paid, key=lambda row: row.payoff.mean if row.payoff else 0.0, default=None)
        return best is not None and best.version != self.rows[0].version

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
        if self.outlook.order is not TableOrder.PAYOFF and self._is_led_by_another:
            lines.append("ratings are of who won, not of how much: another bot has the best payoff")
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
        if uncounted := sum(row.calls.uncounted for row in self.rows if row.calls):
            calls = f"{counted(uncounted, 'call')} of a model of unknown cost"
            lines.append(f"≥ stands before means without {calls}")
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
    labels = store.bots.labels(versions)
    return tuple(result_rows(columns, results, [labels[version] for version in versions]))


def newest_standings(store: StoreReader, game: str) -> Standings:
    """Rank the newest versions of the active bots of a game."""
    return standings(store, game, selection=Selection())


def _standings(store: StoreReader, empty: Standings) -> Standings:
    """Fill in standings that are `empty` but for the request."""
    game, tournament, selection = empty.game, empty.tournament, empty.selection
    chosen = choose(store, game, selection) if tournament is None else Chosen(None, ())
    columns = total_columns(store, game, tournament, chosen, selection)
    entrants: tuple[int, ...] = ()
    if tournament is not None:
        held = store.tournaments.get(tournament)
        entrants = held.config.entrants
        empty = replace(empty, outlook=outlook(store, held))
        if not held.config.is_rated:
            # A bot against itself: no rating tells anything.
            return replace(empty, remarks=_faults_remark(columns))
    if not columns.counts:
        return replace(empty, remarks=chosen.remarks)
    versions, results = versions_and_results(game, [columns])
    labels = store.bots.labels({*versions, *entrants})
    bots = [labels[version] for version in versions]
    rated, progress = _rated(store, empty, chosen, results, bots)
    totals, table = results.pair_totals(), empty.outlook.table
    shown, hidden = selection.shown(store, {bot.version: bot for bot in bots})
    places = {place for place, version in enumerate(versions) if version in shown}
    pools = [
        kept
        for pool in find_pools(len(bots), totals)
        if (kept := [place for place in pool if place in places])
    ]
    rows = rows_by_rating(result_rows(columns, results, bots), rated, pools)
    is_league = tournament is None
    where = (
        chosen.tournaments if tournament is None else (tournament,),
        selection.since if is_league else 0,
    )
    repeated = selection.repeated if is_league else Repeat.OF_LEAGUE
    payoffs = payoffs_of(store, game, *where, repeated)
    known, failed = store.exploitability.of(game), _stand_ins(store, game, where)
    asked = store.calls.totals(game, tournament, is_finished=True)
    calls = {each.version: each for each in asked}
    rows = [
        replace(
            row,
            payoff=payoffs.get(row.version),
            exploitability=known.get(row.version),
            stand_ins=failed[row.version],
            calls=calls.get(row.version),
        )
        for row in rows
    ]
    rows += [row_of(labels[version]) for version in entrants if version not in versions]
    if table is None:
        rows = share_ranks(rows, empty.system.digits)
    else:
        rows = rows_by_table(rows, table, entrants)
    order = [versions.index(row.version) for row in rows if row.rank]
    los = los_matrix(rated, pools)[np.ix_(order, order)]
    has_overlaps = rated.errors is not None and (table is None or len(pools) == 1)
    met = [each for each in totals if {each.first, each.second} <= places]
    return replace(
        empty,
        rows=rows_with_los(rows, los),
        pools=len(pools),
        overlaps=overlaps(rows, los) if has_overlaps else [],
        los=los,
        trend=progress,
        cycles=cycles_by_matches(met, results.share, bots),
        remarks=(*chosen.remarks, *filter(None, (_repeats_remark(columns), hidden))),
    )


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


def _stand_ins(
    store: StoreReader, game: str, where: tuple[Collection[int] | None, int]
) -> Counter[int]:
    """Count the moves that the game made for versions that failed."""
    try:
        plays_on = find_game(game).plays_on
    except InputError:
        return Counter()
    return store.results.stand_ins(game, *where) if plays_on else Counter()


def _rated(
    store: StoreReader,
    empty: Standings,
    chosen: Chosen,
    results: ResultColumns,
    bots: Sequence[BotRef],
) -> tuple[SystemRatings, RatingTrend | None]:
    """Return the ratings by position, and the work of a live system."""
    match empty.system:
        case TotalsSystem() as system:
            with naming(lambda: list(map(str, bots))):
                return _fitted(system, results, bots, empty.anchor), None
        case MatchSystem() as system:
            is_league, selection = empty.tournament is None, empty.selection
            versions = [bot.version for bot in bots]
            if is_league and chosen.tournaments is None and not selection.since:
                progress = trend(store, empty.game, system)
                return progress.live.rated(versions), progress
            live = None
            repeated = selection.repeated if is_league else Repeat.OF_LEAGUE
            numbers = chosen.tournaments
            for each in store.totals.results(game=empty.game, tournament=empty.tournament):
                is_other = numbers is not None and each.place.tournament not in numbers
                if each.finished_at < selection.since or is_other:
                    continue
                live = live or system.start(sides_of(empty.game, len(each.versions)))
                rate(live, each, repeated)
            return (live or system.start()).rated(versions), None
        case _:
            assert_never(empty.system)


def _fitted(
    system: TotalsSystem, results: ResultColumns, bots: Sequence[BotRef], anchor: Anchor | None
) -> SystemRatings:
    if anchor is None or not anchor.bot:
        return system.rate(len(bots), results, None, anchor.value if anchor else None)
    of_bot = [place for place, bot in enumerate(bots) if anchor.bot in (str(bot), bot.bot)]
    exact = [place for place in of_bot if str(bots[place]) == anchor.bot]
    if not of_bot:
        known = suggestion(anchor.bot, sorted(set(map(str, bots))))
        text = f"no bot {anchor.bot!r} to anchor by has played here{known}"
        raise UnknownRowError(text, "bot", anchor.bot)
    # A bare name is also its first version's label: prefer that version if it played, else the
    # newest.
    return system.rate(len(bots), results, (exact or of_bot)[-1], anchor.value)


def _faults_remark(columns: TotalColumns) -> tuple[str, ...]:
    ends = zip(columns.of_ending, columns.counts, strict=True)
    faults = sum(count for ending, count in ends if columns.endings[ending].termination.is_fault)
    if not faults:
        return ()
    told = f"{faults:,} of {sum(columns.counts):,} matches ended by a fault of a bot, which may be "
    return (f"{told}that of some values: 'league matches --faults' lists them",)


def _repeats_remark(columns: TotalColumns) -> str:
    matches = sum(columns.counts)
    repeats = matches - sum(columns.distinct)
    are = "match repeats another" if repeats == 1 else "matches repeat others"
    told = f"{repeats:,} of {matches:,} {are} move for move: ratings count each once"
    return told if repeats else ""


def _listed(groups: Sequence[Sequence[int]]) -> str:
    named = [
        f"{group[0]} {'and' if len(group) == 2 else 'to'} {group[-1]}"
        for group in groups[:RUNS_SHOWN]
    ]
    if len(groups) > RUNS_SHOWN:
        named.append(f"… to {max(map(max, groups))}")
    return ", ".join(named)
