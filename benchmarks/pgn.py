"""Measure how fast the results of a large PGN collection are read and rated.

    python -m benchmarks.pgn --help

The collection is drawn from the seed: engines of known strength, 80 plies a game with comments as
cutechess-cli writes them, or without. It is written to a folder for the time of the measurement;
seconds are of the processor.
"""

import argparse
import gzip
import json
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ENGINES = 40
PLIES = 80
MOVES = ("e4", "Nf3", "exd5", "O-O", "Qxd4+", "Rfe1", "Bb5", "a3", "h6", "Nbd7")
RESULTS = ("1-0", "1/2-1/2", "0-1")
SEED = 1
_MEASURE = """
import json, resource, sys, time
from league.interchange.pgn.results import collect
from league.interchange.rate_pgn import rate
begin = time.process_time()
results = collect(sys.argv[1:])
read = time.process_time()
rate(results)
rated = time.process_time()
print(json.dumps([read - begin, rated - read, results.matches,
                  resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024]))
"""
"""Runs in a process of its own, so that its memory is that of the reader alone."""


def write(path: Path, games: int, has_comments: bool, is_odd: bool) -> None:
    """Write a collection; `is_odd` puts tags in an order that the standard does not have."""
    source = random.Random(SEED)
    texts = [_movetext(source, has_comments) for _ in range(50)]
    with path.open("w") as file:
        for number in range(games):
            white, black = source.sample(range(ENGINES), 2)
            expected = 1 / (1 + 10 ** ((white - black) * 10 / 400))
            result = source.choices(RESULTS, [expected / 2, 0.5, (1 - expected) / 2])[0]
            names = f'[White "Engine {white} x64"]\n[Black "Engine {black} x64"]\n'
            ending = f'[Result "{result}"]\n'
            file.write(
                f'[Event "Benchmark"]\n[Site "?"]\n[Date "2024.01.01"]\n[Round "{number + 1}"]\n'
                f'{ending + names if is_odd else names + ending}[PlyCount "{PLIES}"]\n'
                f'[TimeControl "10+0.1"]\n\n{source.choice(texts)} {result}\n\n'
            )


def _movetext(source: random.Random, has_comments: bool) -> str:
    words = []
    for ply in range(PLIES):
        words += [f"{ply // 2 + 1}."] if ply % 2 == 0 else []
        words.append(source.choice(MOVES))
        if has_comments:
            words.append(f"{{{source.uniform(-1, 1):+.2f}/{source.randrange(8, 30)} 0.104s}}")
    lines, line = [], ""
    for word in words:
        if len(line) + len(word) > 78:
            lines.append(line)
            line = ""
        line += f"{word} "
    return "\n".join([*lines, line.rstrip()])


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=500_000)
    parser.add_argument("--repeats", type=int, default=5)
    given = parser.parse_args()
    print("| collection | MB | games | reading | rating | MB a second | games a second | peak MB |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    kinds = {
        "moves alone": (False, False, False),
        "with comments": (True, False, False),
        "with comments, packed by gzip": (True, False, True),
        "tags in another order": (False, True, False),
    }
    with tempfile.TemporaryDirectory() as folder:
        for name, (has_comments, is_odd, is_packed) in kinds.items():
            path = Path(folder) / "games.pgn"
            write(path, given.games, has_comments, is_odd)
            size = path.stat().st_size / 1e6
            if is_packed:
                packed = Path(folder) / "games.pgn.gz"
                # In pieces: a process begins with as much memory as the one that starts it.
                with path.open("rb") as text, gzip.open(packed, "wb", 4) as file:
                    shutil.copyfileobj(text, file, 1 << 20)
                path = packed
            found = [_measured(path) for _ in range(given.repeats)]
            read, rated, matches, peak = map(statistics.median, zip(*found, strict=True))
            print(
                f"| {name} | {size:,.0f} | {matches:,.0f} | {read:.2f} s | {rated * 1e3:.0f} ms "
                f"| {size / read:,.0f} | {matches / read:,.0f} | {peak:.0f} |",
                flush=True,
            )


def _measured(path: Path) -> list[float]:
    ran = subprocess.run(
        [sys.executable, "-c", _MEASURE, str(path)], capture_output=True, text=True, check=True
    )
    found: list[float] = json.loads(ran.stdout)
    return found


if __name__ == "__main__":
    main()
