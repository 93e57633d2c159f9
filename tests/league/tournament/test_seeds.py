"""Seeds: a bot can't compute another's from its own, and every worker draws the same ones."""

from pathlib import Path

import pytest

from league.analysis.verify import verify
from league.match.seeds import seed_of
from league.model.records import Limits
from league.model.tournament_spec import TournamentSpec
from league.store.migration import create
from league.store.settings import SALT
from league.store.store import Store, open_store
from league.tournament.create import create_tournament
from league.tournament.planner import Planner
from league.tournament.settings import read_settings, spec_of, write_settings
from tests.league.in_process import run_here
from tests.league.matches import add_bots

LUCKY = "tree?file=chance"


@pytest.fixture
def stores(tmp_path: Path) -> list[Store]:
    """Return two leagues of the same bots, each with a salt of its own."""
    found = []
    for name in ("one.db", "two.db"):
        create(str(tmp_path / name))
        found.append(open_store(str(tmp_path / name)))
        add_bots(found[-1], "a", "b")
    return found


def planned(store: Store, seed: int | None = 7, game: str = LUCKY) -> Planner:
    """Return the planner of a new tournament of both bots, with its matches planned."""
    spec = TournamentSpec(
        game=game, bots=["all"], rounds=3, seed=seed, limits=Limits(depth=1), opening_plies=2
    )
    planner = Planner(store, create_tournament(store, spec).id)
    planner.more(store, 3)
    return planner


def guessed(own: int, seat: int) -> int | None:
    """Return the seed of the match, as a bot guesses it from its own seed; None if it can't."""
    places = [
        (stage, opening, *pair, rotation)
        for stage in range(3)
        for opening in range(3)
        for pair in ((0, 1), (1, 0))
        for rotation in range(2)
    ]
    for seed in range(10):
        for place in places:
            match = seed_of(seed, "match", *place)
            if seed_of(match, seat) == own:
                return match
    return None


@pytest.mark.slow
def test_a_bot_can_not_compute_the_seed_of_its_match(stores: list[Store]) -> None:
    for job in planned(stores[0]).left():
        assert [guessed(seed_of(job.seed, seat), seat) for seat in range(2)] == [None, None]


@pytest.mark.slow
def test_seeds_are_those_of_the_league(stores: list[Store]) -> None:
    one, again, other = (
        list(planned(store, game="connectfour").left()) for store in (*stores[:1], *stores)
    )
    assert [job.seed for job in one] == [job.seed for job in again]
    assert {job.seed for job in one}.isdisjoint(job.seed for job in other)
    assert [job.opening for job in one] == [job.opening for job in other]
    stores[0].settings.set(SALT, stores[1].settings.get(SALT, ""))
    copied = planned(stores[0], game="connectfour").left()
    assert [job.seed for job in copied] == [job.seed for job in other]


def test_without_a_salt_a_bot_could_compute_the_seed_of_its_match(stores: list[Store]) -> None:
    stores[0].settings.set(SALT, "")
    seeds = {job.seed: seed_of(job.seed, 1) for job in planned(stores[0]).left()}
    assert seeds
    assert {guessed(own, 1) for own in seeds.values()} == set(seeds)


@pytest.mark.slow
def test_stored_matches_have_the_seeds_of_their_league(stores: list[Store]) -> None:
    store = stores[0]
    row = planned(store).row
    run_here(store, row.id)
    assert verify(store) == (6, [])
    store.settings.set(SALT, "another")
    assert len({finding.match for finding in verify(store)[1]}) == 6


@pytest.mark.slow
def test_seeds_that_nobody_gives_have_64_bits(stores: list[Store]) -> None:
    rows = [planned(stores[0], seed=None).row for _ in range(40)]
    last = max(rows, key=lambda row: row.config.seed)
    assert 1 << 60 < last.config.seed < 1 << 64
    assert read_settings(write_settings(spec_of(stores[0], last))).seed == last.config.seed
