"""Measure the processor time of whole commands, start-up included, against their goals.

    python -m benchmarks.commands --rounds 5

Each command runs in a process of its own, in turn with the others; what it starts counts too. The
leagues are made first: a small one, one to verify, 870 matches of chess, and a tournament of
100,000 matches of which the last 20 are missing. That takes a minute or two.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import cycle
from pathlib import Path

from benchmarks.measures import HEADINGS, Row, compared, machine, table
from league.analysis.rating_history import keep
from league.api.league import League
from league.model.records import MatchRecord, Termination
from league.tournament.planner import Planner

VERIFIED, EXPORTED, RESUMED, MISSING = 900, 870, 100_000, 20
SAVED = 5_000
"""How many matches are stored at once."""

CLICK = "import click; click.command()(lambda: None).main([])"

Prepare = Callable[[Path], None]


@dataclass(frozen=True, slots=True)
class Work:
    """A command on a league, the milliseconds it may take for each match, and how many these are.

    Without a goal it is what others are compared with. `less` is the work whose time is deducted.
    """

    name: str
    league: str
    arguments: Sequence[str]
    goal: float | None
    matches: int = 1
    less: str = ""


START = "league --help"
LIST = "league tournaments"
WORKS = (
    Work(START, "small", ["--help"], 100),
    Work("league bots", "small", ["bots"], 150),
    Work("league standings", "small", ["standings"], 150),
    Work(LIST, "small", ["tournaments"], None),
    Work("verify, a match", "verified", ["db", "verify"], 0.5, VERIFIED, LIST),
    Work(f"PGN of {EXPORTED} matches", "chess", ["export", "--pgn", os.devnull], 600),
    Work(f"resume, {MISSING} of {RESUMED:,} missing", "long", ["resume", "--quiet"], 500),
)


def rows(rounds: int = 5) -> list[Row]:
    """Return a row for each command that has a goal, in milliseconds."""
    times: dict[str, list[float]] = {work.name: [] for work in WORKS}
    bare: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        for name, make in LEAGUES.items():
            make(Path(folder, f"{name}.db"))
        for _ in range(rounds):
            bare.append(cpu_ms([sys.executable, "-c", CLICK]))
            for work in WORKS:
                # A copy: `resume` finishes it.
                path = shutil.copy(Path(folder, f"{work.league}.db"), Path(folder, "copy.db"))
                call = "from league.cli.main import main; main()"
                command = [sys.executable, "-c", call, *work.arguments]
                where = [] if work.name == START else ["--db", str(path)]
                times[work.name].append(cpu_ms([*command, *where]))
    found: list[Row] = [compared("league --help", "bare click", bare, times[START], is_cost=True)]
    for work in WORKS:
        ours = times[work.name]
        if work.less:
            ours = [a - b for a, b in zip(ours, times[work.less], strict=True)]
        if work.goal is not None:
            each = [one / work.matches for one in ours]
            found.append(compared(f"{work.name}, ms", "goal", [work.goal], each, is_cost=True))
    return found


def cpu_ms(command: Sequence[str]) -> float:
    """Return the processor time of a command and of what it started; raise if it fails."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return 1e3 * (used.ru_utime + used.ru_stime)


def _small(path: Path) -> None:
    with League(path) as league:
        league.register("chance", "random", check=False)
        league.register("shallow", "alphabeta", options={"depth": "2"}, check=False)
        league.run("connectfour", rounds=10, depth=2, seed=1, progress=False)


def _verified(path: Path) -> None:
    with League(path) as league:
        for name in ("a", "b"):
            league.register(name, "random", check=False)
        league.run("connectfour", rounds=VERIFIED // 2, seed=1, progress=False)


def _chess(path: Path) -> None:
    """Store the matches of a short tournament again and again."""
    with League(path) as league:
        for depth in ("1", "2"):
            league.register(f"depth{depth}", "alphabeta", options={"depth": depth}, check=False)
        played = league.run("chess", rounds=10, opening_plies=4, depth=2, seed=1, progress=False)
        records = [league.store.matches.get(match.number)[1] for match in played.matches]
        number = league.create("chess", rounds=EXPORTED // 2, opening_plies=4, seed=1).number
        _store(league, number, records, EXPORTED)


def _long(path: Path) -> None:
    with League(path) as league:
        for name in "abcde":
            league.register(name, "random", check=False)
        number = league.create("tictactoe", rounds=RESUMED // 20, seed=1).number
        record = MatchRecord(
            game="tictactoe",
            versions=(),
            seed=0,
            opening=(),
            moves=(),
            scores=(0.5, 0.5),
            termination=Termination.RULES,
            utilities=(0.0, 0.0),
            notation="",
        )
        _store(league, number, [record], RESUMED - MISSING)
        keep(league.store, "tictactoe")


def _store(league: League, number: int, records: Sequence[MatchRecord], matches: int) -> None:
    """Store records in turn as the first matches of a tournament."""
    planner = Planner(league.store, number)
    jobs = planner.more(league.store, sys.maxsize) or []
    batch = [
        (job.key, replace(record, versions=tuple(each.id for each in job.versions), seed=job.seed))
        for job, record in zip(jobs[:matches], cycle(records), strict=False)
    ]
    for begin in range(0, len(batch), SAVED):
        league.store.matches.save(number, batch[begin : begin + SAVED])


LEAGUES: dict[str, Prepare] = {
    "small": _small,
    "verified": _verified,
    "chess": _chess,
    "long": _long,
}


def main() -> None:
    """Print the rows as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    asked = parser.parse_args()
    print(f"{machine()}\n")
    print(table(HEADINGS, rows(asked.rounds)))


if __name__ == "__main__":
    main()
