"""The rows of standings: from results, ordered by ratings or by a tournament's table."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

import numpy as np

from league.analysis.payoffs import Payoff
from league.analysis.sentences import faults_told
from league.formats.table import PointsTable
from league.match.scores import places_of, results_of_scores
from league.model.records import Result, Termination
from league.ratings.los import inseparable_groups, separated
from league.ratings.rating_system import SystemRatings
from league.ratings.result_table import Floats, ResultColumns
from league.store.model_calls import CallTotal
from league.store.rows import BotRef, TotalColumns


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """One bot version's row: its rank in its pool from 1, its rating, its points.

    `bot` is the label in tables: the name, with the version number unless it is the first. `rank`
    is 0 and `rating` NaN for an entrant without a match. `error` is the half-width of the 95%
    interval, None if there is none (yet). `share` is its part of the mix of a system that has one,
    0 to 1. `los` is the likelihood of superiority over the next row,
    None if unknown. `payoff` is None in a game that only says who won, `exploitability` unless
    `league exploit` has found it, and `calls` unless it is a language model.
    `places` counts the matches by place in a game of more than two sides, in which a bot wins if
    it beats all others and loses if it beats nobody. `forfeits` counts lost matches by kind of
    fault, and `stand_ins` moves that the game made because the bot failed. In a tournament, `rank`
    is the one in its format's table, `total` are the points there, also those for stages not
    played, and `tiebreaks` are in the order of the table's; `total` is None if there is no table.
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
    payoff: Payoff | None = None
    exploitability: float | None = None
    calls: CallTotal | None = None
    points: float = 0.0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    places: tuple[int, ...] = ()
    forfeits: Counter[Termination] = field(default_factory=Counter)
    stand_ins: int = 0
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


def row_of(bot: BotRef) -> Standing:
    """Return the row of a bot without a match."""
    return Standing(version=bot.version, bot=str(bot), name=bot.bot)


def result_rows(
    columns: TotalColumns, results: ResultColumns, bots: Sequence[BotRef]
) -> list[Standing]:
    """Return the rows of bots by position with their results alone."""
    sides = len(set(results.sides)) if results.sides else results.seats
    points = np.zeros(len(bots))
    ended = {result: np.zeros(len(bots), dtype=np.intp) for result in Result}
    placed = np.zeros((len(bots), sides), dtype=np.intp)
    forfeits: list[Counter[Termination]] = [Counter() for _ in bots]
    kinds = np.array(columns.of_ending)
    for number, ending in enumerate(columns.endings):
        chosen = kinds == number
        places, by_seat = places_of(ending.scores, results.sides), results_of_scores(ending.scores)
        for seat, score in enumerate(ending.scores):
            counts = np.bincount(results.bots[chosen, seat], results.counts[chosen], len(bots))
            points += counts * score
            ended[by_seat[seat]] += counts.astype(np.intp)
            placed[:, places[seat] - 1] += counts.astype(np.intp)
            if ending.fault_seat == seat and ending.termination.is_fault:
                for place in np.flatnonzero(counts).tolist():
                    forfeits[place][ending.termination] += int(counts[place])
    return [
        replace(
            row_of(bot),
            points=float(points[place]),
            wins=int(ended[Result.WON][place]),
            draws=int(ended[Result.DRAWN][place]),
            losses=int(ended[Result.LOST][place]),
            places=tuple(placed[place].tolist()) if sides > 2 else (),
            forfeits=forfeits[place],
        )
        for place, bot in enumerate(bots)
    ]


def rows_by_rating(
    rows: Sequence[Standing], rated: SystemRatings, pools: Sequence[Sequence[int]]
) -> list[Standing]:
    """Return those of the rows by position that are in `pools`, by pool and rating."""

    def ranked(pool: Sequence[int]) -> list[int]:
        return sorted(pool, key=lambda place: (-rated.values[place], -rows[place].score, place))

    return [
        replace(
            rows[place],
            rank=rank,
            pool=number,
            rating=float(rated.values[place]),
            error=_finite(rated.errors, place),
            share=_finite(rated.shares, place),
        )
        for number, pool in enumerate(pools, 1)
        for rank, place in enumerate(ranked(pool), 1)
    ]


def _finite(values: Floats | None, place: int) -> float | None:
    return None if values is None or not math.isfinite(values[place]) else float(values[place])


def share_ranks(rows: Sequence[Standing], digits: int) -> list[Standing]:
    """Let bots that nothing shown tells apart share the rank to show."""

    def shown(row: Standing) -> object:
        return row.pool, f"{row.rating:.{digits}f}", row.error and f"{row.error:.{digits}f}"

    return [
        replace(row, ties=ties if row.rank else 0)
        for _, run in groupby(rows, shown)
        for ties, row in enumerate(run)
    ]


def rows_by_table(
    rows: Sequence[Standing], table: PointsTable, entrants: Sequence[int]
) -> list[Standing]:
    """Give rows the order and the ranks of a tournament's table; those without a match last."""
    lines = {entrants[line.entrant]: line for line in table.rows}
    order = {version: number for number, version in enumerate(lines)}
    return [
        replace(
            row,
            rank=lines[row.version].rank if row.rank else 0,
            total=lines[row.version].points,
            tiebreaks=lines[row.version].tiebreaks,
        )
        for row in sorted(rows, key=lambda row: order[row.version] if row.rank else len(order))
    ]


def rows_with_los(rows: Sequence[Standing], los: Floats) -> list[Standing]:
    """Give ranked rows, which come first, the likelihood of superiority over the next one."""
    chances = np.append(los.diagonal(1), [math.nan] * len(rows))
    return [replace(row, los=_finite(chances, place)) for place, row in enumerate(rows)]


def overlaps(rows: Sequence[Standing], los: Floats) -> list[tuple[int, tuple[int, ...]]]:
    """Return the groups of ranks of which no two are separated, with their pools."""
    found = []
    for pool in sorted({row.pool for row in rows if row.rank}):
        own = [place for place, row in enumerate(rows) if row.pool == pool]
        for group in inseparable_groups(separated(los[np.ix_(own, own)])):
            ranks = sorted({rows[own[place]].rank for place in group})
            if len(ranks) > 1:
                found.append((pool, tuple(ranks)))
    return found
