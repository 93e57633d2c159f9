"""Standings and crosstables, from the totals and the results in their order."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from league.ratings.elo import BETA, INITIAL, K_FACTOR, Elo
from league.records import Termination
from league.store import Store, Total


@dataclass(slots=True)
class Standing:
    """One bot version's row: its rank from 1, its live Elo, its points and how it got them.

    `forfeits` counts the matches it lost by each kind of fault.
    """

    version: int
    bot: str = ""
    rank: int = 0
    elo: float = INITIAL
    points: float = 0.0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    forfeits: Counter[Termination] = field(default_factory=Counter)

    @property
    def matches(self) -> int:
        """The number of matches played."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """The share of the possible points, 0 to 1."""
        return self.points / self.matches if self.matches else 0.0

    def as_json(self) -> dict[str, object]:
        """Return the row as `league standings --json` prints it."""
        return {
            "rank": self.rank,
            "bot": self.bot,
            "version": self.version,
            "elo": round(self.elo, 1),
            "score": round(self.score, 4),
            "points": self.points,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "matches": self.matches,
            "forfeits": {str(kind): count for kind, count in sorted(self.forfeits.items())},
        }


@dataclass(slots=True)
class Cell:
    """What one bot scored against another."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    points: float = 0.0

    @property
    def matches(self) -> int:
        """The number of matches between the two."""
        return self.wins + self.draws + self.losses


def elo_system(store: Store) -> Elo:
    """Return the league's Elo system, by its settings."""
    return Elo(
        float(store.setting("k_factor", str(K_FACTOR))),
        BETA,
        float(store.setting("initial", str(INITIAL))),
    )


def standings(store: Store, game: str | None, tournament: int | None = None) -> list[Standing]:
    """Return the rows, best first: by Elo in a league, by score within one tournament."""
    system = elo_system(store)
    ratings = live_elo(system, store.results(game=game, tournament=tournament))
    rows: dict[int, Standing] = {}
    for total in store.totals(game=game, tournament=tournament):
        _add(rows, total)
    labels = store.labels(list(rows))
    for version, row in rows.items():
        row.elo = ratings.get(version, system.initial)
        row.bot = str(labels[version])
    by_elo = tournament is None
    ordered = sorted(
        rows.values(),
        key=lambda row: (-row.elo, -row.score) if by_elo else (-row.score, -row.elo),
    )
    for rank, row in enumerate(ordered, 1):
        row.rank = rank
    return ordered


def live_elo(
    system: Elo, results: Iterable[tuple[tuple[int, ...], tuple[float, ...]]]
) -> dict[int, float]:
    """Return each version's rating after `results` in order.

    More than two seats count as all their pairs at once, each with its share of the K factor.
    """
    ratings: dict[int, float] = {}
    for versions, scores in results:
        before = [ratings.get(version, system.initial) for version in versions]
        others = len(versions) - 1
        for seat, version in enumerate(versions):
            change = 0.0
            for other, rating in enumerate(before):
                if other != seat:
                    share = _share(scores[seat], scores[other])
                    change += share - system.expect(before[seat], rating)
            ratings[version] = ratings.get(version, system.initial) + (
                system.k_factor * change / others
            )
    return ratings


def crosstable(
    store: Store, game: str | None, tournament: int | None = None
) -> tuple[list[Standing], dict[tuple[int, int], Cell]]:
    """Return the standings, and what each version scored against each other one."""
    cells: dict[tuple[int, int], Cell] = {}
    for total in store.totals(game=game, tournament=tournament):
        for seat, version in enumerate(total.versions):
            for other, opponent in enumerate(total.versions):
                if other != seat:
                    cell = cells.setdefault((version, opponent), Cell())
                    share = _share(total.scores[seat], total.scores[other])
                    cell.wins += total.count * (share == 1.0)
                    cell.draws += total.count * (share == 0.5)
                    cell.losses += total.count * (share == 0.0)
                    cell.points += total.count * share
    return standings(store, game, tournament), cells


def _share(mine: float, theirs: float) -> float:
    """Return what a seat gets of the one point between it and another."""
    return 1.0 if mine > theirs else 0.5 if mine == theirs else 0.0


def _add(rows: dict[int, Standing], total: Total) -> None:
    for seat, version in enumerate(total.versions):
        row = rows.setdefault(version, Standing(version))
        score = total.scores[seat]
        row.points += total.count * score
        row.wins += total.count * (score == 1.0)
        row.losses += total.count * (score == 0.0)
        row.draws += total.count * (0.0 < score < 1.0)
        if total.fault_seat == seat and total.termination.is_fault:
            row.forfeits[total.termination] += total.count
