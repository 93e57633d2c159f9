"""What the rules of each game cost: `python -m benchmarks.games [SPEC ...]`.

Random matches from the first position. Branching is the mean number of legal moves where a seat
moves, length the mean number of plies; plies a second are of the rules alone: the legal moves, a
random one of them played, the outcome asked for.
"""

import random
import statistics
import sys
import time

from games.support.errors import GameError
from games.support.game import Game
from games.support.moves import draw_move
from games.support.specs import GAMES, find_game

MATCHES = 200
PLIES_MAX = 2000
SECONDS = 2.0
RUNS = 5
ALSO = (
    "mnk?columns=3&rows=3&connect=3",
    "openspiel:backgammon",
    "openspiel:chinese_checkers?players=4",
    "openspiel:go",
    "openspiel:hex",
    "pacman?layout=medium",
    "tree?file=chance",
)


def walk(game: Game, source: random.Random) -> list[int]:
    """Play a random match; return the number of moves at each ply of a seat, 0 for luck's."""
    state = game.initial()
    counts: list[int] = []
    while state.outcome() is None and len(counts) < PLIES_MAX:
        counts.append(0 if state.to_move < 0 else len(state.legal_moves()))
        state = state.play(draw_move(state, source))
    return counts


def rate(game: Game, source: random.Random) -> float:
    """Return plies a second over `SECONDS` / `RUNS` seconds of random matches."""
    plies, begin = 0, time.perf_counter()
    while (took := time.perf_counter() - begin) < SECONDS / RUNS:
        plies += len(walk(game, source))
    return plies / took


def row(spec: str) -> str:
    """Return a game's line of the table."""
    try:
        game = find_game(spec)
    except GameError as error:
        return f"| `{spec}` | {error} |"
    source = random.Random(1)
    matches: list[list[int]] = []
    begin = time.perf_counter()
    while len(matches) < MATCHES and (len(matches) < 3 or time.perf_counter() - begin < SECONDS):
        matches.append(walk(game, source))
    counts = [count for match in matches for count in match if count]
    branching = f"{statistics.mean(counts):.1f}"
    length = f"{statistics.mean(map(len, matches)):.0f}"
    speed = statistics.median(rate(game, source) for _ in range(RUNS))
    sides = len(set(game.sides))
    seats = f"{game.seats}" if sides == game.seats else f"{game.seats} in {sides} sides"
    luck = "yes" if game.has_chance else "no"
    return f"| `{spec}` | {seats} | {luck} | {branching} | {length} | {speed:,.0f} |"


def main() -> None:
    """Print the table."""
    print("| game | seats | chance | branching | length | plies/s |")
    print("| --- | --- | --- | ---: | ---: | ---: |")
    for spec in sys.argv[1:] or sorted({*GAMES.names(), *ALSO}):
        print(row(spec), flush=True)


if __name__ == "__main__":
    main()
