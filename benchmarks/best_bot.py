"""Count wrong champions of tournaments that end when the best bot is known, and their matches.

    python -m benchmarks.best_bot --help

Matches are drawn from true ratings, so that everything follows from the seed. Stages are those of
the formats, added up in totals: whole tournaments would take ten times as long.
"""

import argparse
import math
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import median

from benchmarks.measures import Row, table
from benchmarks.simulation import draw_score
from league.formats.adaptive import STEADY
from league.formats.schedule import STOP_LAG
from league.match.seeds import seed_of
from league.ratings.best_bot import BestBot, TopTwo, best_bot
from league.ratings.fit import comparisons
from league.ratings.result_table import PairTotal

SIZES = (3, 8, 16)
GAPS = (0.0, 5.0, 20.0, 50.0, 100.0)
DRAW_RATES = (0.0, 0.4)
STEP = 20.0
"""How much weaker each bot is than the one before it, from the second on, in Elo."""

BATCH = 4
"""The encounters of a stage of the adaptive format."""

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Pool:
    """Bots of which the first leads the second by `gap` Elo, and each other is `step` weaker."""

    bots: int
    gap: float
    draw_rate: float
    step: float = STEP

    @property
    def elo(self) -> list[float]:
        """The true ratings."""
        return [0.0, *(-self.gap - self.step * each for each in range(self.bots - 1))]


@dataclass(frozen=True, slots=True)
class Tally:
    """What came of some tournaments: shares, and the median of the matches until the end."""

    wrong: float
    undecided: float
    matches: float


class _Tournament:
    def __init__(self, pool: Pool, seed: int) -> None:
        self.pool, self.seed = pool, seed
        self.source = random.Random(seed)
        self.elo = pool.elo
        self.counts: dict[Pair, Counter[float]] = {}
        self.matches = 0
        self.rows = comparisons(pool.bots, [])

    def play(self, pairs: Iterable[Pair]) -> None:
        """Play encounters."""
        for pair in pairs:
            for one, other in (pair, pair[::-1]):
                gap = self.elo[one] - self.elo[other]
                score = draw_score(gap, self.pool.draw_rate, self.source)
                self.counts.setdefault((one, other), Counter())[score] += 1
                self.matches += 1
        totals = [
            PairTotal(*pair, found[1.0], found[0.5], found[0.0])
            for pair, found in sorted(self.counts.items())
        ]
        self.rows = comparisons(self.pool.bots, totals)

    def contests(self) -> Iterator[list[Pair]]:
        """Yield the stages of the adaptive format."""
        for stage in range(10**6):
            source = random.Random(seed_of(self.seed, "best", stage))
            bots = source.sample(range(self.pool.bots), self.pool.bots)
            contenders = TopTwo(self.rows, bots)
            drawn = [contenders.draw(2, source) for _ in range(BATCH << stage // STEADY)]
            yield [(one, other) for one, other in drawn]

    def cycles(self) -> Iterator[list[Pair]]:
        """Yield the stages of a round robin."""
        while True:
            yield list(combinations(range(self.pool.bots), 2))


def champion(
    pool: Pool, seed: int, sure: float, limit: int, *, is_adaptive: bool = True
) -> tuple[BestBot | None, int]:
    """Play a tournament of at most `limit` matches; return its champion, and the matches played."""
    held = _Tournament(pool, seed)
    in_play: list[list[Pair]] = []
    for stage in held.contests() if is_adaptive else held.cycles():
        in_play.append(stage)
        if len(in_play) < STOP_LAG:
            continue
        held.play(in_play.pop(0))
        found = best_bot(held.rows, range(pool.bots))
        left = 2 * sum(map(len, in_play))
        if found.probability >= sure:
            return found, held.matches + left
        if held.matches + left >= limit:
            return None, limit
    raise AssertionError("stages never end")


def tally(
    pool: Pool, seeds: Sequence[int], *, sure: float = 0.95, limit: int, is_adaptive: bool = True
) -> Tally:
    """Play a tournament for each seed."""
    best = max(pool.elo)
    ends = [champion(pool, seed, sure, limit, is_adaptive=is_adaptive) for seed in seeds]
    named = [found.bot for found, _ in ends if found]
    return Tally(
        wrong=sum(pool.elo[bot] < best for bot in named) / len(seeds),
        undecided=1 - len(named) / len(seeds),
        matches=median(matches if found else math.inf for found, matches in ends),
    )


def _matches(found: Tally, limit: int) -> str:
    return f"{found.matches:,.0f}" if math.isfinite(found.matches) else f"over {limit:,}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=100, help="tournaments of each setting")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bots", type=int, nargs="+", default=SIZES)
    parser.add_argument("--limit", type=int, default=5000, help="matches of a tournament at most")
    parser.add_argument("--step", type=float, default=STEP, help="from bot to bot, in Elo")
    given = parser.parse_args()
    seeds = range(given.seed, given.seed + given.runs)
    rows: list[Row] = []
    for bots in given.bots:
        for gap in GAPS:
            for draw_rate in DRAW_RATES:
                pool = Pool(bots, gap, draw_rate, given.step)
                found = tally(pool, seeds, limit=given.limit)
                # They take longer, and only their matches are of interest.
                plain = tally(pool, seeds[: given.runs // 3], limit=given.limit, is_adaptive=False)
                ends = [_matches(each, given.limit) for each in (found, plain)]
                rows.append((bots, f"{gap:g}", f"{draw_rate:.0%}", f"{found.wrong:.1%}", *ends))
    columns = ("bots", "gap in Elo", "draws", "wrong champions", "matches", "round robin")
    print(table(columns, rows))


if __name__ == "__main__":
    main()
