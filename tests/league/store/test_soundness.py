"""Damaged files are told of in a line, and backups are whole."""

import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from league.model.errors import DatabaseError, LeagueError, SetupError
from league.model.records import MatchKey
from league.store.soundness import back_up, check_sound, found_damage
from league.store.store import Store, open_store
from tests.league.command import league
from tests.league.matches import add_bots, add_tournament, won_match

ASKED: list[Callable[[Store], object]] = [
    lambda store: store.bots.all(include_retired=True),
    lambda store: store.bots.versions([1, 2]),
    lambda store: store.tournaments.all(),
    lambda store: store.tournaments.asked(1),
    lambda store: store.tournaments.encounters(1),
    lambda store: store.live.shown(1),
    lambda store: store.totals.all(),
    lambda store: store.matches.page(),
    lambda store: [store.matches.get(match) for match in store.matches.numbers()],
    lambda store: store.matches.scores(1),
    lambda store: list(store.totals.results()),
    lambda store: list(store.results.rows("connectfour")),
    lambda store: store.settings.get("k_factor", "10"),
    check_sound,
]


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return the file of a league with some matches."""
    path = tmp_path_factory.mktemp("sound") / "league.db"
    with open_store(str(path), create=True) as store:
        one, two = add_bots(store, "one", "two")
        batch = [(MatchKey(number, 0), won_match(one, two)) for number in range(50)]
        store.matches.save(add_tournament(store, one, two), batch)
    return path.read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("flips", [4, 60])
def test_damage_is_never_a_traceback(tmp_path: Path, sound: bytes, flips: int) -> None:
    path, told = tmp_path / "league.db", set()
    for seed in range(20):
        source, data = random.Random(seed), bytearray(sound)
        for _ in range(flips):
            data[source.randrange(len(data))] ^= source.randrange(1, 256)
        path.write_bytes(data)
        try:
            store = open_store(str(path))
        except LeagueError as error:
            told.add(str(error))
            continue
        for ask in ASKED:
            try:
                ask(store)
            except LeagueError as error:
                told.add(str(error))
    assert told
    assert not [text for text in told if "\n" in text]


def test_a_backup_has_what_is_not_yet_in_the_file_itself(tmp_path: Path, sound: bytes) -> None:
    (tmp_path / "league.db").write_bytes(sound)
    with open_store(str(tmp_path / "league.db")) as store:
        add_bots(store, "three")
        league(tmp_path, "db", "backup", "copy.db")
        with pytest.raises(SetupError, match="exists"):
            back_up(store, tmp_path / "copy.db")
    with open_store(str(tmp_path / "copy.db")) as copy:
        assert [bot.name for bot in copy.bots.all()] == ["one", "three", "two"]
        assert len(copy.matches.numbers()) == 50
    assert sorted(path.name for path in tmp_path.glob("*.db")) == ["copy.db", "league.db"]


def test_a_damaged_file_takes_no_backups_place(tmp_path: Path, sound: bytes) -> None:
    path, copy = tmp_path / "league.db", tmp_path / "copy.db"
    path.write_bytes(damaged(sound, "lineup_seat", tmp_path))
    copy.write_bytes(sound)
    with open_store(str(path)) as store, pytest.raises(DatabaseError, match="is damaged"):
        back_up(store, copy, replaces=True)
    assert copy.read_bytes() == sound
    assert not list(tmp_path.glob("*.part*"))


def test_a_check_of_a_file_ends_in_time(tmp_path: Path, sound: bytes) -> None:
    (tmp_path / "league.db").write_bytes(damaged(sound, "lineup_seat", tmp_path))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("league.store.soundness.STEPS", 1)
        assert found_damage(tmp_path / "league.db", -1.0) == ""
    assert found_damage(tmp_path / "league.db") != ""


def test_a_league_without_a_table_is_refused(fresh_db: Store) -> None:
    check_sound(fresh_db)
    with fresh_db.writing() as connection:
        connection.exec_driver_sql("DROP TABLE in_play")
    with pytest.raises(DatabaseError, match="no table in_play"):
        check_sound(fresh_db)


def damaged(data: bytes, table: str, folder: Path) -> bytes:
    """Overwrite the head of a table's first page."""
    path = folder / "sound.db"
    path.write_bytes(data)
    with closing(sqlite3.connect(path)) as connection:
        query = "SELECT rootpage FROM sqlite_master WHERE name = ?"
        (page,) = connection.execute(query, (table,)).fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    path.unlink()
    begin = (page - 1) * size
    return data[:begin] + b"\xff" * 60 + data[begin + 60 :]
