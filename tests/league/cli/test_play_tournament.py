"""The options of everything that plays matches, as they reach the pool that plays them."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest
from click.testing import CliRunner

from league.cli.main import cli
from league.store.store import open_store
from tests.league.matches import add_bots

CORES = len(os.sched_getaffinity(0))

Asked = tuple[int, bool, object]
"""The workers of a pool, whether they are pinned, and how many bots start at once."""


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Asked]:
    """Give a command to a league of two bots, and return what it asks of its pool."""
    with open_store(str(tmp_path / "league.db"), create=True) as store:
        add_bots(store, "a", "b")
    heard: list[Asked] = []

    def open_pool(
        workers: int, *, is_pinned: bool, starts: int | None, **others: object
    ) -> NoReturn:
        heard.append((workers, is_pinned, starts))
        raise KeyboardInterrupt

    monkeypatch.setattr("league.tournament.runner.LocalPool", open_pool)

    def ask(*arguments: str) -> Asked:
        heard.clear()
        found = CliRunner().invoke(cli, [*arguments, "-q", "--db", str(tmp_path / "league.db")])
        assert found.exit_code == 130, found.output
        return heard.pop()

    return ask


RUN = ("run", "--game", "tictactoe", "--bots", "a,b", "--rounds", "50", "--isolation", "limits")

OPTIONS: dict[tuple[str, ...], Asked] = {
    (): (CORES, True, CORES),
    ("--no-pin",): (CORES, False, CORES),
    ("--starts", "7"): (CORES, True, 7),
    ("--workers", "3", "--starts", "1", "--no-pin"): (3, False, 1),
}


@pytest.mark.parametrize("options", OPTIONS)
def test_a_run_and_its_resumption_ask_for_workers_as_they_are_told(
    asked: Callable[..., Asked], options: tuple[str, ...]
) -> None:
    assert asked(*RUN, *options) == OPTIONS[options]
    assert asked("resume", "1", *options) == OPTIONS[options]
