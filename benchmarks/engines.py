"""How quick the referee is between chess engines that take no time, and what bad ones cost.

Run `python -m benchmarks.engines`; takes about a minute and needs a C compiler. Prints Markdown.
The league, raw pipes and fastchess (or cutechess-cli, where one of them is on the path) take turns
within one run, over the same two engines (`tests/engines/plain.c`). Processor time is that of the
league's own processes: on a machine that is shared it says more than the moves a second.
"""

import argparse
import os
import resource
import select
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from games.support.specs import find_game
from league.match.play import MatchSetup, play_match
from league.model.records import Limits, MatchRecord
from league.model.tournament_spec import TournamentSpec
from league.registration.register import register
from league.seats.bot_specs import make_seat
from league.store.store import open_store
from league.tournament.create import create_tournament
from league.tournament.run_options import RunOptions
from league.tournament.runner import run_tournament
from tests.engines.build import plain_bot, plain_engine

LIMITS = Limits(move_s=1.0)
LATE_LIMITS = Limits(move_s=0.1)
WORKERS = (1, 2)
PUBLISHED = {1: 17_000, 2: 33_000}
"""What fastchess did elsewhere, by workers, with affinity, in moves a second."""

QUESTION = b"position startpos moves e2e4 e7e5\ngo movetime 1000\n"


def floor(program: Path, core: int, questions: int) -> float:
    """Return the seconds that `questions` take through raw pipes to two engines, on one core."""
    os.sched_setaffinity(0, {core})
    engines = [
        subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        for _ in range(2)
    ]
    ends = []
    for engine in engines:
        assert engine.stdin is not None  # noqa: S101 (asked for above)
        assert engine.stdout is not None  # noqa: S101 (asked for above)
        poll = select.poll()
        poll.register(engine.stdout, select.POLLIN)
        ends.append((engine.stdin.fileno(), engine.stdout.fileno(), poll))
    begin = time.perf_counter()
    for number in range(questions):
        into, out, poll = ends[number & 1]
        os.write(into, QUESTION)
        poll.poll()
        os.read(out, 65536)
    took = time.perf_counter() - begin
    for engine in engines:
        engine.kill()
        engine.communicate()
    return took


def floor_rate(program: Path, workers: int, questions: int) -> float:
    """Return questions a second of as many processes at once, each on a core of its own."""
    cores = sorted(os.sched_getaffinity(0))
    with ProcessPoolExecutor(workers, mp_context=get_context("fork")) as pool:
        tasks = [
            pool.submit(floor, program, cores[number % len(cores)], questions)
            for number in range(workers)
        ]
        return sum(questions / task.result() for task in tasks)


def cpu_s() -> float:
    """Return the processor time of this process and of those that it has ended."""
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    used = [resource.getrusage(kind) for kind in kinds]
    return sum(each.ru_utime + each.ru_stime for each in used)


def league_rate(program: Path, workers: int, rounds: int, spent: dict[int, list[float]]) -> float:
    """Return moves a second of a tournament of two engines, from the call to the last result.

    Adds to `spent` the processor time of a move in microseconds, the engines' left out.
    """
    with (
        tempfile.TemporaryDirectory() as folder,
        open_store(str(Path(folder) / "league.db"), create=True) as store,
    ):
        for seed, name in enumerate(("a", "b")):
            register(store, name, f"uci:{program}", options={"Seed": str(seed)}, is_checked=False)
        row = create_tournament(
            store,
            TournamentSpec(game="chess", bots=["a", "b"], rounds=rounds, limits=LIMITS, seed=1),
        )
        begin, before = time.perf_counter(), cpu_s()
        run_tournament(store, row.id, RunOptions(workers=workers))
        took, used = time.perf_counter() - begin, cpu_s() - before
        moves = sum(match.plies for match in store.matches())
        spent[workers].append(used / moves * 1e6)
        return moves / took


def runner_of() -> str:
    """Return the path of fastchess or cutechess-cli, '' where there is neither."""
    return shutil.which("fastchess") or shutil.which("cutechess-cli") or ""


def other_rate(runner: str, program: Path, workers: int, rounds: int) -> float:
    """Return moves a second of the other runner over matches of the same engines."""
    with tempfile.TemporaryDirectory() as folder:
        pgn = Path(folder) / "out.pgn"
        is_fast = Path(runner).name == "fastchess"
        command = [runner]
        for seed, name in enumerate(("a", "b")):
            command += ["-engine", f"cmd={program}", f"name={name}", f"option.Seed={seed}"]
            command += [] if is_fast else ["proto=uci"]
        command += ["-each", "st=1", "-rounds", str(rounds), "-games", "2"]
        command += ["-concurrency", str(workers)]
        command += ["-pgnout", f"file={pgn}"] if is_fast else ["-pgnout", str(pgn)]
        command += ["-use-affinity"] if is_fast else []
        begin = time.perf_counter()
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        took = time.perf_counter() - begin
        return pgn.read_text().count("{") / took


def lost_s(program: Path, fault: str) -> float:
    """Return the seconds that one bad answer costs: its own, and the next start of the engine."""
    seats = [
        make_seat(plain_bot(program, Fault=fault, At=2), LATE_LIMITS),
        make_seat(plain_bot(program), LATE_LIMITS),
    ]
    game = find_game("chess")

    def play() -> MatchRecord:
        return play_match(
            MatchSetup(game=game, versions=(1, 2), opening=(), limits=LATE_LIMITS, seed=1), seats
        )

    try:
        play()
        begin = time.perf_counter()
        play()
        return time.perf_counter() - begin
    finally:
        for seat in seats:
            seat.stop()


def medians(
    measures: dict[tuple[str, int], Callable[[], float]], repeats: int
) -> dict[tuple[str, int], float]:
    """Return the median of each measure; they take turns."""
    found: dict[tuple[str, int], list[float]] = {key: [] for key in measures}
    for _ in range(repeats):
        for key, measure in measures.items():
            found[key].append(measure())
    return {key: statistics.median(rates) for key, rates in found.items()}


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--repeats", type=int, default=5)
    chosen = parser.parse_args()
    runner = runner_of()
    print(f"Python {sys.version.split()[0]}, {os.cpu_count()} cores, {os.getloadavg()[0]:.1f} busy")
    with tempfile.TemporaryDirectory() as folder:
        program = plain_engine(Path(folder))
        measures: dict[tuple[str, int], Callable[[], float]] = {}
        spent: dict[int, list[float]] = {workers: [] for workers in WORKERS}
        for workers in WORKERS:
            rounds = chosen.rounds * workers
            measures["floor", workers] = partial(floor_rate, program, workers, 20_000)
            measures["league", workers] = partial(league_rate, program, workers, rounds, spent)
            if runner:
                measures["other", workers] = partial(other_rate, runner, program, workers, rounds)
        rates = medians(measures, chosen.repeats)
        lost = {fault: lost_s(program, fault) for fault in ("late", "hang", "exit")}
    name = Path(runner).name if runner else "fastchess elsewhere"
    print(f"\n| workers | raw pipes | league | processor time | {name} | league against it |")
    print("| --- | --- | --- | --- | --- | --- |")
    for workers in WORKERS:
        pipes, ours = rates["floor", workers], rates["league", workers]
        used = statistics.median(spent[workers])
        other = rates.get(("other", workers), PUBLISHED[workers])
        print(
            f"| {workers} | {pipes:,.0f} | {ours:,.0f} | {used:.0f} µs "
            f"| {other:,.0f} | {ours / other:.2f} |"
        )
    if not runner:
        print(
            "\nNeither fastchess nor cutechess-cli is on the path: its column is not of this run."
        )
    print("\n| an engine that | costs, with 100 ms a move and 50 ms grace |")
    print("| --- | --- |")
    for fault, told in (("late", "is late"), ("hang", "hangs"), ("exit", "exits")):
        print(f"| {told} | {lost[fault]:.2f} s |")


if __name__ == "__main__":
    main()
