"""A round robin of strategies of Axelrod-Python, by the league's runner and by the library.

    pip install 'botleague[axelrod]'
    python -m benchmarks.axelrod_tournament [--turns 200] [--strategies 30] [--workers 2]

Strategies get the same seeds on both sides, and every match must have the same scores. The library
plays in one process, without its cache of matches that have no luck.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.measures import Row, table
from league.match.seeds import seed_of
from league.model.records import Limits
from league.model.tournament_spec import TournamentSpec
from league.registration.register import register
from league.seats.python.axelrod_bot import SEEDS, offer_package
from league.store.store import open_store
from league.tournament.create import create_tournament
from league.tournament.run_options import RunOptions
from league.tournament.runner import run_tournament

STRATEGIES = (
    *("TitForTat", "Grudger", "Random", "Cooperator", "Defector", "Alternator", "GTFT", "Golden"),
    *("WinStayLoseShift", "TitFor2Tats", "Adaptive", "APavlov2011", "BackStabber", "Gradual"),
    *("CautiousQLearner", "CycleHunter", "Forgiver", "GoByMajority", "Handshake", "OmegaTFT"),
    *("LimitedRetaliate", "NaiveProber", "ShortMem", "ThueMorse", "ZDExtort2", "EvolvedHMM5"),
    *("EvolvedFSM16", "SecondByChampion", "FirstByDavis", "FirstByJoss"),
)

Played = tuple[tuple[str, str], int, tuple[float, ...]]
"""The strategies of a match by seat, its seed and its scores."""


class _Seeds:
    """Gives the players of a match of the library the seeds of seats."""

    def __init__(self, seeds: Iterable[int]) -> None:
        self._seeds = iter(seeds)

    def random_seed_int(self) -> int:
        """Return the seed of the next player that asks for one."""
        return next(self._seeds)


def by_league(names: list[str], turns: int, workers: int) -> tuple[list[Played], float]:
    """Return the matches of a round robin in the league, and its seconds."""
    with (
        tempfile.TemporaryDirectory() as folder,
        open_store(str(Path(folder) / "league.db"), create=True) as store,
    ):
        for name in names:
            register(store, name, f"axelrod:{name}", options={}, is_checked=False)
        row = create_tournament(
            store,
            TournamentSpec(
                game=f"dilemma?turns={turns}",
                bots=names,
                rounds=1,
                limits=Limits(move_s=5, start_s=60, max_plies=2 * turns),
                seed=1,
            ),
        )
        begin = time.perf_counter()
        run_tournament(store, row.id, RunOptions(workers=workers))
        took_s = time.perf_counter() - begin
        played = []
        for number in store.matches.numbers(row.id):
            match, record = store.matches.get(number)
            first, second = (each.bot for each in match.versions)
            played.append(((first, second), record.seed, record.utilities or ()))
        return played, took_s


def by_library(library: Any, played: list[Played], turns: int) -> tuple[list[Played], float]:
    """Return the same matches as the library plays them, and its seconds."""
    begin = time.perf_counter()
    found = []
    for names, seed, _ in played:
        players = [getattr(library, name)() for name in names]
        match = library.Match(players, turns=turns)
        match._random = _Seeds(_seeds_of(library, players, seed))
        match.play()
        found.append((names, seed, tuple(map(float, match.final_score()))))
    return found, time.perf_counter() - begin


def _seeds_of(library: Any, players: list[Any], seed: int) -> Iterator[int]:
    for seat, player in enumerate(players):
        if library.Classifiers["stochastic"](player):
            yield seed_of(seed, seat) % SEEDS


def main() -> None:
    """Print the time of both, and whether all scores are the same."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=200)
    parser.add_argument("--strategies", type=int, default=len(STRATEGIES))
    parser.add_argument("--workers", type=int, default=2)
    asked = parser.parse_args()
    offer_package()
    library = sys.modules["axelrod"]
    names = list(STRATEGIES[: asked.strategies])
    ours, our_s = by_league(names, asked.turns, asked.workers)
    theirs, their_s = by_library(library, ours, asked.turns)
    unlike = [(one, other) for one, other in zip(ours, theirs, strict=True) if one != other]
    rows: list[Row] = [
        (who, len(ours), f"{took_s:.1f}", f"{len(ours) / took_s:.1f}")
        for who, took_s in (
            (f"league, {asked.workers} workers", our_s),
            ("library, one process", their_s),
        )
    ]
    print(table(("by", "matches", "seconds", "matches a second"), rows))
    print(f"\n{len(ours) - len(unlike)} of {len(ours)} matches have the same scores")
    for one, other in unlike:
        print(f"unlike: {one} {other}")
    if unlike:
        sys.exit(1)


if __name__ == "__main__":
    main()
