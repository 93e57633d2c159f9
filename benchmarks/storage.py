"""Measure what matches take in the database: bytes, and time to pack, to write, to read.

    python -m benchmarks.storage --help

Two searches that report depth, nodes, score and expected line play Connect Four; the matches of
about 40 moves among theirs are stored again and again in a fresh league, under other seeds.
"""

import argparse
import sqlite3
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
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

GAME = "connectfour"
BOTS = {"shallow": "alphabeta:depth=4", "deep": "alphabeta:depth=5"}
NEAR = 2
"""How far from 40 a match may be."""


def played(plies: int, rounds: int) -> list[MatchRecord]:
    """Play, and return the matches of about so many moves."""
    with (
        tempfile.TemporaryDirectory() as folder,
        open_store(str(Path(folder) / "league.db"), create=True) as store,
    ):
        number = _tournament(store, rounds)
        run_tournament(store, number, RunOptions(workers=2))
        matches = store.match_ids(number)
        records = [record for _, _, record in store.records(matches)]
    return [record for record in records if abs(len(record.moves) - plies) <= NEAR]


def stored(records: Sequence[MatchRecord], matches: int, batch: int) -> tuple[float, list[Row]]:
    """Write so many matches; return how many a second, and the bytes a match by table."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "league.db"
        with open_store(str(path), create=True) as store:
            number = _tournament(store, matches // 2)
            planner = Planner(store, number)
            keys = []
            while more := planner.more(matches):
                keys += [job.key for job in more]
            packed = [
                PackedMatch.of(replace(record, seed=(1 << 52) + 7919 * index))
                for index, record in enumerate(islice(cycle(records), len(keys)))
            ]
            begin = time.perf_counter()
            for at in range(0, len(keys), batch):
                pairs = zip(keys[at : at + batch], packed[at : at + batch], strict=True)
                store.save_packed(number, list(pairs))
            rate = len(keys) / (time.perf_counter() - begin)
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            pages = connection.execute(
                "SELECT name, sum(pgsize) FROM dbstat GROUP BY name ORDER BY 2 DESC LIMIT 5"
            ).fetchall()
        rows: list[Row] = [(name, f"{size / len(keys):.0f}") for name, size in pages]
        return rate, [*rows, ("the whole file", f"{path.stat().st_size / len(keys):.0f}")]


def _tournament(store: Store, rounds: int) -> int:
    for name, spec in BOTS.items():
        register(store, name, spec, options={}, is_checked=False)
    limits = Limits(cap_s=5)
    return create_tournament(
        store, TournamentSpec(game=GAME, bots=list(BOTS), rounds=rounds, limits=limits, seed=1)
    ).id


def _each_ms(work: Sequence[float], count: int) -> str:
    return f"{median(work) / count * 1e3:.2f} ms"


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--plies", type=int, default=40, help="how long matches are")
    parser.add_argument("--matches", type=int, default=20_000, help="how many are written")
    parser.add_argument("--batch", type=int, default=500, help="how many at once")
    parser.add_argument("--rounds", type=int, default=5, help="how often")
    given = parser.parse_args()
    records = played(given.plies, 300)
    print(machine(), end="\n\n")
    lengths = [len(record.moves) for record in records]
    print(f"{len(records)} matches of {mean(lengths):.1f} moves on average\n")
    packing, opening, rates = [], [], []
    for _ in range(given.rounds):
        begin = time.process_time()
        packed = [PackedMatch.of(record) for record in records]
        packing.append(time.process_time() - begin)
        begin = time.process_time()
        assert [match.record() for match in packed] == records  # noqa: S101 (a check of its own)
        opening.append(time.process_time() - begin)
        rate, sizes = stored(records, given.matches, given.batch)
        rates.append(rate)
    size = mean(len(match.data) for match in packed)
    print(table(("table or index", "bytes a match"), [("the record alone", f"{size:.0f}"), *sizes]))
    print()
    timed = [
        ("to pack a match, in its worker", _each_ms(packing, len(records))),
        ("to read one", _each_ms(opening, len(records))),
        (f"matches written a second, {given.batch} at once", f"{median(rates):,.0f}"),
    ]
    print(table(("what", "median"), timed))


if __name__ == "__main__":
    main()
