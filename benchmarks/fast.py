"""Measure compiled Monte Carlo tree search, the solver and a warm start against their goals.

    python -m benchmarks.fast --rounds 5

Times are of the processor. Peers run in turn with ours, in the same process.
"""

import argparse
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import cast

from benchmarks import mcts_contenders
from benchmarks.contenders import ready as contenders_ready
from benchmarks.measures import HEADINGS, Row, alternate, compared, machine, table
from bots.compiled.ready import prepare
from bots.solver import solver_of
from games.connectfour import ConnectFourState, score_of
from games.support.specs import find_game

SIMULATIONS = {"connectfour": 4000, "tictactoe": 4000, "othello": 400}
POSITIONS = Path(__file__).resolve().parents[2] / "shared/oracles/connectfour_middle_easy.txt"
SOLVE_GOAL_MS, START_GOAL_MS = 150, 60

_START = """
import time
from bots.{module} import BOT
from games.support.specs import find_game
game = find_game("connectfour")
begin = time.process_time()
BOT().new_match(game, 0, 1)
print(1e3 * (time.process_time() - begin))
"""


def rows(rounds: int = 5, positions: Path = POSITIONS) -> list[Row]:
    """Return a row for each work that can be measured here."""
    return [*simulation_rows(rounds), *solving_rows(rounds, positions), *start_rows(rounds)]


def simulation_rows(rounds: int) -> list[Row]:
    """Compare simulations a second with OpenSpiel's bot in C++."""
    found: list[Row] = []
    ours, theirs = mcts_contenders.COMPILED, mcts_contenders.OPENSPIEL_C
    for game, simulations in SIMULATIONS.items():
        chosen = [each for each in mcts_contenders.contenders(game) if each.name in (ours, theirs)]
        works, _ = contenders_ready(chosen)
        if len(works) < len(chosen):
            continue
        for run in works.values():
            run(10)
        runs = alternate(rounds, *(partial(run, simulations) for run in works.values()))
        rates = {
            name: [(run.nodes or 0) / run.time_s for run in column]
            for name, column in zip(works, runs, strict=True)
        }
        work = f"MCTS simulations/s: {game}"
        found.append(compared(work, theirs, rates[theirs], rates[ours], is_cost=False))
    return found


def solving_rows(rounds: int, positions: Path) -> list[Row]:
    """Time the compiled solver on a file of Connect Four's positions with their scores."""
    if not positions.is_file():
        return []
    game = find_game("connectfour")
    lines = [line.split() for line in positions.read_text().splitlines() if line.strip()]
    states = [(cast(ConnectFourState, game.position(moves)), int(score)) for moves, score in lines]
    solver_of(game).solve(states[0][0])
    times = []
    for _ in range(rounds):
        begin = time.process_time()
        solver = solver_of(game)
        for state, score in states:
            found = solver.solve(state)
            if score_of(state, found.utility, found.plies or 0) != score:
                raise AssertionError(f"{found} instead of {score}")
        times.append(1e3 * (time.process_time() - begin))
    work = f"ms to solve {len(states)} positions"
    return [compared(work, "goal", [SOLVE_GOAL_MS], times, is_cost=True)]


def start_rows(rounds: int) -> list[Row]:
    """Time the start of compiled bots in processes of their own, the code kept from before."""
    if not prepare(find_game("connectfour")):
        return []
    found = []
    for module in ("alphabeta", "iterative", "mcts"):
        command = [sys.executable, "-c", _START.format(module=module)]
        times = [
            float(subprocess.run(command, capture_output=True, check=True).stdout)
            for _ in range(rounds)
        ]
        work = f"ms of a warm start: {module}"
        found.append(compared(work, "goal", [START_GOAL_MS], times, is_cost=True))
    return found


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fast", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="rounds of each (default 5)")
    parser.add_argument("--positions", type=Path, default=POSITIONS, help="positions to solve")
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    asked = parser.parse_args()
    print(machine())
    print()
    print(table(HEADINGS, rows(asked.rounds, asked.positions)))


if __name__ == "__main__":
    main()
