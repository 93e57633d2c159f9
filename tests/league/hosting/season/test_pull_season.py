"""A season whose matches are played by machines that fetch them."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from league.hosting.model.season import SeasonState
from league.hosting.season.director import DirectorOptions, serve
from league.hosting.season.standings import final_standings, season_standings
from league.hosting.store.host_store import HostStore
from league.model.records import Isolation
from league.tournament.executors import TOKEN_VARIABLE
from league.tournament.run_options import RunOptions
from tests.league.hosting.season.teams import CLEVER, LUCKY, league_of, season_of, team_of
from tests.league.in_process import Script
from tests.league.pull_working import TOKEN, work_in_threads, working
from tests.league.web.test_behind_proxy import free_port


def test_a_season_is_played_by_a_machine_that_fetches_its_matches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripts = {"one": CLEVER, "two": LUCKY}
    work_in_threads(monkeypatch, scripts)
    monkeypatch.setenv(TOKEN_VARIABLE, TOKEN)
    with league_of(tmp_path / "league.db") as store:
        check_a_season(store, scripts)


def check_a_season(store: HostStore, scripts: Mapping[str, Script]) -> None:
    """Play a season on a machine, from its first leg to its final."""
    season = season_of(store, final_rounds=2)
    for name in scripts:
        team_of(store, name)
    told: list[str] = []
    port = free_port()
    run = RunOptions(executor=f"pull://127.0.0.1:{port}", tell=told.append)

    def is_over() -> bool:
        if sum(row.played for row in store.tournaments.all()) >= 20:
            store.seasons.advance(season, SeasonState.CLOSED)
        found = store.seasons.get()
        return found is not None and found.state is SeasonState.PUBLISHED

    options = DirectorOptions(
        run=run, isolation=Isolation.LIMITS, is_over=is_over, look_s=0.0, idle_s=0.0, retry_s=0.0
    )
    with working(f"http://127.0.0.1:{port}", "lab") as worker:
        serve(store, options)
        assert worker.fault is None
    # The season goes from its leg to its final.
    assert any("has ended; waiting for the next one" in line for line in worker.lines)
    ended = store.seasons.get()
    assert ended is not None
    rows = [store.matches.get(number)[0] for number in store.matches.numbers()]
    assert {row.machine for row in rows} == {"lab"}
    assert {row.tournament_id for row in rows} == {*ended.legs, ended.final}
    assert len(rows) == worker.worker.played
    found = season_standings(store, ended)
    assert [row.bot for row in found] == ["one", "two"]
    assert sum(row.matches for row in found) == 2 * len(rows)
    assert {row.bot for row in final_standings(store, ended)} == {"one", "two"}
    assert "machine lab plays 2 matches at a time" in told
