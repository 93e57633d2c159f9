"""Measure the compiled search and the solvers and print the results as Markdown.

    python -m benchmarks.compiled --help

Each rate is the median over the rounds of nodes by processor time, compiled and pure in turn, so
that other work on the machine counts for little. Values and counts are checked: the compiled search
has to find what the pure one does.
"""

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import cast

from benchmarks.measures import Row, machine, table
from benchmarks.search import COUNTS
from bots import alphabeta
from bots.compiled.kernel_loops import KernelLoops, loops_of
from bots.compiled.search import search
from bots.solver import solver_of
from bots.support.bot import Clock
from bots.support.search import SearchResult
from games.connectfour import ConnectFourState, score_of
from games.support.game import Evaluation, State
from games.support.specs import find_game

PURE_NODES = 100_000
"""What the pure search is measured on, from the same root."""

DEPTHS = {"connectfour": (14, 10), "othello": (11, 8), "tablut": (5, 4), "breakthrough": (8, 7)}
"""Depth in plies without and with an evaluation; else `DEPTH`."""

DEPTH = (3, 3)


def loops_for(state: State) -> KernelLoops:
    """Return the loops of the kernel that must be there."""
    kernel = state.game.kernel()
    if kernel is None:
        raise SystemExit(f"no kernel for {state.game.spec}: is numba installed?")
    return loops_of(kernel)


def rate_of(state: State, depth: int, evaluation: Evaluation) -> tuple[float, SearchResult]:
    """Return the compiled search's nodes a second, and what it found."""
    loops = loops_for(state)
    search(state, loops=loops, depth=1, evaluation=evaluation)
    begin = time.process_time()
    found = search(state, loops=loops, depth=depth, evaluation=evaluation)
    return found.nodes / (time.process_time() - begin), found


def pure_rate_of(state: State, depth: int, evaluation: Evaluation) -> float:
    """Return the pure search's nodes a second, having held it against the compiled one."""
    clock = Clock(nodes=PURE_NODES)
    begin = time.process_time()
    found = alphabeta.search(state, depth=depth, evaluation=evaluation, clock=clock)
    rate = found.nodes / (time.process_time() - begin)
    loops = loops_for(state)
    if search(state, loops=loops, depth=depth, evaluation=evaluation, clock=clock) != found:
        raise AssertionError(f"{state.game.spec}: the searches disagree")
    return rate


def measure_rates(specs: Sequence[str], rounds: int) -> list[Row]:
    """Compare node rates for each game and each of its evaluations."""
    rows: list[Row] = []
    for spec in specs:
        state = find_game(spec).initial()
        for name in ("null", *(each.name for each in state.game.evaluations)):
            evaluation = state.game.evaluation(name)
            depth = DEPTHS.get(state.game.name, DEPTH)[name != "null"]
            runs = [
                (rate_of(state, depth, evaluation), pure_rate_of(state, depth, evaluation))
                for _ in range(rounds)
            ]
            nodes = runs[0][0][1].nodes
            if spec == "connectfour" and name == "null" and COUNTS.get(depth, nodes) != nodes:
                raise AssertionError(f"depth {depth}: {nodes} nodes")
            compiled = median(run[0][0] for run in runs) / 1e6
            pure = median(run[1] for run in runs) / 1e6
            cells = (f"{compiled:.1f}", f"{pure:.2f}", f"{compiled / pure:.0f}")
            rows.append((spec, name, depth, f"{nodes:,}", *cells))
    return rows


def measure_solving(path: Path, is_fast: bool, rounds: int) -> Row:
    """Time the solver on a file of Connect Four's positions with their scores."""
    game = find_game("connectfour")
    lines = [line.split() for line in path.read_text().splitlines() if line.strip()]
    states = [(cast(ConnectFourState, game.position(moves)), int(score)) for moves, score in lines]
    solver_of(game, is_fast).solve(states[0][0])
    times, nodes = [], 0
    for _ in range(rounds):
        solver, nodes = solver_of(game, is_fast), 0
        begin = time.process_time()
        for state, score in states:
            found = solver.solve(state)
            nodes += found.nodes
            if score_of(state, found.utility, found.plies or 0) != score:
                raise AssertionError(f"{path.name}: {found} instead of {score}")
        times.append(time.process_time() - begin)
    how = "compiled" if is_fast else "pure"
    return (path.stem, len(states), how, f"{nodes:,}", f"{median(times):.3f}")


def main() -> None:
    """Measure what was asked for, printing each table as soon as it is there."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.compiled", description=__doc__)
    add = parser.add_argument
    specs = ["connectfour", "othello", "tablut", "breakthrough", "mnk"]
    add("--games", nargs="*", default=specs, help="specs of games with a kernel")
    add("--rounds", type=int, default=5, help="rounds of each comparison (default 5)")
    add("--solve", nargs="*", type=Path, default=[], help="files of positions, solved compiled")
    add("--solve-pure", nargs="*", type=Path, default=[], help="the same in Python alone")
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    asked = parser.parse_args()
    print(machine())
    if asked.games:
        print("\nNode rate of alpha-beta, in millions a second\n")
        heads = ["game", "evaluation", "depth", "nodes", "compiled", "pure", "ratio"]
        print(table(heads, measure_rates(asked.games, asked.rounds)), flush=True)
    rows = [
        measure_solving(path, is_fast, asked.rounds)
        for is_fast, paths in ((True, asked.solve), (False, asked.solve_pure))
        for path in paths
    ]
    if rows:
        print("\nSeconds to solve all positions of a file, the table kept from one to the next\n")
        print(table(["file", "positions", "solver", "nodes", "seconds"], rows), flush=True)


if __name__ == "__main__":
    main()
