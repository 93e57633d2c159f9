"""How quick the referee is between chess engines that take no time, and what bad ones cost.

Run `python -m benchmarks.engines`; takes about a minute and needs a C compiler. Prints Markdown.
The league, raw pipes, and those of fastchess, cutechess-cli and c-chess-cli that are on the path
take turns within one run, over the same two engines (`tests/engines/plain.c`), which tell a score
and a line of eight moves with each move. On a machine that is shared, processor time says more than
moves a second. That of another runner is its own process's; that of the league is a worker's, with
the packing of its records. Neither has the engines' in it.
"""

import argparse
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from types import FrameType

from benchmarks.measures import HEADINGS, Row, compared, machine, table
from games.support.specs import find_game
from league.execution.live_feed import LiveFeed
from league.execution.worker import MatchJob, Worker
from league.match.play import MatchSetup, play_match
from league.model.records import Limits, MatchKey, MatchRecord
from league.model.tournament_spec import TournamentSpec
from league.platform import cpu_clock
from league.registration.register import register
from league.seats.bot_specs import make_seat
from league.seats.process.environment import BotEnvironment
from league.store.store import open_store
from league.tournament.create import create_tournament
from league.tournament.run_options import RunOptions
from league.tournament.runner import run_tournament
from tests.engines.build import plain_bot, plain_engine

LIMITS = Limits(move_s=1.0)
LATE_LIMITS = Limits(move_s=0.1)
WORKERS = (1, 2)
PEERS = ("fastchess", "cutechess-cli", "c-chess-cli")
OPTIONS = {"Talk": "true", "Line": "8"}
PROFILED = 45
"""How many functions a profile tells."""

LOOK_S = 0.002
"""How often to look at the processor time of another runner, which is gone when it ends."""


FAULTS = {"late": "is late", "hang": "hangs", "exit": "exits"}

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


def league_rate(program: Path, workers: int, rounds: int) -> float:
    """Return moves a second of a tournament of two engines, from the call to the last result."""
    with (
        tempfile.TemporaryDirectory() as folder,
        open_store(str(Path(folder) / "league.db"), create=True) as store,
    ):
        for seed, name in enumerate(("a", "b")):
            options = {**OPTIONS, "Seed": str(seed)}
            register(store, name, f"uci:{program}", options=options, is_checked=False)
        row = create_tournament(
            store,
            TournamentSpec(game="chess", bots=["a", "b"], rounds=rounds, limits=LIMITS, seed=1),
        )
        begin = time.perf_counter()
        run_tournament(store, row.id, RunOptions(workers=workers))
        took = time.perf_counter() - begin
        return sum(match.plies for match in store.matches.page()) / took


def referee_us(program: Path, matches: int) -> float:
    """Return the processor time of a move in microseconds, in a worker that is this process."""
    versions = [replace(plain_bot(program, **OPTIONS, Seed=seed), id=seed) for seed in range(1, 3)]
    worker = Worker(BotEnvironment(), LiveFeed())
    jobs = [
        MatchJob(
            key=MatchKey(number, 0),
            tournament=1,
            game="chess",
            versions=tuple(versions),
            opening=(),
            limits=LIMITS,
            seed=number,
        )
        for number in range(matches)
    ]
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        worker.play(jobs[:1])
        begin = time.process_time()
        results = worker.play(jobs)
        used = time.process_time() - begin
    finally:
        worker.stop()
        os.sched_setaffinity(0, cores)
    return used / sum(result.match.answers for result in results if result.match) * 1e6


def profile(program: Path, matches: int) -> list[Row]:
    """Return the functions of a worker, their file, and their share of its time with callees.

    The system looks where it is every few milliseconds of processor time: unlike a tracer, that
    makes no function look slower than it is.
    """
    seen: Counter[tuple[str, str]] = Counter()

    def look(number: int, frame: FrameType | None) -> None:
        found = set()
        while frame is not None:
            found.add((frame.f_code.co_name, Path(frame.f_code.co_filename).name))
            frame = frame.f_back
        seen.update(found)

    before = signal.signal(signal.SIGPROF, look)
    signal.setitimer(signal.ITIMER_PROF, LOOK_S, LOOK_S)
    try:
        used_us = referee_us(program, matches)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    whole = seen["play", "worker.py"]
    return [
        (name, file, f"{count / whole:.0%}", f"{count / whole * used_us:.1f}")
        for (name, file), count in seen.most_common(PROFILED)
        if count <= whole
    ]


def peer_command(runner: str, program: Path, workers: int, rounds: int, pgn: Path) -> list[str]:
    """Return the command line of another runner for as many matches."""
    is_c = Path(runner).name == "c-chess-cli"
    is_fast = Path(runner).name == "fastchess"
    each = [f"option.{name}={value}" for name, value in OPTIONS.items()]
    each += ["movetime=1"] if is_c else ["st=1"]
    each += [] if is_c or is_fast else ["proto=uci"]
    command = [runner, "-each", *each]
    for seed, name in enumerate(("a", "b")):
        command += ["-engine", f"cmd={program}", f"name={name}", f"option.Seed={seed}"]
    command += ["-concurrency", str(workers)]
    if is_c:
        return [*command, "-games", str(2 * rounds), "-pgn", str(pgn), "3"]
    command += ["-rounds", str(rounds), "-games", "2"]
    return command + (
        ["-use-affinity", "-pgnout", f"file={pgn}"] if is_fast else ["-pgnout", str(pgn)]
    )


def peer_rate(
    runner: str, program: Path, workers: int, rounds: int, spent: dict[str, list[float]]
) -> float:
    """Return moves a second of another runner over matches of the same engines.

    Adds to `spent`, by the runner's name, the processor time of a move in microseconds.
    """
    with tempfile.TemporaryDirectory() as folder:
        pgn = Path(folder) / "out.pgn"
        command = peer_command(runner, program, workers, rounds, pgn)
        begin = time.perf_counter()
        with subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL) as process:
            clock = cpu_clock(process.pid)
            used = 0
            while process.poll() is None:
                with suppress(OSError):
                    used = clock() if clock else 0
                time.sleep(LOOK_S)
        took = time.perf_counter() - begin
        moves = pgn.read_text().count("{")
        spent.setdefault(Path(runner).name, []).append(used / moves / 1e3)
        return moves / took


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


def measured(
    measures: dict[tuple[str, int], Callable[[], float]], repeats: int
) -> dict[tuple[str, int], list[float]]:
    """Return what each measure finds, `repeats` times; they take turns."""
    found: dict[tuple[str, int], list[float]] = {key: [] for key in measures}
    for _ in range(repeats):
        for key, measure in measures.items():
            found[key].append(measure())
    return found


def rows(rounds: int, repeats: int, workers: Sequence[int] = WORKERS) -> list[Row]:
    """Return rows for each runner on the path."""
    spent: dict[str, list[float]] = {}
    runners = [path for name in PEERS if (path := shutil.which(name))]
    with tempfile.TemporaryDirectory() as folder:
        program = plain_engine(Path(folder))
        measures: dict[tuple[str, int], Callable[[], float]] = {}
        for count in workers:
            many = rounds * count
            measures["raw pipes", count] = partial(floor_rate, program, count, 20_000)
            measures["league", count] = partial(league_rate, program, count, many)
            for runner in runners:
                peer = Path(runner).name
                measures[peer, count] = partial(peer_rate, runner, program, count, many, spent)
        measures["league", 0] = partial(referee_us, program, rounds)
        found = measured(measures, repeats)
    told = [
        compared(
            f"moves a second, workers: {count}", peer, rates, found["league", count], is_cost=False
        )
        for (peer, count), rates in found.items()
        if peer != "league"
    ]
    used = found["league", 0]
    # Each peer had a run for each number of workers, the rounds in order.
    mine = [time_us for time_us in used for _ in workers]
    told += [
        compared("processor time of a move, µs", peer, theirs, mine, is_cost=True)
        for peer, theirs in spent.items()
    ]
    return told


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--profile", action="store_true", help="tell where a worker's time goes")
    chosen = parser.parse_args()
    print(f"{machine()}, {os.getloadavg()[0]:.1f} busy\n")
    if chosen.profile:
        with tempfile.TemporaryDirectory() as folder:
            found = profile(plain_engine(Path(folder)), chosen.rounds)
        print(table(("function", "file", "share", "µs a move"), found))
        return
    print(table(HEADINGS, rows(chosen.rounds, chosen.repeats)))
    with tempfile.TemporaryDirectory() as folder:
        program = plain_engine(Path(folder))
        costs = [(told, f"{lost_s(program, fault):.2f} s") for fault, told in FAULTS.items()]
    print("\n" + table(("an engine that", "costs, with 100 ms a move and 50 ms grace"), costs))


if __name__ == "__main__":
    main()
