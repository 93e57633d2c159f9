"""What is saved of damaged files."""

import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from league.analysis.verify import verify
from league.model.errors import DatabaseError, LeagueError, SetupError
from league.model.tournament_spec import TournamentSpec
from league.registration.register import register
from league.store.recovery import recover
from league.store.soundness import check_sound
from league.store.store import open_store
from league.tournament.create import create_tournament
from tests.league.command import league
from tests.league.in_process import run_here
from tests.league.store.next_revision import NEXT, scripts_with_next, use_scripts

TOTAL = 60


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return the file of a league with a finished tournament."""
    path = tmp_path_factory.mktemp("sound") / "league.db"
    with open_store(str(path), create=True) as store:
        for name in ("one", "two", "three"):
            register(store, name, "random", options={}, is_checked=False)
        spec = TournamentSpec(
            game="connectfour", bots=["one", "two", "three"], rounds=TOTAL // 6, seed=5
        )
        create_tournament(store, spec)
        run_here(store, 1)
    return path.read_bytes()


@pytest.mark.slow
def test_all_of_a_sound_file_is_saved(tmp_path: Path, sound: bytes) -> None:
    (tmp_path / "league.db").write_bytes(sound)
    league(tmp_path, "db", "recover", "saved.db")
    with (
        open_store(str(tmp_path / "league.db")) as before,
        open_store(str(tmp_path / "saved.db")) as after,
    ):
        assert after.tournaments.all() == before.tournaments.all()
        assert after.matches.page() == before.matches.page()
        assert after.totals.all() == before.totals.all()
        assert verify(after) == (TOTAL, [])
    with pytest.raises(SetupError, match="exists"):
        recover(tmp_path / "league.db", tmp_path / "saved.db")
    assert not list(tmp_path.glob("*.part*"))


@pytest.mark.slow
@pytest.mark.parametrize("flips", [3, pytest.param(20, marks=pytest.mark.slow)])
def test_what_is_saved_is_sound_and_the_rest_is_played_again(
    tmp_path: Path, sound: bytes, flips: int
) -> None:
    saved = 0
    for seed in range(4):
        source, data = random.Random(seed), bytearray(sound)
        for _ in range(flips):
            # The first page holds the schema.
            data[source.randrange(8192, len(data))] ^= source.randrange(1, 256)
        path, copy = tmp_path / f"{seed}.db", tmp_path / f"saved-{seed}.db"
        path.write_bytes(data)
        found = recover(path, copy)
        with open_store(str(copy)) as store:
            check_sound(store)
            matches, findings = verify(store)
            assert matches == found.matches
            assert not [each for each in findings if "wrong" in each.text or "totals" in each.text]
            if found.tournaments and not any("lost" in bot.name for bot in store.bots.all()):
                run_here(store, 1)
                assert store.tournaments.get(1).played == TOTAL
                saved += found.matches
    assert saved


@pytest.mark.slow
def test_orphans_of_an_older_league_are_left_out(
    tmp_path: Path, sound: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "league.db"
    path.write_bytes(sound)
    use_scripts(scripts_with_next(tmp_path), monkeypatch)
    monkeypatch.setattr("league.store.recovery.HEAD", NEXT)
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("INSERT INTO record VALUES (700, x'00', '')")
    assert recover(path, tmp_path / "saved.db").matches == TOTAL
    with open_store(str(tmp_path / "saved.db")) as store:
        assert verify(store) == (TOTAL, [])


@pytest.mark.slow
def test_a_plan_with_a_gap_is_made_anew_from_there(tmp_path: Path, sound: bytes) -> None:
    path = tmp_path / "league.db"
    path.write_bytes(sound)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DELETE FROM encounter WHERE number = 20")
    assert recover(path, tmp_path / "saved.db").matches == 2 * 20
    with open_store(str(tmp_path / "saved.db")) as store:
        assert verify(store) == (2 * 20, [])
        run_here(store, 1)
        assert verify(store) == (TOTAL, [])


@pytest.mark.slow
def test_matches_of_a_lost_seating_are_played_again(tmp_path: Path, sound: bytes) -> None:
    path = tmp_path / "league.db"
    path.write_bytes(sound)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DELETE FROM lineup WHERE id = 1")
    assert recover(path, tmp_path / "saved.db").matches == TOTAL - TOTAL // 6
    with open_store(str(tmp_path / "saved.db")) as store:
        assert not store.tournaments.get(1).is_finished
        run_here(store, 1)
        assert verify(store) == (TOTAL, [])


def test_a_lost_bot_keeps_its_results(tmp_path: Path, sound: bytes) -> None:
    path = tmp_path / "league.db"
    path.write_bytes(sound)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DELETE FROM version WHERE id = 1")
        connection.execute("DELETE FROM bot WHERE id = 2")
    assert recover(path, tmp_path / "saved.db").matches == TOTAL
    with open_store(str(tmp_path / "saved.db")) as store:
        names = {str(each) for each in store.bots.labels([1, 2, 3]).values()}
        assert names == {"lost-version-1", "lost-bot-2", "three"}
        assert len(store.matches.page()) == TOTAL


def test_a_file_of_which_nothing_can_be_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / "league.db").write_bytes(b"nothing" * 5000)
    with pytest.raises(DatabaseError, match="nothing can be read"):
        recover(tmp_path / "league.db", tmp_path / "saved.db")
    with pytest.raises(LeagueError, match="is in a folder that does not exist"):
        recover(tmp_path / "league.db", tmp_path / "no" / "saved.db")
    assert [path.name for path in tmp_path.iterdir()] == ["league.db"]
