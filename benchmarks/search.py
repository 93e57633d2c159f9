"""Measure our own searches on Connect Four and print the results as Markdown.

    python -m benchmarks.search --help

What is compared runs in turn within one process, round after round, so that a machine that slows
down slows all of it. Times are of the processor; numbers are medians over the rounds, a ratio is
the median of the rounds' own ratios. Node counts and values are checked: a search that is quick and
wrong fails.
"""

import argparse
import time
from collections.abc import Sequence
from functools import partial

from benchmarks.measures import Row, Run, alternate, machine, ratio, table, time_of
from bots import alphabeta, iterative
from games.support.game import NULL, Evaluation, State
from games.support.specs import find_game

COUNTS = {6: 1_249, 8: 12_574, 10: 155_590, 12: 3_050_083}
"""Nodes of alpha-beta from the empty board, columns left to right, no evaluation, by depth."""

RATE_WANTED = 0.5
SOONER_WANTED = 15


def fused_search(depth: int) -> tuple[float, int]:
    """Return the value of the empty board and the nodes of alpha-beta: what Python can do at best.

    Rules and search are one recursive function on two ints, with nothing in it but this one game
    and this one depth: no evaluation, no order, no limits, no principal variation.
    """
    bottoms = [1 << 7 * column for column in range(7)]
    columns = tuple((bottom, bottom << 5) for bottom in bottoms)
    full = sum(63 << 7 * column for column in range(7))
    nodes = 0

    def value_of(last: int, stones: int, left: int, alpha: int, beta: int) -> int:
        """Return the mover's value; `last` holds the stones of the seat that just moved."""
        nonlocal nodes
        nodes += 1
        if (pairs := last & last >> 7) and pairs & pairs >> 14:
            return -1
        if (pairs := last & last >> 6) and pairs & pairs >> 12:
            return -1
        if (pairs := last & last >> 8) and pairs & pairs >> 16:
            return -1
        if (pairs := last & last >> 1) and pairs & pairs >> 2:
            return -1
        if left == 0 or stones == full:
            return 0
        own = last ^ stones
        for bottom, top in columns:
            if not stones & top:
                after = stones | stones + bottom
                value = -value_of(own | after ^ stones, after, left - 1, -beta, -alpha)
                if value > alpha:
                    if value >= beta:
                        return value
                    alpha = value
        return alpha

    # Utilities are -1, 0 and 1: this window is as wide as any.
    return value_of(0, 0, depth, -2, 2), nodes


def run_fused(depth: int) -> Run:
    """Time the hand-fused search."""
    begin = time.process_time()
    value, nodes = fused_search(depth)
    return Run(time.process_time() - begin, nodes, value)


def run_alphabeta(root: State, depth: int, evaluation: Evaluation = NULL) -> Run:
    """Time the plain alpha-beta of this project."""
    begin = time.process_time()
    found = alphabeta.search(root, depth=depth, evaluation=evaluation)
    return Run(time.process_time() - begin, found.nodes, found.value)


def run_iterative(root: State, depth: int, evaluation: Evaluation = NULL) -> Run:
    """Time iterative deepening, all its depths together; its table starts empty."""
    begin = time.process_time()
    found = iterative.search(root, depth=depth, evaluation=evaluation)
    time_s = time.process_time() - begin
    if (found.depth, found.is_complete) != (depth, True):
        raise AssertionError(f"iterative ended at depth {found.depth} instead of {depth}")
    return Run(time_s, found.nodes, found.value)


def check_count(run: Run, depth: int) -> None:
    """Hold plain alpha-beta against its known count of nodes and the empty board's value."""
    if run.value != 0 or run.nodes != COUNTS.get(depth, run.nodes):
        raise AssertionError(f"depth {depth}: {run}, expected {COUNTS.get(depth)} nodes, value 0")


def measure_rate(root: State, depths: Sequence[int], rounds: int) -> list[Row]:
    """Compare node rates: the generic search over any game against the hand-fused one."""
    rows: list[Row] = []
    for depth in depths:
        fused, plain = alternate(
            rounds, partial(run_fused, depth), partial(run_alphabeta, root, depth)
        )
        for run in fused + plain:
            check_count(run, depth)
        nodes = COUNTS.get(depth, fused[0].nodes or 0)
        rates = [f"{nodes / time_of(runs) / 1e6:.2f}" for runs in (fused, plain)]
        rows.append((depth, f"{nodes:,}", *rates, f"{ratio(fused, plain):.2f}"))
    return rows


def measure_deepening(root: State, depth: int, rounds: int, names: Sequence[str]) -> list[Row]:
    """Compare the time to complete a depth: deepening with a table against plain alpha-beta."""
    rows: list[Row] = []
    for name in names:
        evaluation = root.game.evaluation(name)
        plain, deep = alternate(
            rounds,
            partial(run_alphabeta, root, depth, evaluation),
            partial(run_iterative, root, depth, evaluation),
        )
        values = {run.value for run in plain + deep}
        if len(values) != 1:
            raise AssertionError(f"depth {depth}: the searches disagree: {values}")
        counts = [f"{runs[0].nodes:,}" for runs in (plain, deep)]
        times = [f"{time_of(runs):.3f}" for runs in (plain, deep)]
        rows.append((evaluation.name, depth, *counts, *times, f"{ratio(plain, deep):.1f}"))
    return rows


def parse_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.search", description=__doc__)
    add = parser.add_argument
    add("--rounds", type=int, default=5, help="rounds of each comparison (default 5)")
    add("--depths", type=int, nargs="*", default=[8, 10, 12], help="depths for the node rate")
    add("--depth", type=int, default=12, help="depth for deepening (default 12)")
    add("--evaluations", nargs="*", default=["null"], help="for deepening; '' is the default one")
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    return parser.parse_args()


def main() -> None:
    """Measure what was asked for, printing each table as soon as it is there."""
    asked = parse_arguments()
    root = find_game("connectfour").initial()
    print(machine())
    if asked.depths:
        print(f"\nNode rate, in millions a second; wanted: a ratio of at least {RATE_WANTED}\n")
        rows = measure_rate(root, asked.depths, asked.rounds)
        print(table(["depth", "nodes", "fused", "alphabeta", "ratio"], rows), flush=True)
    if asked.evaluations:
        print(f"\nSeconds to complete a depth; wanted with null: {SOONER_WANTED} times sooner\n")
        rows = measure_deepening(root, asked.depth, asked.rounds, asked.evaluations)
        heads = ["evaluation", "depth", "nodes of alphabeta", "of iterative"]
        print(table([*heads, "alphabeta s", "iterative s", "times sooner"], rows), flush=True)


if __name__ == "__main__":
    main()
