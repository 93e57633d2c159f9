"""What the league itself costs: the referee's time a move, a match's, and what a worker adds.

Run `python -m benchmarks.runner`; takes about a minute. Prints Markdown. Everything is compared
within one run; the numbers of a busy machine say little.
"""

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.measures import HEADINGS, Row, compared, table
from games.support.specs import find_game
from league.match.play import MatchSetup, play_match
from league.model.records import BotVersion, Limits
from league.model.tournament_spec import TournamentSpec
from league.registration.register import register
from league.seats.python.python_seat import PythonSeat
from league.store.store import open_store
from league.tournament.create import create_tournament
from league.tournament.run_options import RunOptions
from league.tournament.runner import run_tournament

GOAL = 3000
"""Matches of tic-tac-toe a second that two workers should play."""

LIMITS = Limits(move_s=0.1)
RANDOM = BotVersion("random", "random")
BOTS = {"alphabeta:depth=4": 1.0, "alphabeta:depth=2": 5.0, "random": 10.0}
"""Bots from dear to cheap, and how many rounds they play for one of the dearest."""


@contextmanager
def two_seats() -> Iterator[list[PythonSeat]]:
    """Yield two seats of random bots on one core with this process."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    seats = [PythonSeat(RANDOM, LIMITS) for _ in range(2)]
    try:
        yield seats
    finally:
        for seat in seats:
            seat.stop()
        os.sched_setaffinity(0, cores)


def referee(matches: int) -> list[tuple[str, float, float, float]]:
    """Return (game, ms a match, microseconds a move in all, of these the bot's CPU time)."""
    rows = []
    with two_seats() as seats:
        for name in ("tictactoe", "connectfour"):
            game = find_game(name)
            per_match, per_move, of_bots = [], [], []
            for seed in range(matches):
                begin = time.perf_counter()
                record = play_match(
                    MatchSetup(game=game, versions=(1, 1), opening=(), limits=LIMITS, seed=seed),
                    seats,
                )
                took = time.perf_counter() - begin
                if seed >= matches // 10:
                    cpu = sum(move.cpu_ns or 0 for move in record.moves) / 1e9
                    per_match.append(took * 1e3)
                    per_move.append(took / len(record.moves) * 1e6)
                    of_bots.append(cpu / len(record.moves) * 1e6)
            match_ms, move_us, bot_us = map(statistics.median, (per_match, per_move, of_bots))
            rows.append((name, match_ms, move_us, bot_us))
    return rows


def rates_of(game: str, bot: str, rounds: int, repeats: int) -> dict[int, list[float]]:
    """Return, by workers, matches a second of a bot's matches with its like, alternating."""
    rates: dict[int, list[float]] = {1: [], 2: []}
    with (
        tempfile.TemporaryDirectory() as folder,
        open_store(str(Path(folder) / "league.db"), create=True) as store,
    ):
        for name in ("a", "b"):
            register(store, name, bot, options={}, is_checked=False)
        for _ in range(repeats):
            for workers, found in rates.items():
                row = create_tournament(
                    store,
                    TournamentSpec(
                        game=game,
                        bots=["a", "b"],
                        rounds=rounds,
                        limits=Limits(cap_s=5),
                        seed=1,
                    ),
                )
                begin = time.perf_counter()
                played = run_tournament(store, row.id, RunOptions(workers=workers)).played
                found.append(played / (time.perf_counter() - begin))
    return rates


def rows(rounds: int, repeats: int) -> list[Row]:
    """Return a row of the shortest matches; nobody else plays such ones."""
    found = rates_of("tictactoe", "random", rounds, repeats)
    work = "tic-tac-toe, random Python bots, matches a second, workers: 2"
    return [compared(work, "goal", [GOAL], found[2], is_cost=False)]


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=3000)
    parser.add_argument("--rounds", type=int, default=300)
    parser.add_argument("--repeats", type=int, default=5)
    chosen = parser.parse_args()
    print(f"Python {sys.version.split()[0]}, {os.cpu_count()} cores\n")
    print("| game | a match | a move, all told | of it the bot's CPU | the league's own |")
    print("| --- | --- | --- | --- | --- |")
    for game, match_ms, move_us, bot_us in referee(chosen.matches):
        print(
            f"| {game} | {match_ms:.2f} ms | {move_us:.1f} µs | {bot_us:.1f} µs "
            f"| {move_us - bot_us:.1f} µs |"
        )
    print("\n| bots | workers | matches a second | against one |")
    print("| --- | --- | --- | --- |")
    for bot, share in BOTS.items():
        rates = rates_of("connectfour", bot, round(chosen.rounds * share), chosen.repeats)
        medians = {workers: statistics.median(found) for workers, found in rates.items()}
        for workers, rate in medians.items():
            print(f"| {bot} | {workers} | {rate:.0f} | {rate / medians[1]:.2f} |")
    print("\n" + table(HEADINGS, rows(10 * chosen.rounds, chosen.repeats)))


if __name__ == "__main__":
    main()
