"""A sequential test on the command line: its output while it runs, and its exact length."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from league.api.league import League
from league.cli import progress_bar
from league.cli.main import cli
from league.model.errors import SetupError
from league.tournament.planner import Planner
from league.tournament.progress import Progress
from tests.league.command import league

RUN = ("run", "--game", "tictactoe", "--bots", "a,b", "--opening-plies", "3", "--seed", "1")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("a", "b"):
        league(tmp_path, "register", name, "random")
    return tmp_path


@pytest.mark.slow
def test_it_tells_where_it_stands(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    arguments = (*RUN, "--format", "sprt:elo1=1,batch=4", "--rounds", "6", "--workers", "1")
    run = CliRunner().invoke(cli, arguments)
    assert run.exit_code == 0, run.output
    assert "played 12 matches" in run.stderr
    assert "no verdict yet: 'league tournament extend 1 --rounds 200' adds" in run.stderr
    assert "undecided between 0 and 1 normalized Elo, a against b" in " ".join(run.stdout.split())
    for word in ("LINE_EVERY_S", "COUNT_EVERY_S"):
        monkeypatch.setattr(progress_bar, word, 0.0)
    with League("league.db") as cup, progress_bar.shown_progress({}, False) as show:
        planner = Planner(cup.store, 1)
        show(Progress(planner, 12, says=planner.says()))
    head, line = capsys.readouterr().err.splitlines()
    assert head.startswith("12 matches")
    assert line.startswith("  undecided between 0 and 1 normalized Elo, a against b: LLR ")
    assert "pentanomial [" in line
    watched = league(folder, "tournament", "watch", "1")
    assert "12/12 matches; undecided between 0 and 1 normalized Elo, a against b: LLR " in watched


@pytest.mark.slow
def test_a_test_without_a_verdict_names_the_next_steps(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    arguments = (*RUN, "--format", "sprt:elo1=1,batch=4", "--rounds", "2", "--workers", "1")
    told = CliRunner().invoke(cli, arguments).stderr
    assert "no verdict yet: 'league tournament extend 1 --rounds 200' adds" in told
    told = CliRunner().invoke(cli, ("tournament", "extend", "1", "--rounds", "5")).stderr
    assert "4 matches played, --rounds is now 7; 'league resume 1' continues" in told


@pytest.mark.slow
def test_a_test_whose_matches_repeat_asks_for_more_openings(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    for name in ("c", "d"):
        league(folder, "register", name, "alphabeta:depth=1")
    bots = ("run", "--game", "tictactoe", "--bots", "c,d", "--depth", "1", "--opening-plies", "1")
    arguments = (*bots, "--format", "sprt:elo1=1,batch=4", "--rounds", "80", "--workers", "1")
    told = CliRunner().invoke(cli, arguments).stderr
    assert "no verdict: try more openings, as by 'league run --again 1 --opening-plies 8'" in told
    assert "extend" not in told


@pytest.mark.slow
def test_a_test_that_has_decided_is_not_extended(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    league(folder, "register", "c", "minimax")
    arguments = ("run", "--game", "tictactoe", "--bots", "c,a", "--opening-plies", "2", "-q")
    league(folder, *arguments, "--format", "sprt:elo1=300,model=logistic", "--workers", "1")
    with (
        pytest.raises(SetupError, match="the test of tournament 1 has decided"),
        League("league.db") as cup,
    ):
        cup.extend(1, 1)
