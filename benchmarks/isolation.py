"""What the levels of isolation cost: `python -m benchmarks.isolation`.

Starts a bot that answers at once at each level in turn, suspends and resumes it, and prints
medians.
"""

import statistics
import time
from pathlib import Path

from games.support.specs import find_game
from league.model.records import Isolation, Limits
from league.platform import family_of
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
    found: dict[str, list[list[float]]] = {level: [[], [], []] for level in levels}
    for _ in range(STARTS):
        for level in levels:
            for all_of_kind, more in zip(found[level], _measure(level), strict=True):
                all_of_kind += more
    print(f"{'level':18} {'start':>10} {'move':>10} {'suspend and resume':>20}")
    for level in levels:
        start, move, still = map(statistics.median, found[level])
        print(f"{level:18} {start * 1e3:7.0f} ms {move * 1e6:7.0f} µs {still * 1e6:17.0f} µs")


def _measure(level: str) -> tuple[list[float], list[float], list[float]]:
    game = find_game("connectfour")
    isolation = Isolation.LIMITS if level == NAMESPACE else Isolation(level)
    limits = Limits(move_s=1.0, isolation=isolation)
    environment = BotEnvironment(allows_namespaces=level == NAMESPACE)
    seat = PythonSeat(take_snapshot("first", str(BOT), {}), limits, environment)
    budget = MoveBudget.of(limits, game.seats)
    begin = time.perf_counter()
    seat.start()
    start = time.perf_counter() - begin
    moves, stills = [], []
    try:
        seat.new_match(game, 0, 1, ())
        for _ in range(MOVES):
            begin = time.perf_counter()
            seat.ask(game.initial(), (), budget)
            moves.append(time.perf_counter() - begin)
        family = family_of(seat.leader or 0)
        for _ in range(MOVES):
            begin = time.perf_counter()
            family.freeze()
            family.thaw()
            stills.append(time.perf_counter() - begin)
    finally:
        seat.stop()
    return [start], moves, stills


if __name__ == "__main__":
    main()
