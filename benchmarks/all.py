"""Measure all work that has a goal, beside its peers, and write one table.

    python -m benchmarks.all --out results

This writes results.md and results.json. A peer that is missing has no row; a group of rows that
can't be measured here is named with the reason.
"""

import argparse
import json
import os
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from benchmarks import commands, deepening, engines, fast, runner
from benchmarks.measures import HEADINGS, Row, machine, table
from benchmarks.peers import versions
from games.support.errors import GameError

GROUPS: Mapping[str, Callable[[int], list[Row]]] = {
    "the referee between engines": partial(engines.rows, 60),
    "short matches": partial(runner.rows, 3000),
    "commands": commands.rows,
    "compiled deepening": deepening.rows,
    "compiled playouts, solving and starts": fast.rows,
}
"""What is measured: each takes the number of rounds."""


def measured(rounds: int) -> tuple[list[Row], list[str]]:
    """Return the rows of all groups, and a line for each group that can't be measured."""
    rows: list[Row] = []
    missing = []
    for name, group in GROUPS.items():
        print(f"{name} …", file=sys.stderr, flush=True)
        try:
            rows += group(rounds)
        except (GameError, ImportError, OSError) as error:
            missing.append(f"not measured: {name} ({error})")
    return rows, missing


def main() -> None:
    """Measure, and write the results."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.all", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--rounds", type=int, default=5, help="rounds of each (default 5)")
    parser.add_argument("--out", type=Path, default=Path("results"), help="name without suffix")
    asked = parser.parse_args()
    where = f"{machine()}; {versions()}; load {os.getloadavg()[0]:.1f} at the start"
    rows, missing = measured(asked.rounds)
    text = "\n".join([where, "", table(HEADINGS, rows), *missing, ""])
    asked.out.with_suffix(".md").write_text(text)
    found = [dict(zip(HEADINGS, row, strict=True)) for row in rows]
    document = {"machine": where, "rows": found, "missing": missing}
    asked.out.with_suffix(".json").write_text(json.dumps(document, indent=2, ensure_ascii=False))
    print(text)


if __name__ == "__main__":
    main()
