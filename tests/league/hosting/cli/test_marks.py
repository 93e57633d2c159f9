"""`league marks`: who gets how many points, and why."""

import csv
import io
import json
import re
from pathlib import Path

import pytest

from league.hosting.store.host_store import open_host_store
from tests.league.command import league
from tests.league.hosting.season.teams import add_leg, add_team, change_team, season_of


@pytest.mark.slow
def test_marks_are_shown_with_their_reasons(tmp_path: Path) -> None:
    for name, spec in {"mini": "minimax", "rnd": "random"}.items():
        league(tmp_path, "register", name, spec, "--no-check")
    assert "there is no season to mark" in league(tmp_path, "marks", code=1)
    chosen = ("--game", "tictactoe", "--bots", "mini,rnd", "--rounds", "24", "--depth", "4")
    league(tmp_path, "run", *chosen, "--seed", "1", "--quiet")
    with open_host_store(str(tmp_path / "league.db")) as store:
        season = season_of(store)
        add_leg(store, season.id, 1)
        change_team(store, add_team(store, "mini"), bot_id=store.bots.get("mini").id)
    assert "the season has no rules for marks" in league(tmp_path, "marks", code=1)
    with open_host_store(str(tmp_path / "league.db")) as store:
        rules = "plays: 1 point\nbeats rnd with 95% confidence: 2.5 points"
        settings = season.settings
        store.seasons.update(
            season.id, settings=type(settings)(name="S", game="tictactoe", marks=rules)
        )
    shown = league(tmp_path, "marks")
    assert "48 matches in the season" in shown
    # A league draws its own salt, so that the matches of two runs differ.
    assert re.search(r"of 48 against rnd, (99\.\d|100(\.0)?)% sure", shown)
    (mark,) = json.loads(league(tmp_path, "marks", "--json"))
    assert (mark["team"], mark["version"], mark["points"]) == ("mini", "mini@1", 3.5)
    assert [each["points"] for each in mark["credits"]] == [1, 2.5]
    (row,) = csv.DictReader(io.StringIO(league(tmp_path, "marks", "--csv")))
    assert (row["team"], row["total"]) == ("mini", "3.5")
    assert row["beats rnd with 95% confidence: 2.5 points"] == "2.5"
    with open_host_store(str(tmp_path / "league.db")) as store:
        store.seasons.update(season.id, settings=type(settings)(name="S", game="x", marks="wins"))
    assert "line 1, 'wins': expected 'plays: 1 point'" in league(tmp_path, "marks", code=1)
