"""The runner's lock on a PostgreSQL server, whose sessions may end at any time."""

from pathlib import Path
from typing import NoReturn

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.exc import OperationalError

from league.model.errors import SetupError, UnavailableError
from league.store.runner_lock import file_lock, is_file_locked
from league.store.store import Store, open_store
from tests.league.postgres import emptied

BIG = 2**33 + 5


@pytest.fixture
def store(postgres: str) -> Store:
    """Open an empty league on the server."""
    return open_store(emptied(postgres), create=True)


def end_sessions(store: Store) -> None:
    """End the sessions that hold advisory locks, as a restart of the server does."""
    query = "SELECT pg_terminate_backend(pid, 10000) FROM pg_locks WHERE locktype = 'advisory'"
    with store.writing() as connection:
        connection.execute(text(query))


def test_a_lock_whose_session_ended_is_taken_again(store: Store) -> None:
    with store.tournaments.runner_lock(1) as check:
        end_sessions(store)
        assert not store.tournaments.is_in_play(1)
        check()
        assert store.tournaments.is_in_play(1)
        check()
    assert not store.tournaments.is_in_play(1)


def test_a_runner_hears_that_another_has_taken_its_lock(store: Store) -> None:
    with store.tournaments.runner_lock(1) as check:
        end_sessions(store)
        with (
            store.tournaments.runner_lock(1),
            pytest.raises(SetupError, match="is being run by another"),
        ):
            check()


def test_a_lock_whose_session_ended_is_let_go_in_silence(store: Store) -> None:
    with store.tournaments.runner_lock(1):
        end_sessions(store)


def test_tournaments_of_any_number_are_locked(store: Store) -> None:
    with store.tournaments.runner_lock(BIG):
        assert [store.tournaments.is_in_play(number) for number in (BIG, 5, BIG + 1)] == [
            True,
            False,
            False,
        ]
        with pytest.raises(SetupError), store.tournaments.runner_lock(BIG):
            pass


def test_a_lock_on_a_server_that_is_away_is_a_line(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(engine: Engine) -> NoReturn:
        raise OperationalError("connect", {}, Exception("connection refused"))

    monkeypatch.setattr(Engine, "connect", refuse)
    with (
        pytest.raises(UnavailableError, match="connection refused"),
        store.tournaments.runner_lock(1),
    ):
        pass


def test_two_spellings_of_a_database_have_one_lock(tmp_path: Path) -> None:
    """As on macOS, where `Cup.db` and `cup.db` are one file: here a second name stands for that."""
    first, second = tmp_path / "cup.db", tmp_path / "Cup.db"
    with file_lock(first, 1):
        (tmp_path / "Cup.db.run-1").hardlink_to(tmp_path / "cup.db.run-1")
        assert is_file_locked(second, 1)
        with (
            pytest.raises(SetupError, match="is being run by another process"),
            file_lock(second, 1),
        ):
            pass
        assert is_file_locked(first, 1)
    assert not is_file_locked(first, 1)
