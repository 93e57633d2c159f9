"""Measure what matches take in the database: bytes, and time to pack, to write, to read.

    python -m benchmarks.storage --help

Two searches that report depth, nodes, score and expected line play Connect Four and chess; their
matches of about 38 and 80 plies are stored again and again in a fresh league, under other seeds.
"""

import argparse
import sqlite3
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import cycle, islice
from pathlib import Path
from statistics import mean, median

from benchmarks.measures import Row, machine, table
from league.model.records import Limits, MatchRecord
from league.model.tournament_spec import TournamentSpec
from league.registration.register import register
from league.store.record_codec.packed_match import PackedMatch
from league.store.store import Store, open_store
from league.tournament.create import create_tournament
from league.tournament.planner import Planner
from league.tournament.run_options import RunOptions
from league.tournament.runner import run_tournament


@dataclass(frozen=True, slots=True)
class Case:
    """A game, its bots by name, their limits, and the lengths of the matches taken, in plies."""

    game: str
    bots: Mapping[str, str]
    limits: Limits
    rounds: int
    plies: range


CASES = (
    Case(
        "connectfour",
        {"shallow": "alphabeta:depth=4", "deep": "alphabeta:depth=5"},
        Limits(cap_s=5),
        300,
        range(37, 40),
    ),
    Case(
        "chess",
        {"shallow": "alphabeta:depth=1", "deep": "alphabeta:depth=2"},
        Limits(cap_s=5, max_plies=80),
        20,
        range(76, 81),
    ),
)


def played(case: Case) -> list[MatchRecord]:
    """Play, and return the matches of about so many plies."""
    with (
        tempfile.TemporaryDirectory() as folder,
        open_store(str(Path(folder) / "league.db"), create=True) as store,
    ):
        number = _tournament(store, case, case.rounds)
        run_tournament(store, number, RunOptions(workers=2))
        matches = store.matches.numbers(number)
        records = [record for _, _, record in store.results.records(matches)]
    return [record for record in records if _plies(record) in case.plies]


def _plies(record: MatchRecord) -> int:
    return len(record.opening) + len(record.moves)


def stored(
    case: Case, records: Sequence[MatchRecord], matches: int, batch: int
) -> tuple[float, list[Row]]:
    """Write so many matches; return how many a second, and the bytes a match by table."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "league.db"
        with open_store(str(path), create=True) as store:
            number = _tournament(store, case, matches // 2)
            planner = Planner(store, number)
            keys = []
            while more := planner.more(store, matches):
                keys += [job.key for job in more]
            packed = [
                PackedMatch.of(replace(record, seed=(1 << 52) + 7919 * index))
                for index, record in enumerate(islice(cycle(records), len(keys)))
            ]
            begin = time.perf_counter()
            for at in range(0, len(keys), batch):
                pairs = zip(keys[at : at + batch], packed[at : at + batch], strict=True)
                store.matches.save_packed(number, list(pairs))
            rate = len(keys) / (time.perf_counter() - begin)
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            pages = connection.execute(
                "SELECT name, sum(pgsize) FROM dbstat GROUP BY name ORDER BY 2 DESC LIMIT 5"
            ).fetchall()
        rows: list[Row] = [(name, f"{size / len(keys):.0f}") for name, size in pages]
        return rate, [*rows, ("the whole file", f"{path.stat().st_size / len(keys):.0f}")]


def _tournament(store: Store, case: Case, rounds: int) -> int:
    for name, bot in case.bots.items():
        register(store, name, bot, options={}, is_checked=False)
    spec = TournamentSpec(
        game=case.game, bots=list(case.bots), rounds=rounds, limits=case.limits, seed=7
    )
    return create_tournament(store, spec).id


def _each_ms(work: Sequence[float], count: int) -> str:
    return f"{median(work) / count * 1e3:.3f} ms"


def measure(case: Case, matches: int, batch: int, rounds: int) -> None:
    """Print the tables of a case."""
    records = played(case)
    print(f"{case.game}: {len(records)} matches of {mean(map(_plies, records)):.1f} plies\n")
    packing, opening, rates = [], [], []
    for _ in range(rounds):
        begin = time.process_time()
        packed = [PackedMatch.of(record) for record in records]
        packing.append(time.process_time() - begin)
        begin = time.process_time()
        assert [match.record() for match in packed] == records  # noqa: S101 (a check of its own)
        opening.append(time.process_time() - begin)
        rate, sizes = stored(case, records, matches, batch)
        rates.append(rate)
    parts = [
        ("the blob", f"{mean(len(match.data) for match in packed):.0f}"),
        ("the line of moves", f"{mean(len(match.notation) for match in packed):.0f}"),
    ]
    print(table(("part, table or index", "bytes a match"), [*parts, *sizes]))
    print()
    timed = [
        ("to pack a match, in its worker", _each_ms(packing, len(records))),
        ("to read one", _each_ms(opening, len(records))),
        (f"matches written a second, {batch} at once", f"{median(rates):,.0f}"),
    ]
    print(table(("what", "median"), timed), end="\n\n")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--matches", type=int, default=20_000, help="how many are written")
    parser.add_argument("--batch", type=int, default=500, help="how many at once")
    parser.add_argument("--rounds", type=int, default=5, help="how often")
    given = parser.parse_args()
    print(machine(), end="\n\n")
    for case in CASES:
        measure(case, given.matches, given.batch, given.rounds)


if __name__ == "__main__":
    main()
