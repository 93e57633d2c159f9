"""A gate before a weaker, an equal and a stronger change, many times each, with real matches.

    python -m benchmarks.gate --help

Each time is a fresh database and another seed. The bot moves at random, but takes a win in one
move, save with a probability, its option `share`. The change is the same bot with another share, or
with the same one for an equal change.
"""

import argparse
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from league import League
from league.analysis.gate import GateResult, GateVerdict
from league.api.tournament import Tournament
from league.tournament.run_options import RunOptions

GAME = "connectfour"
MAIN = 0.4
SHARES = {"weaker": 0.8, "equal": MAIN, "stronger": 0.2}

BOT = '''
import random


class Mixed:
    """Take a win, unless chance forbids it, and else move at random."""

    def __init__(self, share: float = 0.4) -> None:
        self.share = share

    def new_match(self, game, seat, seed):
        """Draw other numbers in each match."""
        self.source = random.Random(seed)

    def choose(self, state, clock):
        """Return a move."""
        moves = list(state.legal_moves())
        if self.source.random() >= self.share:
            for move in moves:
                outcome = state.play(move).outcome()
                if outcome and outcome[state.to_move] > 0:
                    return move
        return self.source.choice(moves)
'''


def gate(share: float, elo0: float, seed: int, workers: int | None) -> GateResult:
    """Hold a gate before a change with this share, against the bot as it is."""

    def play(tournament: Tournament, budget_s: float | None) -> None:
        tournament.resume(progress=False, options=RunOptions(workers=workers))

    with TemporaryDirectory() as folder, League(Path(folder) / "league.db") as cup:
        for name, text, own in (("main", BOT, MAIN), ("new", f"{BOT}\n# Changed.\n", share)):
            path = Path(folder) / f"{name}.py"
            path.write_text(text)
            options = {"share": str(own)}
            cup.register(name, path, options=options, games=GAME, check=False)
        return cup.gate(
            path,
            "main",
            play=play,
            options=options,
            game=GAME,
            seed=seed,
            elo0=elo0,
            batch=4,
            move_time="1m",
        ).value


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=20, help="gates before each change")
    parser.add_argument("--elo0", type=float, default=-80.0, help="H0; H1 is 0")
    parser.add_argument("--workers", type=int, help="worker processes")
    given = parser.parse_args()
    print("| change | share | not weaker | weaker | undecided | matches | score |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for change, share in SHARES.items():
        found = Counter[GateVerdict]()
        won = drawn = matches = 0
        for seed in range(given.times):
            result = gate(share, given.elo0, seed, given.workers)
            found[result.verdict] += 1
            (line,) = result.lines
            won, drawn = won + line.won, drawn + line.drawn
            matches += line.won + line.drawn + line.lost
        counts = [found[each] for each in list(GateVerdict)[:3]]
        print(
            f"| {change} | {share:g} | {' | '.join(map(str, counts))} "
            f"| {matches / given.times:,.0f} | {(won + drawn / 2) / matches:.1%} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
