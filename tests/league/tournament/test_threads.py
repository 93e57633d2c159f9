"""Cores for the threads of engines."""

from pathlib import Path

import pytest

from league.model.records import BotVersion, Limits
from league.model.tournament_spec import TournamentSpec
from league.seats.bot_specs import threads_of
from league.store.store import open_store
from league.tournament import planner, runner
from league.tournament.create import create_tournament
from league.tournament.planner import Planner
from league.tournament.run_options import RunOptions
from league.tournament.runner import run_tournament
from tests.league.in_process import InProcessPool
from tests.league.matches import add_bots


@pytest.mark.parametrize(
    ("options", "threads"),
    [
        ({}, 1),
        ({"Hash": "16"}, 1),
        ({"Threads": "4"}, 4),
        ({"threads": " 2 "}, 2),
        ({"cores": "3"}, 3),
        ({"Threads": "0"}, 1),
        ({"Threads": "many"}, 1),
        ({"Threads": "9" * 30}, 1),
    ],
)
def test_threads_are_an_option_of_the_engine(options: dict[str, str], threads: int) -> None:
    assert threads_of(BotVersion("sf", "uci:sf", options=options)) == threads


@pytest.mark.parametrize(
    ("may_ponder", "cores", "warns"), [(False, 8, False), (False, 2, True), (True, 8, False)]
)
def test_a_match_has_a_core_for_each_thread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, may_ponder: bool, cores: int, warns: bool
) -> None:
    monkeypatch.setattr(runner, "cores", lambda: cores)
    monkeypatch.setattr(planner, "threads_of", lambda bot: 4 if bot.name == "four" else 1)
    told: list[str] = []
    with open_store(str(tmp_path / "league.db"), create=True) as store:
        add_bots(store, "one", "four")
        limits = Limits(depth=1, may_ponder=may_ponder)
        spec = TournamentSpec(game="tictactoe", bots=("one", "four"), rounds=1, limits=limits)
        row = create_tournament(store, spec)
        assert Planner(store, row.id).cores_each == (8 if may_ponder else 4)
        options = RunOptions(workers=1, tell=told.append)
        run_tournament(store, row.id, options, open_pool=lambda size: InProcessPool(size))
    assert any("4 threads each on 2 cores" in text for text in told) is warns
