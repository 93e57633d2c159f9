"""Measure ratings at scale: aggregation, fit, standings from a cold start, live Elo.

    python -m benchmarks.ratings --help

The league is drawn once, from the seed alone, and can be kept with `--db`. Matches have no moves:
what is measured here never looks at them.
"""

import argparse
import math
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import permutations
from pathlib import Path
from statistics import median

from benchmarks.measures import Row, machine, table
from benchmarks.simulation import draw_score
from league.analysis.rating_history import result_columns
from league.model.records import (
    BotVersion,
    Limits,
    MatchKey,
    MatchRecord,
    Termination,
    TournamentConfig,
)
from league.ratings.fit import fit
from league.ratings.los import los_matrix
from league.ratings.rating_system import SystemRatings
from league.store.store import Store, open_store

GAME = "connectfour"
BATCH = 5000
LEAGUE = [sys.executable, "-c", "from league.cli.main import main; main()"]


def make(path: Path, bots: int, matches: int, seed: int) -> None:
    """Make a league with one tournament in which every bot meets every other in turn."""
    source = random.Random(seed)
    elo = [source.gauss(0, 200) for _ in range(bots)]
    with open_store(str(path), create=True) as store:
        entrants = tuple(
            store.bots.register(BotVersion(f"bot{number:03}", "random", digest=f"{number:064}")).id
            for number in range(bots)
        )
        config = TournamentConfig(
            game=GAME,
            entrants=entrants,
            rounds=1,
            seed=seed,
            opening_plies=0,
            limits=Limits(move_s=0.1),
        )
        tournament = store.tournaments.add(config, matches)
        pairs = list(permutations(range(bots), 2))
        batch: list[tuple[MatchKey, MatchRecord]] = []
        for number in range(matches):
            one, other = pairs[number % len(pairs)]
            score = draw_score(elo[one] - elo[other], 0.3, source)
            record = MatchRecord(
                game=GAME,
                versions=(entrants[one], entrants[other]),
                seed=number,
                opening=(),
                moves=(),
                scores=(score, 1 - score),
                termination=Termination.RULES,
            )
            batch.append((MatchKey(number // 2, number % 2), record))
            if len(batch) == BATCH or number + 1 == matches:
                store.matches.save(tournament, batch)
                batch = []


def in_process(store: Store, rounds: int) -> Iterator[Row]:
    """Measure what a page or a command does, by processor time."""
    columns = store.totals.columns(game=GAME)
    versions = sorted({version for seating in columns.seatings for version in seating})
    positions = {version: place for place, version in enumerate(versions)}
    results = result_columns([columns], positions)
    pairs = results.pair_totals()

    def rate() -> None:
        found = fit(len(versions), pairs)
        los_matrix(SystemRatings(found.elo, found.error, found.covariance), found.pools)

    def add_up() -> None:
        result_columns([store.totals.columns(game=GAME)], positions).pair_totals()

    for name, work in (("aggregation", add_up), ("fit, covariance and LOS", rate)):
        yield name, _seconds(rounds, time.process_time, work), "processor"


def commands(path: Path, rounds: int) -> Iterator[Row]:
    """Measure commands, each in a process of its own, by processor time and by the clock."""
    for name, arguments, times in (
        ("league standings, cold start", ("standings",), rounds),
        ("league ratings recompute --system elo", ("ratings", "recompute", "--system", "elo"), 1),
        ("league standings --system elo, after it", ("standings", "--system", "elo"), rounds),
    ):
        command = [*LEAGUE, *arguments, "--db", str(path)]

        def run(command: list[str] = command) -> None:
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

        yield name, _seconds(times, _children, run), "processor"
        yield name, _seconds(times, time.perf_counter, run), "clock"


def against_ordo(store: Store, folder: Path) -> str:
    """Compare the ratings with Ordo's on the same results; say so where it is not installed."""
    if shutil.which("ordo") is None:
        return "ordo is not on the path: nothing to compare with"
    pgn, out = folder / "matches.pgn", folder / "ordo.csv"
    labels = store.bots.labels(list(store.totals.columns(game=GAME).seatings[0]))
    results = {1.0: "1-0", 0.5: "1/2-1/2", 0.0: "0-1"}
    with pgn.open("w") as file:
        for each in store.totals.results(game=GAME):
            labels |= {} if set(each.versions) <= set(labels) else store.bots.labels(each.versions)
            one, other = (labels[version] for version in each.versions)
            ended = results[each.scores[0]]
            file.write(f'[White "{one}"]\n[Black "{other}"]\n[Result "{ended}"]\n\n{ended}\n\n')
    asked = ["-q", "-W", "-D", "-V", "-z", "200.2405", "-a", "0", "-N", "4", "-p", str(pgn)]
    begin = _children()
    ordo = [str(shutil.which("ordo")), *asked, "-c", str(out)]
    subprocess.run(ordo, check=True, stdout=subprocess.DEVNULL)
    took = _children() - begin
    theirs = {}
    for line in out.read_text().splitlines()[1:]:
        _, name, rating, *_ = (cell.strip().strip('"') for cell in line.split(","))
        theirs[name] = float(rating)
    columns = store.totals.columns(game=GAME)
    versions = sorted({version for seating in columns.seatings for version in seating})
    positions = {version: place for place, version in enumerate(versions)}
    # Ordo has no prior.
    pairs = result_columns([columns], positions).pair_totals()
    ours = fit(len(versions), pairs, prior=0)
    named = store.bots.labels(versions)
    furthest = max(
        math.fabs(theirs[str(named[version])] - ours.elo[place])
        for version, place in positions.items()
    )
    return f"ordo: {took:.2f} s, the largest difference {furthest:.4f} Elo"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bots", type=int, default=200)
    parser.add_argument("--matches", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--db", type=Path, help="keep the league here, or use the one that is")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        path = given.db or Path(scratch) / "league.db"
        if not path.exists():
            make(path, given.bots, given.matches, given.seed)
        print(machine())
        with open_store(str(path), read_only=True) as store:
            rows = [*in_process(store, given.rounds), *commands(path, given.rounds)]
            told = against_ordo(store, Path(scratch))
    print(table(("what", "seconds", "by"), rows))
    print(told)


def _seconds(rounds: int, clock: Callable[[], float], work: Callable[[], None]) -> str:
    times = []
    for _ in range(rounds):
        begin = clock()
        work()
        times.append(clock() - begin)
    return f"{median(times):.3f}"


def _children() -> float:
    """Return the processor time of all processes that were started and have ended."""
    spent = os.times()
    return spent.children_user + spent.children_system


if __name__ == "__main__":
    main()
