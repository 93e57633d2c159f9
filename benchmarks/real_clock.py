"""What the league adds to engines that think: processor time of all its processes for a move.

Run `python -m benchmarks.real_clock --engine stockfish`; it takes some minutes. Prints Markdown.
The league and, where it is on the path, fastchess take turns with the same engine on both sides,
the same openings and the same time control, each with some matches and with three times as many:
what the longer run costs more, for each move that it has more, is the marginal cost, without start
and end.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median

import psutil

from benchmarks.measures import machine, table

LOOK_S = 0.02
"""How often to look at the processor times: what a process uses after the last look is lost."""

LONGER = 3
"""The longer run has so many times as many matches."""

OPENINGS = (
    "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
    "rnbqkbnr/pppppp1p/6p1/8/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2",
    "rnbqkb1r/pppppppp/5n2/8/2P5/8/PP1PPPPP/RNBQKBNR w KQkq - 1 2",
)


@dataclass(frozen=True, slots=True)
class Cost:
    """The processor seconds of a runner and of its engines, and the moves that were played."""

    own_s: float
    engines_s: float
    moves: int


def measured(command: Sequence[str], engine: Path, folder: Path, pgn: Path) -> Cost:
    """Run a command, and return the processor time of all its processes.

    A process counts as an engine from when it runs the engine's program.
    """
    used: dict[int, tuple[bool, float]] = {}
    known: dict[int, psutil.Process] = {}
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        root = psutil.Process(process.pid)
        while process.poll() is None:
            for each in (root, *root.children(recursive=True)):
                one = known.setdefault(each.pid, each)
                try:
                    times = one.cpu_times()
                    used[one.pid] = one.exe() == str(engine), times.user + times.system
                except psutil.Error:
                    continue
            time.sleep(LOOK_S)
    return Cost(
        own_s=sum(seconds for is_engine, seconds in used.values() if not is_engine),
        engines_s=sum(seconds for is_engine, seconds in used.values() if is_engine),
        moves=pgn.read_text().count("{"),
    )


def league_cost(engine: Path, control: str, concurrency: int, rounds: int) -> Cost:
    """Return what `league run` costs, the start and the standings included."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        (folder / "book.epd").write_text("\n".join(OPENINGS))
        pgn = folder / "out.pgn"
        words = ["run", "--game", "chess", "--each", "option.Hash=16", "--time", control]
        for name in ("a", "b"):
            words += ["--engine", f"cmd={engine},name={name}"]
        words += ["--openings", "book.epd", "--rounds", str(rounds), "--seed", "1", "--quiet"]
        words += ["--workers", str(concurrency), "--pgn", str(pgn)]
        call = "from league.cli.main import main; main()"
        return measured([sys.executable, "-c", call, *words], engine, folder, pgn)


def fastchess_cost(program: str, engine: Path, control: str, concurrency: int, rounds: int) -> Cost:
    """Return what fastchess costs, its start included."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        (folder / "book.epd").write_text("\n".join(OPENINGS))
        pgn = folder / "out.pgn"
        words = ["-each", f"tc={control}", "option.Hash=16", "-rounds", str(rounds), "-games", "2"]
        for name in ("a", "b"):
            words += ["-engine", f"cmd={engine}", f"name={name}"]
        words += ["-concurrency", str(concurrency), "-force-concurrency"]
        words += ["-openings", "file=book.epd", "format=epd", "-pgnout", f"file={pgn}"]
        return measured([program, *words], engine, folder, pgn)


def rows(
    engine: Path, control: str, concurrencies: Sequence[int], rounds: int, repeats: int
) -> list[tuple[object, ...]]:
    """Return a row for each runner and number of matches at a time."""
    runners: dict[str, Callable[[int, int], Cost]] = {
        "league": partial(league_cost, engine, control)
    }
    if peer := shutil.which("fastchess"):
        runners["fastchess"] = partial(fastchess_cost, peer, engine, control)
    made: list[tuple[object, ...]] = []
    for concurrency in concurrencies:
        few = max(rounds, concurrency // 2)
        costs: dict[str, list[tuple[Cost, Cost]]] = {name: [] for name in runners}
        for _ in range(repeats):
            for name, run in runners.items():
                costs[name].append((run(concurrency, few), run(concurrency, LONGER * few)))
        for name, pairs in costs.items():
            whole = median(long.own_s / long.moves for _, long in pairs)
            share = median(long.own_s / (long.own_s + long.engines_s) for _, long in pairs)
            marginal = median(
                (long.own_s - short.own_s) / max(1, long.moves - short.moves)
                for short, long in pairs
            )
            moves = sum(long.moves for _, long in pairs)
            row = f"{whole * 1e6:.0f}", f"{marginal * 1e6:.0f}", f"{share:.1%}", moves
            made.append((concurrency, name, *row))
    return made


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--engine", default="stockfish")
    parser.add_argument("--time", default="1+0.01")
    parser.add_argument("--concurrency", type=int, nargs="+", default=[1, 2, 4, 16])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--repeats", type=int, default=3)
    asked = parser.parse_args()
    engine = shutil.which(asked.engine)
    if engine is None:
        parser.error(f"there is no program {asked.engine!r}")
    print(f"{machine()}, {os.getloadavg()[0]:.1f} busy; {asked.engine} at {asked.time}\n")
    found = rows(Path(engine).resolve(), asked.time, asked.concurrency, asked.rounds, asked.repeats)
    headings = (
        *("matches at a time", "runner", "µs a move, all", "µs a move, marginal"),
        *("share of all processor time", "moves"),
    )
    print(table(headings, found))


if __name__ == "__main__":
    main()
