"""Void matches count for nothing, and are played again."""

import random
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.analysis.rating_history import KEPT, keep, recompute, series_of, system_of
from league.analysis.verify import verify
from league.model.errors import DatabaseError, SetupError, UnknownRowError
from league.model.records import BotVersion, Conduct, Isolation, Limits, MatchKey, Repeat
from league.model.tournament_spec import TournamentSpec
from league.registration.register import register
from league.store.journal import Journal
from league.store.record_codec.packed_match import PackedMatch
from league.store.store import Store, open_store
from league.tournament.create import create_tournament
from league.tournament.lifecycle import cancel, withdraw
from league.tournament.progress import Progress
from league.tournament.void import choose, void
from tests.examples import examples
from tests.league.command import start
from tests.league.hosting.season.test_director import refusing
from tests.league.in_process import Script, run_here
from tests.league.tournament.test_repeats import ALIKE, BOTS

GAME = "tictactoe"
NAMES = ("ann", "bob", "cy", "dot", "eve")
FORMATS = {
    "season:least=2": 9,
    "roundrobin": 2,
    "swiss": 4,
    "adaptive:batch=2": 3,
    "knockout": 1,
    "ladder": 4,
    "sprt:batch=4": 24,
}


class Stop(Exception):
    """Ends a run as a kill does: nothing more is stored."""


def lucky(seed: int) -> dict[str, Script]:
    """Return bots that move at random, and otherwise in each run."""
    source = random.Random(seed)
    return dict.fromkeys(NAMES, Script(move=lambda state: source.choice(state.legal_moves())))


def held(store: Store, format_: str = "season:least=2", bots: Sequence[str] = NAMES) -> int:
    """Register bots, create a tournament of them and return its number."""
    known = {each.name for each in store.bots.all()}
    for name in bots:
        if name not in known:
            files = {"bot.py": b"#"}
            digest = f"{NAMES.index(name):064x}"
            store.bots.register(BotVersion(name, f"{name}.py:Bot", files=files, digest=digest))
    limits = Limits(move_s=1.0, isolation=Isolation.LIMITS)
    spec = TournamentSpec(
        game=GAME, bots=bots, format=format_, rounds=FORMATS[format_], limits=limits, seed=5
    )
    return create_tournament(store, spec).id


def snapshots(store: Store) -> list[object]:
    """Return all stored ratings."""
    return [
        (name, each.place, each.matches, each.match, each.ratings)
        for name in KEPT
        for each in store.snapshots.all(series_of(GAME, system_of(store, name)))
    ]


def assert_sound(store: Store) -> None:
    """Find that everything stored agrees, and that ratings are those of a full recomputation."""
    assert verify(store)[1] == []
    keep(store, GAME)
    kept = snapshots(store)
    recompute(store, GAME, ())
    assert kept == snapshots(store)


@pytest.mark.slow
@examples(30, quick=10)
@given(
    format_=st.sampled_from(sorted(FORMATS)),
    seed=st.integers(0, 2**32),
    steps=st.lists(
        st.tuples(st.floats(0, 1), st.none() | st.integers(1, 12)), min_size=1, max_size=3
    ),
)
def test_whatever_is_void_the_league_agrees_with_itself(
    format_: str, seed: int, steps: list[tuple[float, int | None]]
) -> None:
    void_some(format_, seed, steps)


@pytest.mark.slow
def test_a_season_that_is_void_in_part_twice_agrees_with_itself() -> None:
    void_some("season:least=2", 3, [(0.2, 4), (0.3, None)])


def void_some(format_: str, seed: int, steps: Sequence[tuple[float, int | None]]) -> None:
    """Void parts of a tournament's matches, each followed by a run that may be killed."""
    source = random.Random(seed)
    with TemporaryDirectory() as folder, open_store(f"{folder}/x.db", create=True) as store:
        number = held(store, format_, NAMES[:2] if format_.startswith("sprt") else NAMES)
        run_here(store, number, scripts=lucky(seed))
        keep(store, GAME)
        seen = set(store.matches.numbers())
        for part, stop_after in steps:
            there = store.matches.numbers()
            some = [each for each in there if source.random() < part] or there[:1]
            count, total = len(there), store.tournaments.get(number).total
            if not some:
                continue
            _, choice = void(store, some, "a bug")
            assert set(some) <= set(choice.matches) <= set(there)
            row = store.tournaments.get(number)
            assert (row.played, row.total) == (count - len(choice.matches), total)
            assert not row.is_finished
            assert verify(store)[1] == []

            def stop(progress: Progress, most: int | None = stop_after) -> None:
                if most is not None and progress.played >= most:
                    raise Stop

            with suppress(Stop):
                run_here(store, number, scripts=lucky(seed + 1), on_progress=stop)
            keep(store, GAME)
            new = set(store.matches.numbers()) - set(there)
            assert new.isdisjoint(seen)
            seen |= new
        run_here(store, number, scripts=lucky(seed + 2))
        assert store.tournaments.get(number).is_finished
        assert_sound(store)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Open a new league."""
    return open_store(str(tmp_path / "league.db"), create=True)


@pytest.mark.slow
def test_a_void_that_is_cut_off_changes_nothing(store: Store) -> None:
    number = held(store)
    run_here(store, number, scripts=lucky(1))
    keep(store, GAME)
    before = store.matches.numbers(), store.tournaments.get(number), snapshots(store)
    with refusing(store, "DELETE ON match"), pytest.raises(DatabaseError):
        void(store, [3], "x")
    assert (store.matches.numbers(), store.tournaments.get(number), snapshots(store)) == before
    assert store.voids.all() == ()
    void(store, [3], "x")
    assert verify(store)[1] == []


@pytest.mark.slow
def test_a_void_that_is_killed_is_whole_or_was_not(store: Store, tmp_path: Path) -> None:
    source = random.Random(1)
    number = held(store)
    run_here(store, number, scripts=lucky(1))
    for attempt in range(8):
        before, voids = store.matches.numbers(), store.voids.all()
        some = [str(each) for each in before[:10]]
        process = start(tmp_path, "void", *some, "--reason", "x", "--yes")
        time.sleep(source.uniform(0.2, 3.0))
        process.kill()
        process.communicate()
        new = store.voids.all()[: len(store.voids.all()) - len(voids)]
        assert len(new) <= 1
        assert len(store.matches.numbers()) + sum(each.matches for each in new) == len(before)
        assert verify(store)[1] == []
        run_here(store, number, scripts=lucky(attempt))
        assert store.tournaments.get(number).is_finished
        assert_sound(store)


def test_a_void_match_takes_its_encounter_with_it_and_says_why(store: Store) -> None:
    number = held(store, "roundrobin")
    run_here(store, number, scripts=lucky(1))
    row, record = store.matches.get(4)
    found, choice = void(store, [4], "the clock was wrong")
    assert str(choice) == "2 matches in 1 encounter of tournament 1"
    assert {row.id, store.tournaments.get(number).played} == {4, 38}
    assert sum(each.count for each in store.totals.all(game=GAME)) == 38
    with pytest.raises(UnknownRowError, match=r"^match 4 is void since .* UTC: the clock was w"):
        store.matches.get(4)
    run_here(store, number, scripts=lucky(2))
    again = store.matches.at(number, row.key)
    assert again == 41 or again == 42
    with pytest.raises(UnknownRowError, match=f"match {again} was played in its place"):
        list(store.matches.rows([4]))
    assert store.matches.get(again)[1].seed == record.seed
    (kept,) = store.voids.all()
    assert (kept.id, kept.reason, kept.matches) == (found, "the clock was wrong", 2)
    with pytest.raises(UnknownRowError, match="no match 99: 'league matches' lists"):
        void(store, [99], "x")


def test_numbers_of_the_newest_matches_are_not_given_again(store: Store) -> None:
    number = held(store, "roundrobin")
    run_here(store, number, scripts=lucky(1))
    void(store, store.matches.numbers(), "all of them")
    assert store.matches.numbers() == ()
    run_here(store, number, scripts=lucky(2))
    assert store.matches.numbers() == tuple(range(41, 81))


@pytest.mark.slow
def test_bots_that_have_left_do_not_play_again(store: Store) -> None:
    number = held(store)
    run_here(store, number, scripts=lucky(1))
    withdraw(store, number, "ann")
    run_here(store, number, scripts=lucky(1))
    count = store.tournaments.get(number).played
    hers = store.voids.chosen(bot="ann")
    void(store, hers, "her files were lost")
    row = store.tournaments.get(number)
    assert row.is_finished
    assert row.total == row.played == count - len(hers)
    assert_sound(store)


@pytest.mark.slow
def test_a_copy_is_void_with_the_match_that_it_repeats(store: Store) -> None:
    for name, spec in zip(BOTS, ("alphabeta", "minimax", "greedy"), strict=True):
        register(store, name, spec, options={}, is_checked=False)
    first, second = (create_tournament(store, ALIKE).id for _ in range(2))
    run_here(store, first, workers=1)
    run_here(store, second, workers=1)
    repeated = {each.repeat for each in store.totals.results(game=GAME, tournament=second)}
    assert repeated == {Repeat.OF_LEAGUE}
    (original,) = (store.matches.at(first, MatchKey(0, 0)),)
    copy = store.matches.at(second, MatchKey(0, 0))
    assert original is not None
    assert copy is not None
    for chosen in (original, copy):
        assert choose(store, [chosen]).matches == choose(store, [original]).matches
        assert choose(store, [chosen]).tournaments == (first, second)
    void(store, [copy], "a wrong rule")
    assert [store.tournaments.get(each).played for each in (first, second)] == [4, 4]
    for each in (second, first):
        run_here(store, each, workers=1)
    assert verify(store)[1] == []


@pytest.mark.slow
def test_a_tournament_in_play_is_paused_first(store: Store) -> None:
    number = held(store)
    told = "tournament 1 is in play: 'league tournament pause 1' first"

    def ask(progress: Progress) -> None:
        asked.append(len(store.matches.numbers()))
        if asked[-1]:
            with pytest.raises(SetupError, match=told):
                void(store, store.matches.numbers(), "x")

    asked: list[int] = []
    run_here(store, number, scripts=lucky(1), on_progress=ask)
    assert any(asked)
    assert store.voids.all() == ()


@pytest.mark.slow
def test_a_cancelled_tournament_stays_so(store: Store) -> None:
    number = held(store)

    def stop(progress: Progress) -> None:
        if progress.played >= 4:
            raise Stop

    with suppress(Stop):
        run_here(store, number, scripts=lucky(1), on_progress=stop)
    cancel(store, number)
    before = store.tournaments.get(number)
    _, choice = void(store, store.matches.numbers()[:1], "x")
    row = store.tournaments.get(number)
    assert row.state is before.state
    assert row.played == before.played - len(choice.matches)


@pytest.mark.slow
def test_the_journal_of_a_killed_run_brings_no_void_match_back(store: Store) -> None:
    number = held(store)
    run_here(store, number, scripts=lucky(1))
    row, record = store.matches.get(1)
    # As if the runner was killed after it stored them, and before it removed the file.
    journal = Journal(store, store.tournaments.get(number))
    journal.write([(row.key, PackedMatch.of(record))])
    void(store, [1], "x")
    run_here(store, number, scripts=lucky(2))
    assert not journal.path.exists()
    again = store.matches.at(number, row.key)
    assert again is not None
    assert store.matches.get(again)[1] != record


@pytest.mark.slow
def test_the_conduct_of_its_bots_is_forgotten(store: Store) -> None:
    number = held(store)
    run_here(store, number, scripts=lucky(1))
    ann, bob = (store.bots.get(name).versions[0].id for name in ("ann", "bob"))
    store.conduct.save(number, dict.fromkeys((ann, bob), Conduct(suspended="it does not start")))
    theirs = store.voids.chosen(bot="ann")
    others = [each for each in theirs if bob not in store.matches.get(each)[1].versions]
    void(store, others, "no memory was left")
    assert list(store.conduct.of(number)) == [bob]
