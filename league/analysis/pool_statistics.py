"""Statistics of a pool of matches: balance, length, openings and cycles."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from statistics import median

from league.analysis.encounters import Sides, is_mixed, is_pair, opposed, result
from league.analysis.opening_statistics import OpeningTotals, of_first
from league.analysis.rating_history import sides_of
from league.model.records import Termination
from league.ratings.cycles import Edge, pairs_of, significant_cycles
from league.ratings.head_to_head import HeadToHead, ScoreShare
from league.ratings.result_table import PairTotal
from league.store.rows import BotRef, MatchEnd
from league.store.store import StoreReader

CYCLES_MAX = 5


@dataclass(frozen=True, slots=True)
class Cycle:
    """Bots of which each beats the next, and the last the first.

    `won` and `lost` count the encounters, or in standings the matches, of each against its next.
    """

    bots: tuple[str, ...]
    won: tuple[int, ...]
    lost: tuple[int, ...]

    def sentence(self) -> str:
        """Write the cycle with each bot's encounters won and lost against the next."""
        edges = (
            f"{bot} beats ({won}:{lost})"
            for bot, won, lost in zip(self.bots, self.won, self.lost, strict=True)
        )
        return f"cycle: {' '.join(edges)} {self.bots[0]}"


@dataclass(slots=True)
class PoolStatistics:
    """Statistics of the matches of a game or a tournament.

    `bots` are version ids. `mixed` counts the encounters whose matches are not of the same bots: no
    league plays such, and their matches count one by one. `draws` are matches with equal points for
    every seat. `points` are by seat; `first` is the first seat's score, empty in games for more
    than two. `plies` counts matches by length, opening included; `longest` is the number of the
    first match with `plies_longest`. `openings` are for the first seat, the least even first; none
    in games for more than two.
    """

    game: str
    _: KW_ONLY
    bots: set[int] = field(default_factory=set)
    encounters: int = 0
    mixed: int = 0
    draws: int = 0
    points: dict[int, float] = field(default_factory=dict)
    first: HeadToHead = field(default_factory=HeadToHead)
    plies: Counter[int] = field(default_factory=Counter)
    plies_longest: int = 0
    longest: int = 0
    ends: Counter[Termination] = field(default_factory=Counter)
    openings: list[ScoreShare] = field(default_factory=list)
    cycles: list[Cycle] = field(default_factory=list)

    def add(self, encounter: Sequence[MatchEnd], count: int) -> None:
        """Add so many encounters with these matches."""
        self.encounters += count
        self.mixed += count * is_mixed(encounter)
        for match in encounter:
            self.bots.update(match.versions)
            self.ends[match.termination] += count
            self.draws += count * (len(set(match.scores)) == 1)
            for seat, score in enumerate(match.scores):
                self.points[seat] = self.points.get(seat, 0.0) + count * score
        results = of_first(encounter)
        if results:
            self.first.add(results, is_pair(encounter), count)

    @property
    def matches(self) -> int:
        """The number of matches."""
        return self.plies.total()

    @property
    def draw_rate(self) -> float:
        """The share of drawn matches, 0 to 1."""
        return self.draws / self.matches if self.matches else 0.0

    @property
    def seats(self) -> tuple[float, ...]:
        """The mean score of each seat, 0 to 1."""
        return tuple(points / self.matches for _, points in sorted(self.points.items()))

    @property
    def median_plies(self) -> float:
        """The median length of a match; 0 without any."""
        return float(median(self.plies.elements())) if self.matches else 0.0


def pool(
    store: StoreReader, game: str, tournament: int | None = None, newest: int | None = None
) -> PoolStatistics:
    """Return the statistics of a game or one tournament, or of at most its `newest` matches."""
    totals = store.results.pool_totals(game, tournament, newest)
    found = PoolStatistics(game, plies=totals.plies, longest=totals.longest)
    found.plies_longest = max(totals.plies, default=0)
    openings, pairs = OpeningTotals(), defaultdict[Edge, HeadToHead](HeadToHead)
    seats_known = {len(matches[0].versions) for matches, _ in totals.encounters}
    sides = {seats: sides_of(game, seats) for seats in seats_known}
    for matches, of_opening in totals.encounters:
        count, is_whole = sum(each.encounters for each in of_opening), is_pair(matches)
        found.add(matches, count)
        if first := of_first(matches):
            for each in of_opening:
                openings.of(each).add(first, is_whole, each.encounters)
        for pair, results in _by_pair(matches, sides[len(matches[0].versions)]).items():
            pairs[pair].add(results, is_whole, count)
    found.openings = openings.named(store, game)
    decided = {pair: (results.ahead, results.behind) for pair, results in pairs.items()}
    labels = store.bots.labels({version for pair in decided for version in pair})
    found.cycles = _named_cycles(decided, labels)
    return found


def _by_pair(encounter: Sequence[MatchEnd], sides: Sides) -> dict[Edge, list[int]]:
    """Return each two versions' results, from the view of the smaller number."""
    found: dict[Edge, list[int]] = {}
    for row in encounter:
        for one, other in opposed(row, sides):
            if row.versions[one] < row.versions[other]:
                mine, theirs = one, other
            else:
                mine, theirs = other, one
            pair = row.versions[mine], row.versions[theirs]
            found.setdefault(pair, []).append(result(row, mine, theirs))
    return found


def cycles_by_matches(
    totals: Sequence[PairTotal], share: float, bots: Sequence[BotRef]
) -> list[Cycle]:
    """Return the cycles by single matches, each of which weighs `share` in the totals.

    Positions in the totals are those of `bots`.
    """
    decided: dict[Edge, tuple[int, int]] = {}
    for each in totals:
        one, other = each.first, each.second
        ahead, behind = round(each.wins / share), round(each.losses / share)
        if one > other:
            one, other, ahead, behind = other, one, behind, ahead
        before = decided.get((one, other), (0, 0))
        decided[one, other] = before[0] + ahead, before[1] + behind
    return _named_cycles(decided, dict(enumerate(bots)))


def _named_cycles(
    decided: Mapping[Edge, tuple[int, int]], labels: Mapping[int, BotRef]
) -> list[Cycle]:
    """Return the cycles among bots by number; `decided` is as in `significant_cycles`."""
    rings = significant_cycles(decided, CYCLES_MAX)
    turned = {(other, one): (behind, ahead) for (one, other), (ahead, behind) in decided.items()}
    totals = {**turned, **decided}
    return [
        Cycle(
            tuple(str(labels[bot]) for bot in ring),
            tuple(totals[edge][0] for edge in pairs_of(ring)),
            tuple(totals[edge][1] for edge in pairs_of(ring)),
        )
        for ring in rings
    ]
