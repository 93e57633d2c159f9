"""Measure this project's searches beside other projects' and print the results as Markdown.

    python -m benchmarks.peers --help

Who is not installed is named, with how to get it. Who is compared does the same work, in turn
within one process, round after round. Times are of the processor; numbers are medians over the
rounds, a ratio is the median of the rounds' own ratios. Who takes longer than the limit is stopped
and reported as over it. Node counts and values are checked on the way.
"""

import argparse
from collections.abc import Callable, Sequence
from functools import partial
from importlib.metadata import PackageNotFoundError, version

from benchmarks import chess_rates, connectfour_contenders, mcts_contenders
from benchmarks.chess_rates import rate_of
from benchmarks.connectfour_contenders import COMPILED, ITERATIVE, PLAIN_C
from benchmarks.contenders import Times, Work, race, ready
from benchmarks.measures import Row, digits, machine, table
from benchmarks.search import COUNTS
from games.support.errors import GameError
from games.support.game import Game, State
from games.support.specs import find_game

OURS = (ITERATIVE, COMPILED)
"""Whom all others are held against."""

PACKAGES = ("numba", "easyAI", "aima3", "open_spiel", "chess")
WARM_UP_DEPTH = 2
WANTED = 40
"""How many times sooner than any Python peer, at the greatest depth."""

SIMULATIONS = {"connectfour": 4_000, "tictactoe": 4_000, "othello": 400}
WALK_DEPTH = 3
NONE, FIRST = "null", ""
CHESS_DEPTHS = {NONE: 5, FIRST: 4}
"""Depth in plies for the node rate, without and with the game's first evaluation."""


def versions() -> str:
    """Name the packages that are compared, and their versions."""
    found = []
    for name in PACKAGES:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            found.append(f"no {name}")
    return ", ".join(found)


def check_nodes(times: dict[str, Times], depth: int) -> None:
    """Hold everybody to the empty board's value, and plain alpha-beta to the same nodes."""
    plain = {each.name for each in connectfour_contenders.CONTENDERS if each.is_plain}
    nodes = COUNTS.get(depth)
    for name, done in times.items():
        for run in done.runs:
            if run.value not in (0, None):
                raise AssertionError(f"{name} at depth {depth}: {run}, expected value 0")
            if name in plain and run.nodes is not None:
                nodes = run.nodes if nodes is None else nodes
                if run.nodes != nodes:
                    raise AssertionError(f"{name} at depth {depth}: {run}, expected {nodes} nodes")


def measure_depths(
    works: dict[str, Work], depths: Sequence[int], rounds: int, limit_s: float
) -> dict[int, dict[str, Times]]:
    """Race to each depth; who is over the limit at one is not asked for the next."""
    for work in works.values():
        work(WARM_UP_DEPTH)
    found: dict[int, dict[str, Times]] = {}
    over: dict[str, Times] = {}
    for depth in sorted(depths):
        times = race(works, depth, rounds, limit_s)
        check_nodes(times, depth)
        found[depth] = over | times
        over |= {name: each for name, each in times.items() if each.is_over}
        works = {name: work for name, work in works.items() if name not in over}
    return found


def print_connectfour(asked: argparse.Namespace) -> None:
    """Print the time to each depth on Connect Four, and the node rates."""
    works, missing = ready(connectfour_contenders.CONTENDERS)
    print_missing(missing)
    depths = sorted(asked.depths)
    found = measure_depths(works, depths, asked.rounds, asked.limit)

    def show(title: str, cell: Callable[[Times, dict[str, Times]], str]) -> None:
        rows = [
            (name, *(cell(found[depth][name], found[depth]) for depth in depths)) for name in works
        ]
        print(f"\nConnect Four: {title}\n")
        print(table(["search", *map(str, depths)], rows), flush=True)

    show(f"milliseconds to a depth in plies, {asked.rounds} rounds", lambda each, _: each.cell())
    show("nodes", lambda each, _: each.nodes())
    for ours in OURS:
        if ours in works:
            title = f"times as long as `{ours}`; wanted of Python peers: {WANTED}"
            show(title, partial(_times_of, ours))
    quick = {name: works[name] for name in (COMPILED, PLAIN_C) if name in works}
    if quick and asked.rate_depth:
        times = race(quick, asked.rate_depth, asked.rounds, asked.limit)
        check_nodes(times, asked.rate_depth)
        print(f"\nConnect Four: millions of nodes a second at depth {asked.rate_depth}\n")
        cells = [(name, each.nodes(), digits(each.rate() / 1e6)) for name, each in times.items()]
        print(table(["search", "nodes", "rate"], cells), flush=True)


def _times_of(ours: str, each: Times, times: dict[str, Times]) -> str:
    return each.times_of(times[ours])


def print_mcts(asked: argparse.Namespace) -> None:
    """Print simulations a second, game by game."""
    rows: list[Row] = []
    for name, simulations in SIMULATIONS.items():
        works, missing = ready(mcts_contenders.contenders(name))
        if not rows:
            print_missing(missing)
        for work in works.values():
            work(10)
        times = race(works, simulations, asked.rounds, asked.limit)
        ours = times[mcts_contenders.OURS]
        for who, each in times.items():
            cells = (each.nodes(), digits(each.rate()), each.times_of(ours))
            rows.append((name, who, *cells))
    print(f"\nMCTS: simulations a second, {asked.rounds} rounds\n")
    heads = [
        "game",
        "search",
        "simulations",
        "a second",
        f"times as long as `{mcts_contenders.OURS}`",
    ]
    print(table(heads, rows), flush=True)


def print_chess(asked: argparse.Namespace) -> None:
    """Print node rates and depths reached on chess."""
    try:
        game = find_game("chess")
    except GameError as error:
        print_missing([f"missing: chess ({error})"])
        return
    print("\nChess: thousands of nodes a second, and the share of python-chess in it\n")
    heads = ["position", "evaluation", "depth", "nodes", "alphabeta", "python-chess alone", "share"]
    print(table(heads, chess_rows(game, asked.rounds)), flush=True)
    print("\nChess: the depth that `iterative` completes\n")
    heads = ["position", "evaluation", "seconds", "of the processor", "depth", "nodes"]
    print(table([*heads, "thousands a second"], depth_rows(game, asked.seconds)), flush=True)


def chess_rows(game: Game, rounds: int) -> list[Row]:
    """Measure alpha-beta's node rate beside python-chess's own, in turn."""
    rows: list[Row] = []
    for name, fen in chess_rates.POSITIONS.items():
        for wanted, depth in CHESS_DEPTHS.items():
            evaluation = game.evaluation(wanted)
            runs, walks, samples = [], [], chess_rates.Samples()
            for _ in range(rounds):
                # Anew each time: a position keeps what it found out.
                runs.append(chess_rates.run_alphabeta(position(game, fen), depth, evaluation))
                walks.append(chess_rates.run_walk(chess_rates.board_of(fen), WALK_DEPTH))
                with samples.running():
                    chess_rates.run_alphabeta(position(game, fen), depth, evaluation)
            rates = (digits(rate_of(each) / 1e3) for each in (runs, walks))
            nodes = f"{runs[0].nodes:,}"
            rows.append((name, evaluation.name, depth, nodes, *rates, f"{samples.share:.0%}"))
    return rows


def depth_rows(game: Game, seconds: Sequence[float]) -> list[Row]:
    """Measure how deep `iterative` comes, by the game's first evaluation."""
    evaluation = game.evaluation(FIRST)
    rows: list[Row] = []
    for name, fen in chess_rates.POSITIONS.items():
        for move_s in seconds:
            depth, run = chess_rates.run_iterative(position(game, fen), evaluation, move_s)
            rate = digits(chess_rates.rate_of([run]) / 1e3)
            cells = (f"{move_s:g}", digits(run.time_s), depth, f"{run.nodes:,}", rate)
            rows.append((name, evaluation.name, *cells))
    return rows


def position(game: Game, fen: str) -> State:
    """Return a position by its FEN, the first one where that is empty."""
    return game.position(fen) if fen else game.initial()


def print_missing(lines: Sequence[str]) -> None:
    """Name who does not take part."""
    for line in lines:
        print(line)


SECTIONS = {"connectfour": print_connectfour, "chess": print_chess, "mcts": print_mcts}


def main() -> None:
    """Measure what was asked for, printing each table as soon as it is there."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers", description=__doc__)
    add = parser.add_argument
    add("--only", nargs="*", default=list(SECTIONS), choices=SECTIONS, help="what to measure")
    add("--rounds", type=int, default=5, help="rounds of each comparison (default 5)")
    add("--limit", type=float, default=120, help="seconds that a run may take (default 120)")
    add("--depths", type=int, nargs="*", default=[4, 6, 8, 10, 12], help="plies on Connect Four")
    add("--rate-depth", type=int, default=14, help="plies for the rates of C and compiled; 0: none")
    add("--seconds", type=float, nargs="*", default=[1, 10], help="time for a move of chess")
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    asked = parser.parse_args()
    print(f"{machine()}; {versions()}")
    for name in asked.only:
        SECTIONS[name](asked)


if __name__ == "__main__":
    main()
