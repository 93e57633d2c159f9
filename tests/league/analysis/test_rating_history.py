"""Ratings over time: whatever was kept, and in whatever order matches came in, all is the same."""

import random
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.analysis.rating_history import (
    field_shift,
    history,
    is_kept,
    series_of,
    system_of,
    trend,
    update,
)
from league.model.records import MatchKey, MatchRecord
from league.ratings.rating_system import MatchSystem
from league.store.rows import Place
from league.store.store import Store, open_store
from tests.league.matches import add_bots, add_tournament, save_encounter, won_match

GAME = "connectfour"
SYSTEMS = ("elo:k=20", "glicko2:period=3", "fitted")

Work = list[tuple[int, list[tuple[MatchKey, MatchRecord]]]]


def league_of(folder: Path) -> tuple[Store, Work]:
    """Make a league of two tournaments, and all their matches in small batches."""
    store = open_store(str(folder / "league.db"), create=True)
    bots = add_bots(store, "one", "two", "three")
    source = random.Random(7)
    work: Work = []
    for _ in range(2):
        tournament = add_tournament(store, *bots)
        for begin in range(0, 60, 10):
            batch = []
            for encounter in range(begin, begin + 10):
                one, two = source.sample(bots, 2)
                score = source.choice([1.0, 0.5, 0.0])
                batch.append((MatchKey(encounter, 0), won_match(one, two, (score, 1 - score))))
            work.append((tournament, batch))
    return store, work


def contents(store: Store, spec: str) -> list[object]:
    return list(store.snapshots.all(series_of(GAME, system_of(store, spec))))


@pytest.mark.slow
def test_how_many_are_kept() -> None:
    assert all(is_kept(matches) for matches in (1, 10, 99, 100, 110, 990, 1000, 1_100_000))
    assert not any(is_kept(matches) for matches in (101, 999, 1010, 1_110_000))
    assert sum(map(is_kept, range(1, 1_000_001))) == 99 + 90 * 4 + 1


@pytest.mark.slow
@pytest.mark.parametrize("spec", SYSTEMS)
@given(order=st.randoms(use_true_random=False), looks=st.sets(st.integers(0, 11), max_size=6))
@settings(max_examples=3, deadline=None)
def test_all_that_is_kept_is_as_if_computed_at_once(
    tmp_path_factory: pytest.TempPathFactory, spec: str, order: random.Random, looks: set[int]
) -> None:
    store, work = league_of(tmp_path_factory.mktemp("league"))
    with store:
        order.shuffle(work)
        for number, (tournament, batch) in enumerate(work):
            store.matches.save(tournament, batch)
            if number in looks:
                update(store, GAME, system_of(store, spec))
        update(store, GAME, system_of(store, spec))
        found = contents(store, spec)
        assert store.snapshots.drop(GAME) == len(found) > 0
        assert contents(store, spec) == []
        update(store, GAME, system_of(store, spec))
        assert contents(store, spec) == found


def test_only_what_is_new_is_rated(tmp_path: Path) -> None:
    store, work = league_of(tmp_path)
    with store:
        for tournament, batch in work[:-1]:
            store.matches.save(tournament, batch)
        system = system_of(store, "elo")
        assert isinstance(system, MatchSystem)
        found = trend(store, GAME, system)
        assert found.taken == 110
        found.save(store)
        assert trend(store, GAME, system).taken == 0
        store.matches.save(*work[-1])
        assert trend(store, GAME, system).taken == 10
        # One that was left over of the first tournament: all behind it moves.
        one, two = (each.versions[0].id for each in store.bots.all()[:2])
        store.matches.save(1, [(MatchKey(50, 1), won_match(one, two))])
        assert trend(store, GAME, system).taken == 121 - 51


def test_other_settings_have_a_history_of_their_own(tmp_path: Path) -> None:
    store, work = league_of(tmp_path)
    with store:
        store.matches.save(*work[0])
        update(store, GAME, system_of(store, "elo"))
        store.settings.set("k_factor", "32")
        assert contents(store, "elo") == []
        assert len(contents(store, "elo:k=10")) == 10


def test_a_bots_history_counts_its_own_matches(tmp_path: Path) -> None:
    store, work = league_of(tmp_path)
    with store:
        store.matches.save(*work[0])
        for spec in ("elo", "fitted"):
            update(store, GAME, system_of(store, spec))
        points = history(store, GAME, "elo", "one")
        own = sum(points[0].version in record.versions for _, record in work[0][1])
        assert [point.matches for point in points] == list(range(1, own + 1))
        assert {point.error for point in points} == {None}
        (fitted,) = history(store, GAME, "fitted", "one")
        assert (fitted.matches, fitted.tournament, fitted.match) == (own, 1, 10)
        assert fitted.error is not None


def test_a_shift_of_all_ratings_by_newcomers_is_told(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "league.db"), create=True) as store:
        one, two, *weak = add_bots(store, "one", "two", "weak", "weaker", "weakest")
        tournaments = [add_tournament(store, one, two, *weak) for _ in range(3)]
        for tournament in tournaments[:2]:
            for number in range(10):
                save_encounter(store, tournament, number, (one, two), "WL", (number,))
        update(store, GAME, system_of(store, "fitted"))
        # The same two bots move nothing.
        assert field_shift(store, GAME, "fitted", "one") is None
        for number, (strong, newcomer) in enumerate(product((one, two), weak * 4)):
            save_encounter(store, tournaments[2], number, (strong, newcomer), "WW", (number,))
        update(store, GAME, system_of(store, "fitted"))
        found = field_shift(store, GAME, "fitted", "one")
        *_, before, after = history(store, GAME, "fitted", "one")
    assert found is not None
    assert (found.tournament, found.joined) == (tournaments[2], 3)
    # The two old bots are equal: each moves as their mean does.
    assert found.mean == pytest.approx(after.value - before.value)
    assert found.mean > 20


def test_places_are_counted_to_the_place(tmp_path: Path) -> None:
    store, work = league_of(tmp_path)
    with store:
        for tournament, batch in work:
            store.matches.save(tournament, batch)
        assert store.totals.count_until(GAME, Place(1, 4, 0)) == 5
        assert store.totals.count_until(GAME, Place(2, 0, 7)) == 61
        assert store.totals.count_until("tictactoe", Place(2, 0, 7)) == 0
        behind = list(store.totals.results(game=GAME, after=Place(2, 57, 0)))
        assert [each.place for each in behind] == [Place(2, 58, 0), Place(2, 59, 0)]
