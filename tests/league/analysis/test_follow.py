"""Following a tournament: many looks at what is new come to what one look at all does."""

from dataclasses import replace
from pathlib import Path

import pytest

from league.analysis import follow
from league.analysis.follow import Follower
from league.analysis.standings import standings
from league.model.records import IMPORT, Limits, MatchKey, TournamentConfig
from league.model.tournament_spec import TournamentSpec
from league.registration.register import register
from league.store.store import Store, open_store
from league.tournament.create import create_tournament
from league.tournament.lifecycle import withdraw
from league.tournament.planner import Planner
from league.tournament.progress import Progress
from tests.examples import slow
from tests.league.in_process import run_here
from tests.league.matches import add_bots, won_match

BOTS = {"ab": "alphabeta:depth=2", "gr": "greedy", "one": "random", "two": "random", "x": "random"}


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Make a league of five bots."""
    made = open_store(str(tmp_path / "league.db"), create=True)
    for name, spec in BOTS.items():
        register(made, name, spec, options={}, is_checked=False)
    return made


@pytest.mark.slow
@pytest.mark.parametrize(
    "schedule",
    ["roundrobin", "knockout", "adaptive", *slow("swiss", "ladder", "sprt:elo0=0,elo1=60,batch=2")],
)
def test_looks_on_the_way_come_to_the_same_as_one(
    store: Store, monkeypatch: pytest.MonkeyPatch, schedule: str
) -> None:
    monkeypatch.setattr(follow, "CHUNK", 7)
    bots = ["ab", "one"] if schedule.startswith("sprt") else list(BOTS)
    rounds = 4 if schedule.startswith("sprt") else 3
    row = create_tournament(
        store,
        TournamentSpec(
            game="tictactoe",
            bots=bots,
            rounds=rounds,
            limits=Limits(depth=2),
            seed=5,
            format=schedule,
        ),
    )
    follower = Follower(store, row.id)
    assert follower.look(1).history is not None

    def look(progress: Progress) -> None:
        follower.look(60)

    monkeypatch.setattr("league.tournament.runner.SAVE_EVERY_S", 0.0)
    run_here(store, row.id, workers=1, on_progress=look)
    last, fresh = follower.look(60), Follower(store, row.id).look(60)
    assert replace(last, history=None) == replace(fresh, history=None)
    assert last.history is not None
    assert fresh.history is not None
    for mark, other in zip(last.history.marks, fresh.history.marks, strict=True):
        assert (mark.after, mark.rated.keys()) == (other.after, other.rated.keys())
        for version, rated in mark.rated.items():
            assert other.rated[version] == pytest.approx(rated)
    assert last.is_read
    planner = Planner(store, row.id)
    assert last.expected == planner.schedule.expected()
    assert (last.trial is not None) == schedule.startswith("sprt")
    assert bool(last.ties) == (schedule in ("swiss", "knockout", "ladder"))
    assert last.history.is_by_round == (schedule in ("roundrobin", "swiss", "ladder"))
    end = last.history.marks[-1]
    for each in standings(store, "tictactoe", row.id).rows:
        if each.rank:
            assert end.rated[each.version] == pytest.approx((each.rating, each.error))


@pytest.mark.slow
def test_little_time_is_enough_in_the_end(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follow, "CHUNK", 7)
    row = create_tournament(
        store,
        TournamentSpec(game="tictactoe", bots=list(BOTS), rounds=2, limits=Limits(depth=2), seed=5),
    )
    run_here(store, row.id, workers=2)
    follower = Follower(store, row.id)
    looks = [follower.look(-1)]
    while not looks[-1].is_read:
        assert looks[-1].history is None
        looks.append(follower.look(-1))
    assert len(looks) > 40 // 7
    assert looks[-1] == Follower(store, row.id).look(60)


@pytest.mark.slow
def test_ties_are_known_before_the_ratings_along_the_way(store: Store) -> None:
    spec = TournamentSpec(
        game="tictactoe",
        bots=list(BOTS),
        rounds=1,
        limits=Limits(depth=1),
        seed=5,
        format="knockout",
    )
    row = create_tournament(store, spec)
    run_here(store, row.id)
    first = Follower(store, row.id).look(-1)
    assert not first.is_read
    assert first.history is None
    assert first.ties == Follower(store, row.id).look(9).ties != ()


@pytest.mark.slow
def test_a_tournament_that_is_changed_is_followed_on(store: Store) -> None:
    row = create_tournament(
        store,
        TournamentSpec(
            game="tictactoe",
            bots=list(BOTS),
            rounds=3,
            limits=Limits(depth=2),
            seed=5,
            format="swiss",
        ),
    )
    follower = Follower(store, row.id)
    assert follower.look(1).expected == 2 * 2 * 3
    withdraw(store, row.id, "one")
    run_here(store, row.id, workers=2)
    found = follower.look(60)
    assert found == Follower(store, row.id).look(60)
    assert found.row.is_finished


def test_imported_matches_have_a_history_and_no_plan(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "league.db"), create=True) as store:
        one, two = add_bots(store, "one", "two")
        config = TournamentConfig(
            game="tictactoe",
            entrants=(one, two),
            rounds=1,
            seed=0,
            opening_plies=0,
            limits=Limits(),
            format=IMPORT,
            source="x",
        )
        number = store.tournaments.add(config, 9)
        records = [replace(won_match(one, two), game="tictactoe")] * 9
        store.matches.save(number, [(MatchKey(n, 0), each) for n, each in enumerate(records)])
        found = Follower(store, number).look(60)
        assert (found.is_read, found.ties) == (True, ())
        assert found.history is not None
        assert not found.history.is_by_round
        assert found.history.marks[-1].after == 9


def test_a_history_ends_with_the_last_round_also_if_it_repeats_another(store: Store) -> None:
    spec = TournamentSpec(
        game="tictactoe",
        bots=["ab", "gr"],
        rounds=5,
        limits=Limits(depth=1),
        seed=5,
        opening_plies=0,
        format="gauntlet",
    )
    row = create_tournament(store, spec)
    run_here(store, row.id)
    found = Follower(store, row.id).look(60).history
    assert found is not None
    assert found.is_by_round
    assert [mark.after for mark in found.marks] == [1, 2, 3, 4, 5]
