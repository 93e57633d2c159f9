"""Bots are read without SQLAlchemy where that tells the same."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from league.store.bot_rows import bots_in_file
from league.store.store import open_store
from tests.league.matches import add_bots


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Make a league with three bots, one of them retired."""
    with open_store(str(tmp_path / "league.db"), create=True) as store:
        add_bots(store, "Zoe", "abe", "late")
        store.bots.retire("late")
    return tmp_path / "league.db"


@pytest.mark.parametrize("include_retired", [False, True])
def test_it_finds_what_the_store_finds(path: Path, include_retired: bool) -> None:
    found = bots_in_file(str(path), include_retired=include_retired)
    with open_store(str(path)) as store:
        assert found == store.bots.all(include_retired)
    assert [bot.name for bot in found or ()] == ["abe", *["late"] * include_retired, "Zoe"]


def test_numbers_in_names_are_in_order(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "league.db"), create=True) as store:
        add_bots(store, "bot-10", "Bot-9", "bot-2b", "bot-2", "7th", "ada")
        names = [bot.name for bot in store.bots.all()]
        page = [bot.name for bot in store.bots.page(2, 3)]
    assert names == ["7th", "ada", "bot-2", "bot-2b", "Bot-9", "bot-10"]
    assert page == ["bot-2b", "Bot-9"]


def _missing(path: Path) -> None:
    path.unlink()


def _no_database(path: Path) -> None:
    path.write_text("no database")


def _with(statement: str) -> Callable[[Path], None]:
    def harm(path: Path) -> None:
        with closing(sqlite3.connect(path)) as connection:
            connection.execute(statement)
            connection.commit()

    return harm


@pytest.mark.parametrize(
    "harm",
    [
        _missing,
        _no_database,
        _with("UPDATE alembic_version SET version_num = '9999'"),
        _with("UPDATE bot SET games = 'no JSON'"),
        _with("DELETE FROM version"),
    ],
)
def test_what_it_can_t_tell_is_left_to_the_store(path: Path, harm: Callable[[Path], None]) -> None:
    harm(path)
    assert bots_in_file(str(path), include_retired=False) is None
    assert not path.exists() or path.read_bytes()


def test_a_server_is_left_to_the_store() -> None:
    assert bots_in_file("postgresql://localhost/league", include_retired=False) is None
