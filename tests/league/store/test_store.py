"""What the store promises, on SQLite and on PostgreSQL."""

import fcntl
import json
import multiprocessing
import subprocess
import sys
from dataclasses import replace
from functools import partial
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest
from sqlalchemy import delete, select, update

from league.model.errors import LeagueError, NameInUseError, SetupError, UnknownRowError
from league.model.live_ply import LivePly
from league.model.records import (
    IMPORT,
    BotVersion,
    Conduct,
    Limits,
    MatchKey,
    MatchRecord,
    ReportRecord,
    Termination,
    TournamentConfig,
)
from league.store.cache import Cache
from league.store.rows import BotSpec, EncounterRow, LiveMatchRow
from league.store.store import Store, open_store
from league.store.tables import MATCH, RECORD, TOURNAMENT
from tests.league.matches import add_bots, add_tournament, save_encounter, won_match


def test_a_bot_is_registered_and_found(fresh_db: Store) -> None:
    version = fresh_db.bots.register(
        BotVersion(
            "mine",
            "mine.py",
            options={"depth": "3"},
            files={"mine.py": b"x = 1\n"},
            digest="d" * 64,
        ),
        ["connectfour"],
    )
    assert version.number == 1
    assert fresh_db.bots.version(version.id) == version
    bot = fresh_db.bots.get("mine")
    assert (bot.games, bot.versions[0].spec) == (("connectfour",), "mine.py")


def test_what_a_version_is_takes_no_files(fresh_db: Store) -> None:
    bot = BotVersion("mine", "uci:./mine", options={"Hash": "3"}, files={"mine": b"x\n"})
    bot = replace(bot, title="Mine 1.2", author="A. B.")
    version = fresh_db.bots.register(bot)
    assert fresh_db.bots.version(version.id) == version
    spec = BotSpec("uci:./mine", {"Hash": "3"}, "Mine 1.2", "A. B.")
    assert fresh_db.bots.specs([version.id, 99]) == {version.id: spec}


def test_a_match_has_neighbours_in_the_schedule_of_its_tournament(fresh_db: Store) -> None:
    one, two, three = add_bots(fresh_db, "one", "two", "three")
    other, tournament = (add_tournament(fresh_db, one, two, three) for _ in range(2))
    save_encounter(fresh_db, tournament, 2, (one, three), "WL")
    save_encounter(fresh_db, other, 0, (one, two), "W")
    save_encounter(fresh_db, tournament, 0, (one, two), "W")
    matches = {row.key: row for row in fresh_db.matches.page(tournament=tournament)}
    first, second, last = (matches[MatchKey(*key)] for key in ((0, 0), (2, 0), (2, 1)))
    assert fresh_db.matches.neighbours(first) == (None, second.id, (first,))
    assert fresh_db.matches.neighbours(second) == (first.id, last.id, (second, last))
    assert fresh_db.matches.neighbours(last) == (second.id, None, (second, last))


def test_the_same_code_again_adds_nothing(fresh_db: Store) -> None:
    one = fresh_db.bots.register(BotVersion("mine", "mine.py", digest="a"))
    assert fresh_db.bots.register(BotVersion("mine", "mine.py", digest="a")) == one
    assert len(fresh_db.bots.get("mine").versions) == 1


@pytest.mark.parametrize(
    "changed",
    [
        BotVersion("mine", "mine.py", digest="b"),
        BotVersion("mine", "mine.py", options={"k": "1"}, digest="a"),
    ],
)
def test_changed_code_or_options_add_a_version(fresh_db: Store, changed: BotVersion) -> None:
    one = fresh_db.bots.register(BotVersion("mine", "mine.py", digest="a"))
    two = fresh_db.bots.register(changed)
    assert (two.number, two.id != one.id) == (2, True)
    assert [str(fresh_db.bots.labels([each.id])[each.id]) for each in (one, two)] == [
        "mine",
        "mine v2",
    ]


def test_names_differ_by_more_than_case(fresh_db: Store) -> None:
    fresh_db.bots.register(BotVersion("Mine", "random", digest="a"))
    with pytest.raises(NameInUseError, match="only by case"):
        fresh_db.bots.register(BotVersion("mine", "random", digest="a"))


def test_a_retired_bot_keeps_its_name_until_it_is_back(fresh_db: Store) -> None:
    fresh_db.bots.register(BotVersion("mine", "random", digest="a"))
    fresh_db.bots.retire("mine")
    assert fresh_db.bots.all() == ()
    assert [bot.name for bot in fresh_db.bots.all(include_retired=True)] == ["mine"]
    with pytest.raises(NameInUseError, match="retired"):
        fresh_db.bots.register(BotVersion("mine", "random", digest="b"))
    fresh_db.bots.restore("mine")
    assert [bot.name for bot in fresh_db.bots.all()] == ["mine"]


def test_an_unknown_bot_gets_a_suggestion(fresh_db: Store) -> None:
    add_bots(fresh_db, "minimax")
    with pytest.raises(UnknownRowError, match=r"'minmax' \(did you mean 'minimax'\?\)"):
        fresh_db.bots.get("minmax")


def test_a_tournament_counts_what_is_played(fresh_db: Store) -> None:
    one, two = add_bots(fresh_db, "one", "two")
    tournament = add_tournament(fresh_db, one, two, rounds=1)
    assert fresh_db.tournaments.get(tournament).finished_at is None
    fresh_db.matches.save(tournament, [(MatchKey(0, 0), won_match(one, two))])
    row = fresh_db.tournaments.get(tournament)
    assert (row.played, row.total, row.is_finished) == (1, 2, False)
    fresh_db.matches.save(tournament, [(MatchKey(0, 1), won_match(two, one))])
    assert not fresh_db.tournaments.get(tournament).is_finished
    assert fresh_db.tournaments.finish(tournament, 1, 2)
    assert fresh_db.tournaments.all()[0].is_finished


def test_a_setting_that_a_stored_tournament_lacks_is_as_by_default(fresh_db: Store) -> None:
    tournament = add_tournament(fresh_db, *add_bots(fresh_db, "one", "two"))
    with fresh_db.writing() as connection:
        config = json.loads(connection.execute(select(TOURNAMENT.c.config)).scalar_one())
        del config["limits"]["depth_rounds"]
        connection.execute(update(TOURNAMENT).values(config=json.dumps(config)))
    assert fresh_db.tournaments.get(tournament).config.limits == Limits(move_s=0.05)


def test_an_unknown_tournament_says_which_there_are(fresh_db: Store) -> None:
    with pytest.raises(UnknownRowError, match="none yet"):
        fresh_db.tournaments.get(7)
    add_tournament(fresh_db, *add_bots(fresh_db, "one", "two"))
    with pytest.raises(UnknownRowError, match="no tournament 7"):
        fresh_db.tournaments.get(7)


def test_a_match_saved_twice_counts_once(fresh_db: Store) -> None:
    one, two = add_bots(fresh_db, "one", "two")
    tournament = add_tournament(fresh_db, one, two)
    batch = [(MatchKey(number, 0), won_match(one, two)) for number in range(5)]
    assert fresh_db.matches.save(tournament, batch[:3]) == 3
    # The second report of a match says something else: the first one stays.
    other = [(key, won_match(two, one, (0.0, 1.0))) for key, _ in batch]
    assert fresh_db.matches.save(tournament, other) == 2
    assert set(fresh_db.matches.scores(tournament)) == {key for key, _ in batch}
    assert fresh_db.matches.get(fresh_db.matches.numbers()[0])[1] == batch[0][1]
    assert sum(total.count for total in fresh_db.totals.all()) == 5


def test_whole_encounters_are_told_from_those_that_lack_a_match(fresh_db: Store) -> None:
    first, second = add_bots(fresh_db, "a", "b")
    tournament = add_tournament(fresh_db, first, second)
    other = add_tournament(fresh_db, first, second)
    keys = [MatchKey(0, 0), MatchKey(0, 1), MatchKey(1, 1)]
    fresh_db.matches.save(tournament, [(key, won_match(first, second)) for key in keys])
    fresh_db.matches.save(other, [(MatchKey(1, 0), won_match(first, second))])
    assert fresh_db.matches.whole_encounters(tournament, 2) == (0,)
    assert fresh_db.matches.scores(tournament, lacking=2) == {keys[2]: (1.0, 0.0)}
    assert [*fresh_db.matches.scores(tournament)] == keys


def test_every_save_changes_the_state_whatever_the_number_of_its_match(fresh_db: Store) -> None:
    """PostgreSQL numbers matches when they are inserted, and shows them when they are committed."""
    one, two = add_bots(fresh_db, "one", "two")
    tournament = add_tournament(fresh_db, one, two)
    fresh_db.matches.save(tournament, [(MatchKey(0, 0), won_match(one, two))])
    with fresh_db.writing() as connection:
        connection.execute(delete(RECORD))
        connection.execute(update(MATCH).values(id=100))
    before = fresh_db.state()
    fresh_db.matches.save(tournament, [(MatchKey(0, 1), won_match(two, one))])
    assert fresh_db.state() != before


def test_encounters_planned_again_after_a_lost_connection_are_stored_once(fresh_db: Store) -> None:
    tournament = add_tournament(fresh_db, *add_bots(fresh_db, "one", "two"))
    rows = [EncounterRow(0, number, (0, 1)) for number in range(3)]
    assert [fresh_db.tournaments.add_encounters(tournament, 1, 0, rows) for _ in range(2)] == [
        True,
        True,
    ]
    assert fresh_db.tournaments.encounters(tournament) == rows


def test_totals_group_by_seating_and_ending(fresh_db: Store) -> None:
    one, two = add_bots(fresh_db, "one", "two")
    tournament = add_tournament(fresh_db, one, two)
    matches = [won_match(one, two), won_match(one, two), won_match(two, one, (0.5, 0.5))]
    fresh_db.matches.save(
        tournament, [(MatchKey(number, 0), match) for number, match in enumerate(matches)]
    )
    totals = {(total.versions, total.scores): total.count for total in fresh_db.totals.all()}
    assert totals == {((one, two), (1.0, 0.0)): 2, ((two, one), (0.5, 0.5)): 1}
    assert fresh_db.totals.all(game="tictactoe") == []
    assert fresh_db.totals.games_played() == ("connectfour",)


def test_totals_are_those_of_the_matches(fresh_db: Store) -> None:
    one, two = add_bots(fresh_db, "one", "two")
    tournament = add_tournament(fresh_db, one, two)
    crash = replace(won_match(one, two), termination=Termination.CRASH, fault_seat=1)
    for begin in range(4):
        # Half of each batch is there already.
        batch = [(MatchKey(begin + k, 0), crash if k else won_match(one, two)) for k in range(2)]
        fresh_db.matches.save(tournament, [*batch, (MatchKey(begin, 1), won_match(two, one))])
    kept = sorted(map(str, fresh_db.totals.all()))
    assert {each.fault_seat: each.count for each in fresh_db.totals.all() if each.fault_seat} == {
        1: 4
    }
    assert sum(each.count for each in fresh_db.totals.all()) == len(fresh_db.matches.numbers()) == 9
    fresh_db.totals.recount()
    assert sorted(map(str, fresh_db.totals.all())) == kept


def test_results_come_in_the_schedules_order(fresh_db: Store) -> None:
    one, two = add_bots(fresh_db, "one", "two")
    tournament = add_tournament(fresh_db, one, two)
    late, early = (MatchKey(4, 1), won_match(two, one)), (MatchKey(0, 1), won_match(one, two))
    fresh_db.matches.save(tournament, [late])
    fresh_db.matches.save(tournament, [early])
    assert [each.versions for each in fresh_db.totals.results()] == [(one, two), (two, one)]


def test_matches_are_filtered(fresh_db: Store) -> None:
    one, two, three = add_bots(fresh_db, "one", "two", "three")
    tournament = add_tournament(fresh_db, one, two, three)
    fault = MatchRecord(
        game="connectfour",
        versions=(one, three),
        seed=1,
        opening=(),
        moves=(),
        scores=(1.0, 0.0),
        termination=Termination.CRASH,
        fault_seat=1,
    )
    fresh_db.matches.save(
        tournament, [(MatchKey(0, 0), won_match(one, two)), (MatchKey(1, 0), fault)]
    )
    assert len(fresh_db.matches.page()) == 2
    assert [row.key.encounter for row in fresh_db.matches.page(bot="two")] == [0]
    assert [row.key.encounter for row in fresh_db.matches.page(faults_only=True)] == [1]
    assert fresh_db.matches.page(termination=Termination.CRASH)[0].fault_seat == 1
    assert fresh_db.matches.page(game="tictactoe") == ()
    assert len(fresh_db.matches.page(limit=1, offset=1)) == 1
    assert str(fresh_db.matches.page(bot="three")[0].versions[1]) == "three"


def test_settings_are_kept(fresh_db: Store) -> None:
    assert fresh_db.settings.get("k_factor", "10") == "10"
    fresh_db.settings.set("k_factor", "20")
    fresh_db.settings.set("k_factor", "30")
    assert fresh_db.settings.get("k_factor", "10") == "30"


def test_why_a_tournament_stopped_is_kept(fresh_db: Store) -> None:
    tournament = add_tournament(fresh_db, *add_bots(fresh_db, "one", "two"))
    fresh_db.tournaments.stop(tournament, "void")
    assert fresh_db.tournaments.get(tournament).stop_reason == "void"
    fresh_db.tournaments.begin(tournament)
    assert fresh_db.tournaments.get(tournament).stop_reason is None


OTHERS = multiprocessing.get_context("forkserver")
"""Makes other processes; they share what it has imported."""
OTHERS.set_forkserver_preload(["league.store.store", __name__])


def _save_many(target: str, tournament: int, versions: tuple[int, int], offset: int) -> None:
    with open_store(target) as store:
        for number in range(15):
            batch = [
                (MatchKey(number + shift + offset, 0), won_match(*versions)) for shift in range(3)
            ]
            store.matches.save(tournament, batch)


@pytest.mark.slow
def test_two_processes_write_the_same_matches_once(target: str) -> None:
    with open_store(target, create=True) as store:
        one, two = add_bots(store, "one", "two")
        versions = (one, two)
        tournament = add_tournament(store, *versions)
    writers = [
        OTHERS.Process(target=_save_many, args=(target, tournament, versions, offset))
        for offset in (0, 1)
    ]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [writer.exitcode for writer in writers] == [0, 0]
    with open_store(target) as store:
        assert set(store.matches.scores(tournament)) == {
            MatchKey(number, 0) for number in range(18)
        }
        assert len(store.matches.numbers(tournament)) == 18
        for match in store.matches.numbers():
            assert store.matches.get(match)[1] == won_match(*versions)


def _try_lock(target: str, tournament: int) -> None:
    with open_store(target) as store:
        try:
            with store.tournaments.runner_lock(tournament):
                raise SystemExit(1)
        except SetupError as error:
            raise SystemExit(0 if "another process" in str(error) else 2) from None


@pytest.mark.slow
def test_a_tournament_has_one_runner(fresh_db: Store, target: str) -> None:
    tournament = add_tournament(fresh_db, *add_bots(fresh_db, "one", "two"))
    with fresh_db.tournaments.runner_lock(tournament):
        assert _is_locked_elsewhere(target, tournament)
    with fresh_db.tournaments.runner_lock(tournament):
        pass


def _is_locked_elsewhere(target: str, tournament: int) -> bool:
    """Whether another process finds a tournament held."""
    other = OTHERS.Process(target=_try_lock, args=(target, tournament))
    other.start()
    other.join()
    return other.exitcode == 0


@pytest.mark.slow
def test_asking_who_runs_a_tournament_does_not_let_go_of_it(fresh_db: Store, target: str) -> None:
    """Closing any descriptor of a file lets go of the POSIX locks of the whole process."""
    tournament = add_tournament(fresh_db, *add_bots(fresh_db, "one", "two"))
    with fresh_db.tournaments.runner_lock(tournament):
        assert fresh_db.tournaments.is_in_play(tournament)
        with open_store(target, read_only=True) as reader:
            assert reader.tournaments.is_in_play(tournament)
        assert _is_locked_elsewhere(target, tournament)
    assert not fresh_db.tournaments.is_in_play(tournament)


def test_a_process_has_one_runner_of_a_tournament(fresh_db: Store, target: str) -> None:
    tournament = add_tournament(fresh_db, *add_bots(fresh_db, "one", "two"))
    with fresh_db.tournaments.runner_lock(tournament):
        with (
            open_store(target) as other,
            pytest.raises(SetupError, match="is being run"),
            other.tournaments.runner_lock(tournament),
        ):
            pass
        assert _is_locked_elsewhere(target, tournament)


def test_a_lock_file_that_was_removed_meanwhile_is_no_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its holder removes it while another one waits: that must lock the file that is there now."""
    target = str(tmp_path / "league.db")
    really_lock = fcntl.lockf
    removed: list[Path] = []

    def remove_first(descriptor: int, operation: int) -> None:
        if not removed:
            removed.extend(tmp_path.glob("*.run-*"))
            removed[0].unlink()
        really_lock(descriptor, operation)

    with open_store(target, create=True) as store:
        tournament = add_tournament(store, *add_bots(store, "one", "two"))
        monkeypatch.setattr(fcntl, "lockf", remove_first)
        with store.tournaments.runner_lock(tournament):
            assert len(removed) == 1
            assert _is_locked_elsewhere(target, tournament)
        assert not list(tmp_path.glob("*.run-*"))


def test_a_reader_writes_nothing(fresh_db: Store, target: str) -> None:
    with open_store(target, read_only=True) as store, pytest.raises(LeagueError):
        store.bots.register(BotVersion("mine", "random", digest="a"))
    assert fresh_db.bots.all() == ()


@pytest.mark.slow
def test_what_is_slow_to_import_waits_until_it_is_needed(tmp_path: Path) -> None:
    """Every command opens a store; few change its schema or have a server."""
    path = str(tmp_path / "league.db")
    with open_store(path, create=True) as store:
        tournament = add_tournament(store, *add_bots(store, "one", "two"))
    slow = ("alembic", "sqlalchemy.orm", "sqlalchemy.dialects.postgresql")
    code = (
        "import sys\n"
        "from league.model.records import MatchKey\n"
        "from league.store.store import open_store\n"
        "from tests.league.matches import won_match\n"
        f"with open_store({path!r}) as store:\n"
        f"    store.matches.save({tournament}, [(MatchKey(0, 0), won_match(1, 2))])\n"
        f"    print(len(store.totals.all()), [name for name in {slow} if name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "1 []\n"


def test_what_is_in_play_takes_the_place_of_what_was(fresh_db: Store) -> None:
    one, two = add_bots(fresh_db, "one", "two")
    first, second = (add_tournament(fresh_db, one, two) for _ in range(2))
    rows = [
        LiveMatchRow(
            key=MatchKey(2**40, number),
            game="chess",
            versions=(two, one),
            plies=(LivePly("e2e4"), LivePly(7, 5, ReportRecord(depth=2, pv=(7, "e5"), text="é"))),
            moved_at_ms=2**43,
        )
        for number in range(3)
    ]
    fresh_db.live.show(first, rows)
    fresh_db.live.show(second, rows[:1])
    assert fresh_db.live.shown(first) == tuple(rows)
    fresh_db.live.show(first, rows[1:])
    assert fresh_db.live.shown(first) == tuple(rows[1:])
    fresh_db.live.show(first, [])
    assert (fresh_db.live.shown(first), fresh_db.live.shown(second)) == ((), tuple(rows[:1]))


def _add_import(target: str, source: str, begin: Barrier) -> None:
    config = TournamentConfig(
        game="chess",
        entrants=(),
        rounds=1,
        seed=0,
        opening_plies=0,
        limits=Limits(),
        format=IMPORT,
        source=source,
    )
    with open_store(target) as store:
        begin.wait()
        store.tournaments.add(config, None)


def test_a_file_is_one_tournament_however_many_import_it_at_once(target: str) -> None:
    begin = OTHERS.Barrier(4)
    with open_store(target, create=True) as store:
        importers = [
            OTHERS.Process(target=_add_import, args=(target, source, begin))
            for source in ("a" * 64, "b" * 64)
            for _ in range(2)
        ]
        for importer in importers:
            importer.start()
        for importer in importers:
            importer.join()
        assert [importer.exitcode for importer in importers] == [0] * 4
        found = [row.config.source[0] for row in store.tournaments.all()]
        assert sorted(found) == ["a", "b"]


def test_how_long_a_match_takes_is_that_of_the_last_ones(
    fresh_db: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("league.store.matches.TIMED", 2)
    one, other = add_bots(fresh_db, "one", "other")
    tournament = add_tournament(fresh_db, one, other)
    assert fresh_db.matches.match_s(tournament) is None
    for number, wall_s in enumerate((9, 2, 4)):
        record = replace(won_match(one, other), wall_ns=wall_s * 10**9)
        fresh_db.matches.save(tournament, [(MatchKey(number, 0), record)])
    assert fresh_db.matches.match_s(tournament) == 3


def test_the_entrants_of_a_tournament_are_those_of_its_config(fresh_db: Store) -> None:
    versions = add_bots(fresh_db, "one", "other")
    tournament = add_tournament(fresh_db, *versions)
    assert (
        fresh_db.tournaments.entrants(tournament)
        == fresh_db.tournaments.get(tournament).config.entrants
    )


def test_pages_of_bots_and_tournaments(fresh_db: Store) -> None:
    versions = add_bots(fresh_db, "c", "a", "b", "d")
    fresh_db.bots.retire("b")
    numbers = [add_tournament(fresh_db, *versions[:2]) for _ in range(4)]
    save_encounter(fresh_db, numbers[2], 0, (versions[0], versions[1]), "WL")

    assert fresh_db.bots.page(2) == fresh_db.bots.all()[:2]
    assert fresh_db.bots.page(2, 2) == fresh_db.bots.all()[2:]
    every = fresh_db.bots.all(include_retired=True)
    assert fresh_db.bots.page(2, 1, include_retired=True) == every[1:3]
    assert fresh_db.bots.page(2, 9) == ()
    rows = fresh_db.tournaments.all()[::-1]
    assert fresh_db.tournaments.newest(2) == rows[:2]
    assert fresh_db.tournaments.newest(9, before=numbers[3]) == rows[1:]
    assert fresh_db.tournaments.newest(9, before=numbers[0]) == ()


def test_the_state_changes_with_all_that_documents_tell_of(fresh_db: Store) -> None:
    states = [fresh_db.state()]
    (one, two) = add_bots(fresh_db, "a", "b")
    states.append(fresh_db.state())
    fresh_db.bots.rename("a", "c")
    states.append(fresh_db.state())
    fresh_db.bots.retire("c")
    states.append(fresh_db.state())
    number = add_tournament(fresh_db, one, two)
    states.append(fresh_db.state())
    save_encounter(fresh_db, number, 0, (one, two), "WL")
    states.append(fresh_db.state())
    fresh_db.conduct.save(number, {one: Conduct(matches=2, kills=1)})
    states.append(fresh_db.state())
    assert len(set(map(str, states))) == len(states)
    assert fresh_db.state() == states[-1]


def test_a_match_of_one_game_leaves_what_is_kept_of_others(fresh_db: Store) -> None:
    one, two = add_bots(fresh_db, "a", "b")
    chess, again, othello = (add_tournament(fresh_db, one, two) for _ in range(3))
    with fresh_db.writing() as connection:
        for number, game in ((chess, "chess"), (again, "chess"), (othello, "othello")):
            chosen = update(TOURNAMENT).where(TOURNAMENT.c.id == number)
            connection.execute(chosen.values(game=game))
    fresh_db.memory = Cache()
    made: list[str | int] = []

    def ask() -> list[str | int]:
        made.clear()
        for name in ("chess", "othello"):
            fresh_db.recall(name, partial(made.append, name), game=name)
        for number in (chess, again):
            fresh_db.recall(number, partial(made.append, number), tournament=number)
        fresh_db.recall("all", partial(made.append, "all"))
        return list(made)

    assert ask() == ["chess", "othello", chess, again, "all"]
    assert ask() == []
    save_encounter(fresh_db, again, 0, (one, two), "WL")
    assert ask() == ["chess", again, "all"]
    fresh_db.conduct.save(othello, {one: Conduct(matches=2, kills=1)})
    assert ask() == ["othello", "all"]
    fresh_db.bots.retire("a")
    assert ask() == ["chess", "othello", chess, again, "all"]
