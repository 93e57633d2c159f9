"""A simulated week of a season with 300 bots and two workers: who waits, who plays, who is known.

Bots' true ratings and the lengths of their matches are drawn; some are slow, and some join through
the week. The planner is the real one; matches are drawn, and the clock is simulated.

    python -m benchmarks.season [--bots 300] [--days 7] [--match-s 4] [--workers 2] [--leg 20000]
    python -m benchmarks.season --planner
"""

import argparse
import heapq
import math
import random
import statistics
import time
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import replace

from benchmarks.simulation import by_strength
from league.formats.format import Encounter, EncounterResult, Field, columns_of
from league.formats.season import Season, ratings_of
from league.ratings.fit import fit

LEG = 20_000
"""The encounters of a leg unless told, as in the settings of a season."""

BAR = 60.0


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bots", type=int, default=300)
    parser.add_argument("--days", type=float, default=7)
    parser.add_argument("--match-s", type=float, default=4)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--leg", type=int, default=LEG)
    parser.add_argument("--planner", action="store_true", help="only the time that planning takes")
    chosen = parser.parse_args()
    if chosen.planner:
        for bots in (300, 1_000):
            planner(bots)
        return
    length_s = chosen.days * 86_400
    Week(chosen.bots, length_s, chosen.match_s, chosen.workers, chosen.leg).play()


class Week:
    """A season on a simulated clock.

    A tenth of the bots is ten times as slow, and a fifth joins at drawn times of the first six
    sevenths. Legs follow one another with the ratings of the one before.
    """

    def __init__(self, bots: int, length_s: float, match_s: float, workers: int, full: int) -> None:
        self.source = source = random.Random(1)
        self.bots, self.length_s, self.workers, self.full = bots, length_s, workers, full
        self.elo = [source.gauss(0, 250) for _ in range(bots)]
        slow = set(source.sample(range(bots), bots // 10))
        quick = [source.lognormvariate(0, 0.5) for _ in range(bots)]
        self.slow = slow
        self.cost = [
            each * match_s / 2 * (10 if bot in slow else 1) for bot, each in enumerate(quick)
        ]
        self.begun = bots - bots // 5
        self.arrivals = sorted(
            source.uniform(0, length_s * 6 / 7) for _ in range(bots - self.begun)
        )
        self.scores = by_strength(self.elo, 0.15, source)
        self.matches = [0] * bots
        self.spent = [0.0] * bots
        self.came = [0.0] * self.begun + self.arrivals
        self.first = [math.inf] * bots
        self.fair = [0.0] * bots
        self.known = [(0, math.inf)] * bots
        self.all: list[EncounterResult] = []
        self.plan_s = 0.0
        self.stages = self.legs = 0
        self.idle_s = 0.0

    def play(self) -> None:
        """Play and print."""
        now_s, believed = 0.0, (0.0,) * self.begun
        free = [0.0] * self.workers
        while now_s < self.length_s:
            now_s, believed, free = self.leg(now_s, believed, free)
            self.legs += 1
        self.show()

    def leg(
        self, now_s: float, believed: tuple[float, ...], free: list[float]
    ) -> tuple[float, tuple[float, ...], list[float]]:
        """Play a leg; return the time, the ratings, and when each worker is free."""
        format_, seed = Season(least=max(4, 2 * self.workers)), self.legs
        field = Field(
            entrants=len(believed), seats=2, rounds=10**6, seed=seed, starting_ratings=believed
        )
        results: list[EncounterResult] = []
        left: dict[int, int] = {}
        todo: list[tuple[int, int, Encounter]] = []
        ended = defaultdict[Encounter, list[tuple[tuple[float, ...], float]]](list)
        over: Counter[Encounter] = Counter()
        running: list[tuple[float, int, Encounter]] = []
        stage = number = 0
        while now_s < self.length_s:
            came = sum(each <= now_s for each in self.arrivals) + self.begun
            if came > field.entrants:
                # The stages in play were made without them.
                joined = field.joined + (0,) * (field.entrants - len(field.joined))
                more = (stage,) * (came - field.entrants)
                field = replace(field, entrants=came, joined=joined + more)
            is_full = len(results) >= self.full
            known = format_.known_before(stage, field)
            # A leg that ends takes those who come, so that they wait no longer than others.
            has_come = 0 < stage == field.joined_at(field.entrants - 1)
            if (has_come or not is_full) and all(each >= known for each in left):
                stage = self.plan(format_, stage, field, results, left, todo)
                number += 1
            while todo and len(running) < self.workers:
                _, _, encounter = heapq.heappop(todo)
                begin_s = max(now_s, min(free))
                self.idle_s += begin_s - min(free)
                free.remove(min(free))
                wall_s = sum(
                    self.cost[bot] * self.source.uniform(0.6, 1.4) for bot in encounter.entrants
                )
                cost_s = sum(self.cost[bot] for bot in encounter.entrants)
                for bot in encounter.entrants:
                    self.first[bot] = min(self.first[bot], begin_s)
                    self.matches[bot] += 1
                    self.spent[bot] += self.cost[bot]
                for bot in range(came):
                    self.fair[bot] += cost_s / came
                heapq.heappush(running, (begin_s + wall_s, len(results), encounter))
                played = ended[encounter]
                played.append((self.scores(encounter, len(played)), wall_s))
            if not running:
                break
            now_s, _, encounter = heapq.heappop(running)
            free.append(now_s)
            over[encounter] += 1
            if over[encounter] == 2:
                del over[encounter]
                points = tuple(score for score, _ in ended[encounter])
                took_s = sum(wall_s for _, wall_s in ended.pop(encounter))
                result = EncounterResult(encounter, points, wall_s=round(took_s, 3))
                results.append(result)
                self.all.append(result)
                left[encounter.stage] -= 1
                if not left[encounter.stage]:
                    del left[encounter.stage]
                if len(self.all) % (1_000 if len(self.all) < 40_000 else 20_000) == 0:
                    self.look()
        elo = ratings_of(field, results).elo[: field.entrants]
        return now_s, tuple(float(each) for each in elo), free

    def plan(
        self,
        format_: Season,
        stage: int,
        field: Field,
        results: list[EncounterResult],
        left: dict[int, int],
        todo: list[tuple[int, int, Encounter]],
    ) -> int:
        """Make a stage; return the number of the next one."""
        begin_s = time.process_time()
        made = format_.stage(stage, field, results)
        self.plan_s += time.process_time() - begin_s
        self.stages += 1
        left[stage] = len(made)
        for place, each in enumerate(made):
            # As in the runner: the first stage of a bot that joined is played next.
            is_first = any(0 < field.joined_at(bot) == stage for bot in each.entrants)
            order = place if is_first else (stage + 1) * 10**6 + place
            for rotation in range(2):
                heapq.heappush(todo, (order, rotation, each))
        return stage + 1

    def look(self) -> None:
        """Note who is known to within the bar, as the league's standings see it."""
        field = Field(entrants=self.bots, seats=2, rounds=1, seed=0)
        error = fit(self.bots, columns_of(self.all, field).pair_totals()).error
        for bot in range(self.bots):
            if error[bot] <= BAR and self.known[bot][1] == math.inf:
                self.known[bot] = (self.matches[bot], 0.0)

    def show(self) -> None:
        """Print what came of it."""
        old = [bot for bot in range(self.begun) if bot not in self.slow]
        slow = [bot for bot in range(self.begun) if bot in self.slow]
        waits = [
            self.first[bot] - self.came[bot]
            for bot in range(self.begun, self.bots)
            if self.first[bot] < math.inf
        ]
        rows = {
            "matches": f"{sum(self.matches) // 2:,} in {self.legs} legs",
            "workers idle": f"{100 * self.idle_s / self.workers / self.length_s:.2f}% of the time",
            "matches of a bot, there from the start": _spread(self.matches[bot] for bot in old),
            "matches of a slow bot": _spread(self.matches[bot] for bot in slow),
            "time, 1 is an equal share since it came": _spread(
                self.spent[bot] / self.fair[bot] for bot in old
            ),
            "time of a slow bot": _spread(self.spent[bot] / self.fair[bot] for bot in slow),
            "a newcomer's wait in s": _spread(waits),
            f"matches until a bar under {BAR:g} Elo": _spread(
                matches for matches, seen in self.known if seen < math.inf
            ),
            "bots with such a bar": f"{sum(seen < math.inf for _, seen in self.known)}"
            f" of {self.bots}",
            "processor time a stage in ms": f"{1000 * self.plan_s / self.stages:.0f}",
        }
        for name, told in rows.items():
            print(f"{name:42} {told}")


def planner(bots: int) -> None:
    """Print the processor time of stages as a leg of so many bots grows."""
    source = random.Random(2)
    scores = by_strength([source.gauss(0, 250) for _ in range(bots)], 0.15, source)
    field = Field(entrants=bots, seats=2, rounds=10**6, seed=1)
    results: list[EncounterResult] = []
    stage, marks = 0, [0, 5_000, 10_000, LEG]
    while marks:
        known = [each for each in results if each.encounter.stage < stage - 1]
        begin_s = time.process_time()
        made = Season().stage(stage, field, known)
        took_s = time.process_time() - begin_s
        if len(results) >= marks[0]:
            marks.pop(0)
            print(
                f"{bots:5} bots, {len(results):6,} encounters: {1000 * took_s:5.0f} ms for a stage "
                f"of {len(made)}, {1000 * took_s / len(made):.1f} ms an encounter"
            )
        # To reach the next mark soon, stages are played several at a time.
        for each in made:
            points = tuple(scores(each, rotation) for rotation in range(2))
            results.append(EncounterResult(each, points, wall_s=source.uniform(1, 9)))
        stage += 1


def _spread(values: Iterable[float]) -> str:
    found = sorted(map(float, values))
    if not found:
        return "none"
    parts = (found[0], statistics.median(found), found[int(0.95 * (len(found) - 1))], found[-1])
    return "least {:.3g}, median {:.3g}, 95% {:.3g}, most {:.3g}".format(*parts)


if __name__ == "__main__":
    main()
