"""Measure compiled `iterative` beside plain C and beside itself in Python, as Markdown.

    python -m benchmarks.deepening --help

All times are of the processor, medians of rounds in turn. Depths are those that 100 ms of processor
time are enough for: each search's rate is measured first, and then it gets so many nodes. So other
work on the machine counts for little. The two searches make the same nodes at the same depth.
"""

import argparse
import time
from collections.abc import Sequence
from statistics import median

from benchmarks.connectfour_contenders import CONTENDERS, DEEPENING, ITERATIVE, PLAIN_C
from benchmarks.contenders import race, ready
from benchmarks.measures import HEADINGS, Row, compared, machine, table
from bots.compiled.ready import prepare
from bots.iterative import Iterative
from bots.support.bot import Clock, Report
from games.support.game import Game, State
from games.support.specs import find_game
from league.match.openings.drawn import DrawnOpenings

MOVE_S = 0.1
POSITIONS = 8
DEPTH = 12
RATE_NODES = {"auto": 300_000, "no": 6_000}
GAMES = ("mnk", "breakthrough", "tablut", "othello")


def measure_depth_of_connect_four(rounds: int) -> list[Row]:
    """Compare the time that compiled `iterative` takes to a depth with others'."""
    wanted = (DEEPENING, PLAIN_C, ITERATIVE)
    works, missing = ready([each for each in CONTENDERS if each.name in wanted])
    for line in missing:
        print(line)
    times = race(works, DEPTH, rounds, limit_s=60)
    taken = {name: [1e3 * run.time_s for run in done.runs] for name, done in times.items()}
    work = f"Connect Four to depth {DEPTH}, null evaluation, ms"
    return [
        compared(work, name, taken[name], taken[DEEPENING], is_cost=True)
        for name in wanted[1:]
        if name in times
    ]


def positions(game: Game) -> list[State]:
    """Return positions after drawn openings."""
    openings = DrawnOpenings(game, game.opening_plies, seed=1)
    states = []
    for number in range(POSITIONS):
        state = game.initial()
        for move in openings[number].moves:
            state = state.play(move)
        states.append(state)
    return states


def depths(states: Sequence[State], fast: str, extras: bool) -> tuple[float, list[int]]:
    """Return the nodes a second of a bot, and the depths that it completes."""
    bot = Iterative(fast=fast, killers=extras, late_moves=extras, null_move=extras)
    bot.new_match(states[0].game, 0, 1)

    def report_of(state: State, nodes: int) -> Report:
        bot.choose(state, Clock(nodes=nodes))
        return bot.report or Report()

    rates = []
    for state in states:
        begin = time.process_time()
        nodes = report_of(state, RATE_NODES[fast]).nodes or 0
        rates.append(nodes / (time.process_time() - begin))
    rate = median(rates)
    return rate, [report_of(state, int(MOVE_S * rate)).depth or 0 for state in states]


def measure_depths(specs: Sequence[str], extras: bool) -> list[Row]:
    """Compare the depths that `iterative` completes, compiled and in Python."""
    found: list[Row] = []
    peer = "iterative:killers=yes,late_moves=yes,null_move=yes" if extras else "iterative"
    for spec in specs:
        game = find_game(spec)
        if not prepare(game):
            raise SystemExit(f"no compiled search of {spec}: is numba installed?")
        states = positions(game)
        (pure, shallow), (compiled, deep) = (
            depths(states, fast, extras) for fast in ("no", "auto")
        )
        work = f"{spec}: plies in {1e3 * MOVE_S:.0f} ms; {compiled / pure:.0f} times the nodes"
        found.append(compared(work, f"{peer}, Python", shallow, deep, is_cost=False))
    return found


def rows(rounds: int = 11) -> list[Row]:
    """Return the rows of all that is measured."""
    return [
        *measure_depth_of_connect_four(rounds),
        *measure_depths(GAMES, extras=False),
        *measure_depths(GAMES, extras=True),
    ]


def main() -> None:
    """Print the rows."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.deepening", description=__doc__)
    parser.add_argument("--rounds", type=int, default=11, help="rounds in turn (default 11)")
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    asked = parser.parse_args()
    print(machine(), "\n")
    print(table(HEADINGS, rows(asked.rounds)))


if __name__ == "__main__":
    main()
