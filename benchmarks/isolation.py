"""What the levels of isolation cost: `python -m benchmarks.isolation`.

Starts a bot that answers at once at each level in turn, with and without standing still between its
moves, and prints medians.
"""

import statistics
import time
from pathlib import Path

from games.support.specs import find_game
from league.model.records import Isolation, Limits
from league.registration.source_snapshot import take_snapshot
from league.seats.process.environment import BotEnvironment
from league.seats.process.isolation import why_no_sandbox
from league.seats.process.namespace import why_no_namespace
from league.seats.python.python_seat import PythonSeat
from league.seats.seat import MoveBudget

BOT = Path(__file__).parents[1] / "tests" / "bad_bots" / "first.py"
NAMESPACE = "limits, namespace"
STARTS = 7
MOVES = 300


def main() -> None:
    """Measure and print."""
    levels = ["none", "limits"]
    levels += [] if why_no_namespace() else [NAMESPACE]
    levels += [] if why_no_sandbox() else ["sandbox"]
    kinds = [(level, is_frozen) for level in levels for is_frozen in (False, True)]
    starts: dict[tuple[str, bool], list[float]] = {kind: [] for kind in kinds}
    moves: dict[tuple[str, bool], list[float]] = {kind: [] for kind in kinds}
    for _ in range(STARTS):
        for kind in kinds:
            start, each = _measure(*kind)
            starts[kind].append(start)
            moves[kind] += each
    print(f"{'level':18} {'still':6} {'start':>10} {'move':>10}")
    for kind in kinds:
        start, move = statistics.median(starts[kind]), statistics.median(moves[kind])
        still = "yes" if kind[1] else "no"
        print(f"{kind[0]:18} {still:6} {start * 1e3:7.0f} ms {move * 1e6:7.0f} µs")


def _measure(level: str, is_frozen: bool) -> tuple[float, list[float]]:
    game = find_game("connectfour")
    isolation = Isolation.LIMITS if level == NAMESPACE else Isolation(level)
    limits = Limits(move_s=1.0, isolation=isolation, is_frozen=is_frozen)
    environment = BotEnvironment(allows_namespaces=level == NAMESPACE)
    seat = PythonSeat(take_snapshot("first", str(BOT), {}), limits, environment)
    budget = MoveBudget.of(limits, game.seats)
    begin = time.perf_counter()
    seat.start()
    start = time.perf_counter() - begin
    moves = []
    try:
        seat.new_match(game, 0, 1, ())
        for _ in range(MOVES):
            begin = time.perf_counter()
            seat.ask(game.initial(), (), budget)
            moves.append(time.perf_counter() - begin)
    finally:
        seat.stop()
    return start, moves


if __name__ == "__main__":
    main()
