"""Runs whose database is locked or away for a while, and their backups."""

import re
import sqlite3
from collections.abc import Callable
from contextlib import AbstractContextManager, closing
from pathlib import Path
from typing import Any

import pytest

from league.model.errors import DatabaseError, SetupError, UnavailableError
from league.model.records import MatchKey
from league.model.tournament_spec import TournamentSpec
from league.registration.register import register
from league.store.journal import Journal
from league.store.record_codec.packed_match import PackedMatch
from league.store.store import Store, open_store
from league.tournament.create import create_tournament
from league.tournament.progress import Progress
from league.tournament.run_options import RunOptions
from league.tournament.runner import run_tournament
from tests.league.disturbances import fill, small_disk
from tests.league.in_process import InProcessPool
from tests.league.matches import add_bots, add_tournament, won_match
from tests.league.postgres import emptied, restart, stop

TOTAL = 40


@pytest.fixture(autouse=True)
def _without_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("league.store.engine.BUSY_S", 0.01)
    monkeypatch.setattr("league.tournament.caretaker.FIRST_WAIT_S", 0.001)


def held(target: str) -> Store:
    """Make a league of two bots with a tournament of `TOTAL` matches."""
    store = open_store(target, create=True)
    for name in ("one", "two"):
        register(store, name, "random", options={}, is_checked=False)
    spec = TournamentSpec(game="tictactoe", bots=["one", "two"], rounds=TOTAL // 2, seed=5)
    create_tournament(store, spec)
    return store


def run(store: Store, on_progress: Any = lambda progress: None, **options: Any) -> Progress:
    """Run the tournament in this process."""
    return run_tournament(
        store,
        1,
        RunOptions(workers=1, **options),
        on_progress=on_progress,
        open_pool=lambda size: InProcessPool(size),
    )


class Locker:
    """Another program that locks the database after the first batch, until it is told not to."""

    def __init__(self, store: Store) -> None:
        self.other = sqlite3.connect(store.target, isolation_level=None)
        self.told: list[str] = []

    def lock(self, progress: Progress) -> None:
        """Lock the database once something was played."""
        if progress.played and not self.other.in_transaction and not self.told:
            self.other.execute("BEGIN IMMEDIATE")

    def unlock(self, text: str) -> None:
        """Note what a person is told, and let go."""
        self.told.append(text)
        self.other.rollback()


def test_a_run_waits_for_a_locked_database(tmp_path: Path) -> None:
    store = held(str(tmp_path / "league.db"))
    locker = Locker(store)
    progress = run(store, locker.lock, tell=locker.unlock)
    locker.other.close()
    assert progress.played == TOTAL == store.tournaments.get(1).played
    assert [line.partition(":")[0] for line in locker.told] == [
        "waiting for up to 10 min",
        "the database is back",
    ]
    assert "league.db' is locked by another process" in locker.told[0]
    assert not list(tmp_path.glob("*.unsaved-*"))


@pytest.mark.slow
@pytest.mark.parametrize("error", [UnavailableError, KeyboardInterrupt])
def test_what_a_run_could_not_save_is_stored_by_the_next(
    tmp_path: Path, error: type[BaseException]
) -> None:
    store = held(str(tmp_path / "league.db"))
    locker, told = Locker(store), list[str]()

    def interrupt(text: str) -> None:
        told.append(text)
        if text.startswith("waiting"):
            raise KeyboardInterrupt

    options = {"tell": interrupt} if error is KeyboardInterrupt else {"patience_s": 0.0}
    with pytest.raises(error) as caught:
        run(store, locker.lock, **options)
    assert re.search(r"finished matches are in '.*unsaved-1'", " ".join([*told, str(caught.value)]))
    told.clear()
    stored = store.tournaments.get(1).played
    kept = len(Journal(store, store.tournaments.get(1)).read())
    assert stored < stored + kept <= TOTAL
    locker.other.close()
    progress = run(store, tell=told.append)
    assert progress.played == TOTAL - stored - kept
    assert store.tournaments.get(1).played == TOTAL
    assert told == [f"stored {kept} matches that an earlier run had finished"]
    assert not list(tmp_path.glob("*.unsaved-*"))


def test_a_run_goes_on_after_its_server_was_restarted(
    postgres: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr("league.tournament.runner.ASK_EVERY_S", 0.0)
    store = held(emptied(postgres))
    told = list[str]()
    kept = list[Path]()

    def stop_once(progress: Progress) -> None:
        if progress.played and not told and not kept:
            stop(postgres)
            kept.append(tmp_path)

    def start(text: str) -> None:
        told.append(text)
        if text.startswith("waiting"):
            kept.extend(tmp_path.glob("botleague/*.unsaved-1"))
            restart(postgres)

    progress = run(store, stop_once, tell=start)
    assert progress.played == TOTAL == store.tournaments.get(1).played
    assert [line.partition(":")[0] for line in told] == [
        "waiting for up to 10 min",
        "the database is back",
    ]
    assert not store.tournaments.is_in_play(1)
    assert len(kept) == 2
    assert not list(tmp_path.glob("botleague/*"))


def test_a_run_ends_when_another_took_its_lock(
    postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("league.tournament.runner.ASK_EVERY_S", 0.0)
    store = held(emptied(postgres))
    query = "SELECT pg_terminate_backend(pid, 10000) FROM pg_locks WHERE locktype = 'advisory'"
    taken: list[AbstractContextManager[Callable[[], None]]] = []

    def take(progress: Progress) -> None:
        if not taken:
            with store.writing() as connection:
                connection.exec_driver_sql(query)
            taken.append(store.tournaments.runner_lock(1))
            taken[0].__enter__()

    with pytest.raises(SetupError, match="is being run by another process"):
        run(store, take)
    taken[0].__exit__(None, None, None)
    assert 0 < store.tournaments.get(1).played < TOTAL


def test_a_run_ends_when_another_began_while_its_server_was_away(postgres: str) -> None:
    store = held(emptied(postgres))
    taken: list[AbstractContextManager[Callable[[], None]]] = []

    def stop_once(progress: Progress) -> None:
        if progress.played and not taken:
            stop(postgres)

    def take(text: str) -> None:
        restart(postgres)
        taken.append(store.tournaments.runner_lock(1))
        taken[0].__enter__()

    with pytest.raises(SetupError, match="is being run by another process"):
        run(store, stop_once, tell=take)
    taken[0].__exit__(None, None, None)


def test_a_journal_is_of_one_tournament_and_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_store(str(tmp_path / "league.db"), create=True) as store:
        one, two = add_bots(store, "one", "two")
        row = store.tournaments.get(add_tournament(store, one, two))
        match = PackedMatch.of(won_match(one, two))
        matches = [(MatchKey(number, 0), match) for number in range(5)]
        journal = Journal(store, row)
        assert journal.read() == []
        assert journal.write(matches) == 5
        assert journal.read() == matches
        size = journal.path.stat().st_size
        monkeypatch.setattr("league.store.journal.JOURNAL_MAX", size // 2)
        assert journal.write(matches) == len(journal.read()) == 2
        with store.writing() as connection:
            connection.exec_driver_sql("UPDATE tournament SET created_at = 7")
        assert Journal(store, store.tournaments.get(row.id)).read() == []
        journal.path.write_bytes(journal.path.read_bytes()[:-9])
        assert journal.read() == []


def test_a_journal_that_does_not_fit_leaves_nothing(tmp_path: Path) -> None:
    with small_disk(tmp_path, 4) as reason:
        if reason:
            pytest.skip(reason)
        with open_store(str(tmp_path / "league.db"), create=True) as store:
            one, two = add_bots(store, "one", "two")
            row = store.tournaments.get(add_tournament(store, one, two))
            matches = [
                (MatchKey(number, 0), PackedMatch.of(won_match(one, two))) for number in range(99)
            ]
            journal = Journal(store, row)
            part = journal.path.with_name(f"{journal.path.name}.part")
            fill(tmp_path / "filler")
            with pytest.raises(OSError, match="No space left"):
                journal.write(matches)
            assert not part.exists()
            (tmp_path / "filler").unlink()
            part.write_bytes(b"killed")
            journal.remove()
            assert not part.exists()


@pytest.mark.slow
def test_a_run_backs_up_its_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("league.tournament.runner.ASK_EVERY_S", 0.0)
    store = held(str(tmp_path / "league.db"))
    seen = []

    def look(progress: Progress) -> None:
        if (tmp_path / "league.db.backup").exists():
            with open_store(str(tmp_path / "league.db.backup"), read_only=True) as copy:
                seen.append(copy.tournaments.get(1).played)

    run(store, look, backup_every_s=0.0)
    assert seen
    assert seen == sorted(seen)


def test_a_servers_database_is_not_backed_up(postgres: str) -> None:
    store = held(emptied(postgres))
    with pytest.raises(SetupError, match="pg_dump"):
        run(store, backup_every_s=60.0)


def test_a_run_refuses_a_damaged_file(tmp_path: Path) -> None:
    path = tmp_path / "league.db"
    held(str(path)).close()
    with closing(sqlite3.connect(path)) as connection:
        (page,) = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = 'lineup_seat'"
        ).fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").close()
    data = bytearray(path.read_bytes())
    data[(page - 1) * size : (page - 1) * size + 60] = b"\xff" * 60
    path.write_bytes(data)
    with (
        open_store(str(path)) as store,
        pytest.raises(DatabaseError, match=r"damaged.*'league db recover'"),
    ):
        run(store)
