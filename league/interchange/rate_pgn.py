"""Rating matches that are in no league: everybody in PGN files, from all results at once."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import NormalDist
from typing import Annotated

from games.support.errors import UnknownNameError
from league.interchange.pgn.results import Results
from league.model.document import Count, Id, Share, about, document
from league.model.errors import SetupError
from league.ratings.elo_difference import BAR
from league.ratings.fit import Ratings, fit
from league.ratings.result_table import PairTotal
from league.ratings.separation import naming

NAMES_MAX = 4000
"""The errors of so many ratings, each with each other's, take 0.8 GB and half a minute."""


@document("RatedPlayer", "pool rank name elo error los wins draws losses matches score")
@dataclass(frozen=True, slots=True, kw_only=True)
class RatedPlayer:
    """A name in PGN files.

    `error` is None where nothing is known, and `los` for the last of its pool.
    """

    pool: Id
    rank: Annotated[Id, about("in its pool")]
    name: str
    elo: float
    error: Annotated[float | None, about("half the 95% interval")]
    los: Annotated[float | None, about("likelihood that it is stronger than the next, 0 to 1")]
    wins: Count
    draws: Count
    losses: Count

    @property
    def matches(self) -> Count:
        """The number of matches that count."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> Share:
        """The share of the possible points, 0 to 1."""
        return (self.wins + self.draws / 2) / self.matches


@document(
    "PlayerRatings",
    "rows pools advantage advantage_error draw_rate matches rare left_out faults",
)
@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """Everybody in PGN files.

    `faults` says where the first unreadable games are.
    """

    rows: Annotated[tuple[RatedPlayer, ...], about("the best of each pool first")]
    pools: Annotated[Count, about("number of groups of names that never met one another")]
    advantage: Annotated[float, about("of the first seat, in Elo")]
    advantage_error: Annotated[float, about("half the 95% interval")]
    draw_rate: Annotated[float, about("between equal bots, 0 to 1")]
    matches: Count
    rare: Annotated[Count, about("names with too few matches")]
    left_out: Annotated[Mapping[str, Count], about("games that were skipped, by reason")]
    faults: Annotated[tuple[str, ...], about("of the files")]


def rate(
    results: Results,
    anchor: tuple[str, float] | None = None,
    at_least: int = 1,
    prior: float | None = None,
) -> Rating:
    """Rate all names that have `at_least` so many matches.

    A name that is an `anchor` is rated as that says, and so is the mean of each pool without it; 0
    where there is none. `prior` is in virtual draws of each name, None for one whose width
    is estimated. Raises `SetupError` for too many names, or where the results alone (a `prior` of
    0) have no likeliest ratings, and `UnknownNameError` for the anchor.
    """
    played: dict[str, int] = {}
    for pair, counts in results.scores.items():
        for name in pair:
            played[name] = played.get(name, 0) + sum(counts)
    scores = {
        pair: counts
        for pair, counts in results.scores.items()
        if all(played[name] >= at_least for name in pair)
    }
    names = sorted({name for pair in scores for name in pair})
    if not names:
        raise SetupError("no matches to rate: " + _reason(results, at_least))
    if len(names) > NAMES_MAX:
        raise SetupError(
            f"{len(names):,} names, at most {NAMES_MAX:,} can be rated together: "
            "leave those out that have few matches, by --at-least"
        )
    number = {name: position for position, name in enumerate(names)}
    if anchor is not None and anchor[0] not in number:
        raise UnknownNameError("name to anchor", anchor[0], names)
    totals = [
        PairTotal(number[white], number[black], *counts)
        for (white, black), counts in scores.items()
    ]
    held, at = (None, 0.0) if anchor is None else (number[anchor[0]], anchor[1])
    with naming(lambda: names):
        ratings = fit(len(names), totals, prior=prior, anchor=(held, at))
    return Rating(
        rows=_rows(names, ratings, _counted(scores)),
        pools=len(ratings.pools),
        advantage=ratings.advantage,
        advantage_error=ratings.advantage_error,
        draw_rate=ratings.draw_rate,
        matches=sum(map(sum, scores.values())),
        rare=len(played) - len(names),
        left_out=dict(results.left_out.most_common()),
        faults=tuple(results.faults),
    )


def _reason(results: Results, at_least: int) -> str:
    if results.scores:
        return f"no two who met have {at_least} each"
    told = ", ".join(f"{count} {why}" for why, count in results.left_out.most_common())
    return f"of its games {told}" if told else "none could be read"


def _counted(scores: Mapping[tuple[str, str], list[int]]) -> dict[str, list[int]]:
    """Return wins, draws and losses by name, in both seats."""
    found: dict[str, list[int]] = {}
    for (white, black), (wins, draws, losses) in scores.items():
        for name, counts in ((white, (wins, draws, losses)), (black, (losses, draws, wins))):
            sums = found.setdefault(name, [0, 0, 0])
            for position, count in enumerate(counts):
                sums[position] += count
    return found


def _rows(
    names: list[str], ratings: Ratings, counted: Mapping[str, list[int]]
) -> tuple[RatedPlayer, ...]:
    rows = []
    for pool, members in enumerate(ratings.pools, 1):
        ordered = sorted(members, key=lambda member: (-float(ratings.elo[member]), names[member]))
        for rank, member in enumerate(ordered, 1):
            error = float(ratings.error[member])
            los = _superiority(ratings, member, ordered[rank]) if rank < len(ordered) else None
            wins, draws, losses = counted[names[member]]
            rows.append(
                RatedPlayer(
                    pool=pool,
                    rank=rank,
                    name=names[member],
                    elo=float(ratings.elo[member]),
                    error=error if math.isfinite(error) else None,
                    los=los,
                    wins=wins,
                    draws=draws,
                    losses=losses,
                )
            )
    return tuple(rows)


def _superiority(ratings: Ratings, one: int, other: int) -> float:
    """Return how likely it is that `one` is stronger than `other`."""
    elo, error = ratings.difference(one, other)
    return NormalDist().cdf(elo * BAR / error) if error else 0.5
